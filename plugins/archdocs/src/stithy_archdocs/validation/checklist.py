"""What a document asks for in prose: points that somebody has to read, since no rule checks them."""

import re
from collections.abc import Iterator

from stithy_archdocs.documents.sections import comment_ends
from stithy_archdocs.records import Document, Section
from stithy_archdocs.validation.results import Point

MOST = 20
LONGEST = 200
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(\S.*)$")
_ASKS = re.compile(r"(?i)\b(?:must|should|shall|never|always|only|avoid|do not|don't|required?)\b")
_ASIDE = re.compile(
    r"(?i)^(?:references?|see also|links?|related|history|changelog|status|deciders|date|authors?|examples?)\b"
)
_FENCE = re.compile(r"^[ \t>]*(?:[-*+][ \t]+)?(`{3,}|~{3,})")


def points_of(document: Document) -> tuple[Point, ...]:
    """Give the first points, in the document's order."""
    found: list[Point] = []
    for section in document.sections:
        if not section.headings or _ASIDE.match(section.headings[-1]):
            continue
        for text, line in _points(section):
            plain = " ".join(text.split())
            if len(found) == MOST:
                return tuple(found)
            short = plain if len(plain) <= LONGEST else f"{plain[:LONGEST]}…"
            found.append(Point(section=section.headings[-1][:LONGEST], text=short, line=line))
    return tuple(found)


def _points(section: Section) -> Iterator[tuple[str, int]]:
    """Give the items of lists, and the sentences that ask for something."""
    lines = section.text.split("\n")
    start = section.last - len(lines) + 1
    mark, hidden = "", 0
    for number, line in enumerate(lines, start):
        if not mark and "<!--" in line and number > hidden:
            hidden = start - 1 + comment_ends(lines, number - start + 1)
        if number <= hidden:
            continue
        if fence := _FENCE.match(line):
            mark = "" if mark and fence[1].startswith(mark) else mark or fence[1]
        elif mark or line.lstrip().startswith(("|", ">", "<!--")):
            continue
        elif item := _ITEM.match(line):
            yield item[1], number
        elif _ASKS.search(line):
            yield line, number
