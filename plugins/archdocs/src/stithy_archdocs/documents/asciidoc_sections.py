"""Split AsciiDoc documents into sections at headings; blocks of code and comments are skipped.

The syntax is that of https://docs.asciidoctor.org/asciidoc/latest/.
"""

import re
from collections.abc import Iterator

from stithy_archdocs.documents.text_sections import MOST, Heading, TextLayout, find_cut, split_sections

_ATX = re.compile(r"(?P<mark>={1,6}|#{1,6})[ \t]+(?P<title>\S.*)")
_DELIMITER = re.compile(r"(-{4,}|\.{4,}|/{4,}|\+{4,}|`{3}\w*)[ \t]*")
_UNDERLINES = "=-~^+"
_COMMENT = re.compile(r"//(?!/)")
_NEAR = 1
"""Characters by which an underline may be longer or shorter than its title."""


def parse_asciidoc(text: str, after: int = 0) -> TextLayout:
    """Parse the structure of AsciiDoc; the first `after` lines are front matter."""
    lines = text.split("\n")
    headings: list[Heading] = []
    hidden: list[tuple[int, int]] = [(1, after)] if after else []
    for event in _iterate_events(lines, after):
        if not isinstance(event, Heading):
            hidden.append(event)
        elif len(headings) < MOST:
            headings.append(event)
    return TextLayout(split_sections(lines, headings, after), tuple(hidden), find_cut(headings))


def _iterate_events(lines: list[str], after: int) -> Iterator[Heading | tuple[int, int]]:
    """Iterate over the headings, and over pairs of first and last line of blocks and comments."""
    index = after
    while index < len(lines):
        line = lines[index]
        index += 1
        if found := _ATX.fullmatch(line):
            yield Heading(len(found["mark"]), _strip_closing_mark(found), index, index)
        elif title := _get_underlined(lines, index, after):
            yield Heading(_UNDERLINES.index(line[0]) + 1, title, index - 1, index)
        elif _COMMENT.match(line):
            yield index, index
        elif opened := _DELIMITER.fullmatch(line):
            end = _find_end(lines, index, opened[1])
            yield index, end
            index = end


def _strip_closing_mark(heading: re.Match[str]) -> str:
    """Return a title without the mark repeated behind it; by hand, since an expression is slow on very many spaces."""
    first, *others = heading["title"].split()
    return " ".join([first, *(others[:-1] if others[-1:] == [heading["mark"]] else others)])


def _get_underlined(lines: list[str], number: int, after: int) -> str:
    """Return the title above an underline; empty if the line is the delimiter of a block."""
    line, title = lines[number - 1].rstrip(), lines[number - 2].strip() if number - 2 >= after else ""
    if len(line) < 3 or line[0] not in _UNDERLINES or line.strip(line[0]):  # noqa: PLR2004 -- what asciidoctor requires
        return ""
    alone = number - 3 < after or not lines[number - 3].strip()
    fits = abs(len(title) - len(line)) <= _NEAR and title[:1] not in "[.:|*-="
    return " ".join(title.split()) if title and alone and fits else ""


def _find_end(lines: list[str], number: int, mark: str) -> int:
    """Return the last line of a block; an unclosed one extends to the end of the text."""
    closing = "```" if mark.startswith("```") else mark
    return next((at for at in range(number + 1, len(lines) + 1) if lines[at - 1].rstrip() == closing), len(lines))
