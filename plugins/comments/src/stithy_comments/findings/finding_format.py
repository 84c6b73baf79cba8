"""The interface of a format, and the creation of findings from parsed text."""

import re
from collections.abc import Callable, Iterator

from attrs import frozen

from stithy_comments.findings.finding_records import Finding
from stithy_comments.findings.markdown_page import Page
from stithy_comments.findings.plain_words import INVISIBLE, badges

ITALIC = r"_(?:(?!_\s|\s_)[^|\n])+_"
BADGE = r"\*\*[^*|\n]+\*\*"
LABELS = re.compile(
    rf"(?:{ITALIC}(?:[ ]*\|[ ]*{ITALIC})*|{BADGE}(?:[ ]*\|[ ]*{BADGE})+)[ \t]*(?:\n|\Z)",
)
SHORTCODE = re.compile(r":\w+:")
NO_WORD_BEFORE = re.compile(r"^[^\w(]+")
BADGES = re.compile(
    r"(?P<bold>\*\*)?(?:\s*+(?:</?(?:a|img|picture|source|sub|sup)\b[^<>]*+>|!\[[^\[\]\n]*+\]\([^()\n]*+\)))++\s*+"
)
BOLD = re.compile(r"\*\*(?P<bold>[^\n]+?)\*\*(?P<more>[^\n]*)")
MOST_DIGITS = 9
MOST_WRAPPERS = 3

Lines = tuple[int | None, int | None]


@frozen(kw_only=True)
class Claim:
    """A part of a page that a format has parsed.

    Attributes:
        start: Its start in the page's text.
        end: Its end.
        items: The findings in it.
        approvals: The praise and remarks in it.
        kept: The text in it that was not parsed; it replaces the part in the page.
    """

    start: int
    end: int
    items: tuple[Finding, ...] = ()
    approvals: tuple[Finding, ...] = ()
    kept: str = ""


@frozen
class Format:
    """The format in which a bot writes findings.

    Attributes:
        name: The bot.
        literals: Literals in lower case; a body without any of them cannot have this format and is skipped.
        claims: Iterates over the parts of a page that it parses, in order and without overlaps. It raises no error and
            takes linear time for any input.
    """

    name: str
    literals: tuple[str, ...]
    claims: Callable[[Page], Iterator[Claim]]

    def can_match(self, small_letters: str) -> bool:
        """Return whether a text in lower case can have this format."""
        return any(literal in small_letters for literal in self.literals)


def parse_lines(first: str | None, last: str | None = None) -> Lines:
    """Return the first and the last line as numbers; the first is None if there is only one line."""
    numbers = [int(line) for line in (first, last) if line and len(line) <= MOST_DIGITS]
    if not numbers:
        return None, None
    return (numbers[0], numbers[-1]) if numbers[0] < numbers[-1] else (None, numbers[0])


def create_finding(
    name: str, section: str, path: str, place: Lines, text: str, *, title: str = "", label: str = ""
) -> Finding:
    """Create a finding.

    Args:
        name: The format.
        section: The bot's word for the section of the body.
        path: The file, with or without backticks.
        place: First and last line, as `lines` returns them.
        text: The text; labels (in italics or as badges) and a title in bold are parsed from its beginning.
        title: The title, if it is not in the text.
        label: The label, if it is not in the text.
    """
    text = strip_wrappers(text)
    if not label and (labels := LABELS.match(text)):
        label, text = _label(labels[0]), text[labels.end() :].lstrip()
    if not title:
        badge, title, text = _head(text)
        label = label or badge
    return Finding(
        format=name,
        section=section,
        path=INVISIBLE.sub("", path).strip("` \t"),
        start_line=place[0],
        line=place[1],
        label=label or None,
        title=title or None,
        text=text.strip(),
    )


def strip_wrappers(text: str) -> str:
    """Return a text without blank space and `<blockquote>` around it."""
    text = text.strip()
    for _ in range(MOST_WRAPPERS):
        text = text.removeprefix("<blockquote>").removesuffix("</blockquote>").strip()
    return text


def _label(line: str) -> str:
    parts = (NO_WORD_BEFORE.sub("", SHORTCODE.sub("", part).strip(" _*\n")) for part in line.split("|"))
    return " | ".join(part for part in parts if part)


def _head(text: str) -> tuple[str, str, str]:
    """Split a text into label, title and rest; `**issue (typo):** Title` has its label in bold."""
    label = ""
    if images := BADGES.match(text):
        label, text = badges(images[0]), (images["bold"] or "") + text[images.end() :]
    if not (bold := BOLD.match(text)):
        return label, "", text
    title, more = bold["bold"].strip(), bold["more"].strip()
    if title.endswith(":"):
        return label or NO_WORD_BEFORE.sub("", title[:-1]), more, text[bold.end() :]
    return label, title, more + text[bold.end() :]
