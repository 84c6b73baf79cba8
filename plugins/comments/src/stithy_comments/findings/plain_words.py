"""Plain words of summaries, titles and labels, without markup."""

import re
from html import unescape

# Only tags of HTML: `Promise<string>` in a title must stay.
TAG = re.compile(
    r"</?(?:a|b|blockquote|br|details|div|em|font|h[1-6]|i|img|kbd|p|picture|source|span|strong|sub|summary|sup|table"
    r"|tbody|td|th|thead|tr|u)\b[^<>]*+>",
    re.IGNORECASE,
)
CODE_TAG = re.compile(r"</?code>", re.IGNORECASE)
ALT = re.compile(r"<img\b[^<>]*?\balt=[\"']([^\"'<>]*+)[\"']|!\[([^\[\]\n]*+)\]\([^()\n]*+\)", re.IGNORECASE)
INVISIBLE = re.compile("[\u200b\ufeff]")
NO_WORD_BEFORE = re.compile(r"^[^\w`\"'(]+")
COUNTED = re.compile(r"(?P<name>[^()]*+)\(\d{1,6}\)")
COMMENTS = re.compile(r"\bcomments?\b")


def plain_words(text: str) -> str:
    """Return a text in one line, without tags, entities and invisible characters; `<code>` becomes backticks."""
    return " ".join(unescape(INVISIBLE.sub("", TAG.sub(" ", CODE_TAG.sub("`", text)))).split())


def heading_words(text: str) -> str:
    """Return a heading in the form for comparison: lower case without tags, leading emoji and emphasis."""
    return text and NO_WORD_BEFORE.sub("", plain_words(text)).rstrip("*_: ").casefold()


def comments_counted(summary: str) -> str | None:
    """Return the name of a fold that counts its comments; None for other folds.

    Args:
        summary: The summary as `heading_words` returns it: `nitpick comments (3)`.
    """
    counted = COUNTED.fullmatch(summary)
    return counted["name"] if counted and COMMENTS.search(counted["name"]) else None


def badges(text: str) -> str:
    """Return the alternative texts of the images in a text, joined by ` | `: `Medium severity`, `P1`."""
    return " | ".join(name for found in ALT.finditer(text) if (name := (found[1] or found[2] or "").strip()))
