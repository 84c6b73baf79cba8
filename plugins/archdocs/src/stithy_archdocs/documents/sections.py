"""The parts of a document: headings of Markdown and RST, never those in fences and comments."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import zip_longest

from attrs import frozen

from stithy_archdocs.records import Section

MOST = 20_000
"""How many headings are told apart; what follows the last is one section."""

_MARKS = re.compile(
    r"^ {0,3}(?:(?P<atx>#{1,6})(?:[ \t]+(?P<title>[^\n]*))?|(?P<setext>=+|-+))[ \t]*$"
    r"|^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]+)*(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})[^\n]*$"
    r"|(?P<comment><!--)",
    re.MULTILINE,
)
_CLOSED = re.compile(r"(?:^|[ \t]+)#+[ \t]*$")
_NO_PARAGRAPH = re.compile(r"^(?: {4}|\t|[ \t]*(?:>|#{1,6}[ \t]|[-*+][ \t]|\d{1,9}[.)][ \t]|\|))")
_ADORNED = re.compile(r"^([!-/:-@\[-`{-~])\1{2,}[ \t]*$", re.MULTILINE)


@frozen
class Heading:
    """A heading: its depth from 1, its words, and from which to which line it stands."""

    depth: int
    title: str
    first: int
    last: int


@frozen
class Layout:
    """Where things stand in a text.

    Args:
        sections: Its parts, in order.
        hidden: Spans of lines, first and last, that are in a fence or a comment, in order.
    """

    sections: tuple[Section, ...]
    hidden: tuple[tuple[int, int], ...]


def markdown(text: str, after: int = 0) -> Layout:
    """Lay out Markdown; the first `after` lines are front matter."""
    lines = text.split("\n")
    headings: list[Heading] = []
    hidden: list[tuple[int, int]] = [(1, after)] if after else []
    for event in _markdown(text, lines, after):
        if isinstance(event, Heading):
            headings.append(event)
        else:
            hidden.append(event)
    return Layout(_sections(lines, headings, after), tuple(hidden))


def rst(text: str) -> Layout:
    """Lay out reStructuredText: a depth is a kind of underline, in the order in which they first come."""
    lines = text.split("\n")
    depths: dict[tuple[str, bool], int] = {}
    headings: list[Heading] = []
    start, number = 0, 1
    for found in _ADORNED.finditer(text):
        number += text.count("\n", start, found.start())
        start = found.start()
        title = lines[number - 2] if number > 1 else ""
        mark = found[1]
        if not title.strip() or _ADORNED.match(title) or (headings and headings[-1].last >= number - 1):
            continue
        over = number > 2 and len(set(lines[number - 3].strip())) == 1 and lines[number - 3].strip()[0] == mark  # noqa: PLR2004 -- a line above the title
        width = len(found[0].rstrip())
        if (title[0].isspace() and not over) or width < min(len(title.strip()), 4):
            continue
        if len(headings) >= MOST:
            break
        depth = depths.setdefault((mark, over), len(depths) + 1)
        headings.append(Heading(depth, title.strip(), number - (2 if over else 1), number))
    return Layout(_sections(lines, headings, 0), ())


def _markdown(text: str, lines: list[str], after: int) -> Iterator[Heading | tuple[int, int]]:
    """Go from mark to mark, over what lies in fences and comments."""
    position = 0
    for _ in range(after):
        position = text.find("\n", position) + 1 or len(text)
    number, counted, set_off = after + 1, position, after
    headings = 0
    while headings < MOST and (found := _MARKS.search(text, position)):
        number += text.count("\n", counted, found.start())
        counted, position = found.start(), max(found.end(), found.start() + 1)
        if found["fence"] or found["comment"]:
            if found["comment"] and "`" in text[text.rfind("\n", 0, found.start()) + 1 : found.start()]:
                continue
            position = _end(text, found)
            set_off = number + text.count("\n", counted, position)
            yield number, set_off
        elif found["atx"]:
            headings += 1
            yield Heading(len(found["atx"]), _title(found["title"] or ""), number, number)
            set_off = number
        elif (title := _underlined(lines, number, set_off)) is not None:
            headings += 1
            yield Heading(1 if found["setext"][0] == "=" else 2, title, number - 1, number)
            set_off = number


def _end(text: str, opened: re.Match[str]) -> int:
    """Say where a fence or comment ends; what is never closed goes to the end of the text."""
    if opened["comment"]:
        closed = text.find("-->", opened.end())
        return len(text) if closed < 0 else closed + 3
    mark = opened["fence"]
    closed_by = _closing(mark).search(text, opened.end())
    return closed_by.end() if closed_by else len(text)


@lru_cache(maxsize=64)
def _closing(mark: str) -> re.Pattern[str]:
    return re.compile(rf"^[ \t>]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$", re.MULTILINE)


def _underlined(lines: list[str], number: int, set_off: int) -> str | None:
    """Give the paragraph of one line above an underline, if it is one."""
    if number - 1 <= set_off:
        return None
    title = lines[number - 2]
    if not title.strip() or _NO_PARAGRAPH.match(title):
        return None
    return title.strip()


def _title(text: str) -> str:
    return _CLOSED.sub("", text).strip()


def _sections(lines: list[str], headings: list[Heading], after: int) -> tuple[Section, ...]:
    made = []
    first = headings[0].first if headings else len(lines) + 1
    before = "\n".join(lines[after : first - 1])
    if before.strip():
        made.append(Section(headings=(), text=before, first=after + 1, last=max(first - 1, after + 1)))
    above: list[Heading] = []
    for heading, following in zip_longest(headings, headings[1:]):
        last = following.first - 1 if following else len(lines)
        above = [*(upper for upper in above if upper.depth < heading.depth), heading]
        body = "\n".join(lines[heading.last : last])
        made.append(Section(headings=tuple(upper.title for upper in above), text=body, first=heading.first, last=last))
    return tuple(made)
