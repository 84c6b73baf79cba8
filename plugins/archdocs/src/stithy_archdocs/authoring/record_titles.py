"""Titles of new records: cleaned, escaped for their markup language, and as part of a file name."""

import re
import unicodedata

from stithy_archdocs.documents.document_locations import Markup
from stithy_core.spi import InvalidArguments, clean

LONGEST_TITLE = 200
LONGEST_SLUG = 60
"""Characters of a slug; with 3 bytes each, the name of its file stays below the 255 bytes that file systems allow."""

_SPECIAL = {
    "markdown": re.compile(r"<(?=!--|[/?a-zA-Z])|\\(?=[^\w\s])"),
    "rst": re.compile(r"[*`|\\]|_(?=\W|$)"),
    "asciidoc": re.compile(r"\{(?=[\w-]+\})|<<|\b(?:link|xref):(?=\S*\[)"),
}


def check_title(text: str) -> str:
    """Return a title in one line, without invisible characters and control characters.

    Raises:
        InvalidArguments: It has no letter or digit, or is too long.
    """
    visible = clean(text.encode(errors="replace").decode())
    spaced = "".join(" " if unicodedata.category(sign) in ("Cc", "Zl", "Zp") else sign for sign in visible)
    title = " ".join(spaced.split())
    if not any(sign.isalnum() for sign in title):
        raise InvalidArguments("the title has no letter and no digit", suggestion="Say what is decided.")
    if len(title) > LONGEST_TITLE:
        what = f"the title has {len(title)} characters, more than {LONGEST_TITLE}"
        raise InvalidArguments(what, suggestion="Shorten it; the reasons belong in the record.")
    return title


def escape_title(title: str, markup: Markup) -> str:
    """Return a title for the text of a record, where it must not begin a comment, a tag or a reference."""
    return _SPECIAL[markup].sub(lambda found: f"\\{found[0]}", title)


def make_slug(title: str, *, joint: str = "-", lower: bool = True) -> str:
    """Return a title as part of a file name: letters and digits of any script, and between words `joint`."""
    plain = unicodedata.normalize("NFKD", title.replace("'", "").replace("’", ""))  # noqa: RUF001 -- people write it
    bare = "".join(sign for sign in plain if not unicodedata.combining(sign))
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFC", bare))
    slug = ""
    for word in words:
        longer = f"{slug}{joint}{word}" if slug else word
        if len(longer) > LONGEST_SLUG:
            break
        slug = longer
    slug = slug or words[0][:LONGEST_SLUG]
    return slug.lower() if lower else slug


def measure_width(text: str) -> int:
    """Return the columns of a text: an underline must not be shorter than its title."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)
