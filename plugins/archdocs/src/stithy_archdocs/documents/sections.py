"""The parts of a document: headings of Markdown and RST, never those in fences and comments."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import zip_longest

from attrs import frozen

from stithy_archdocs.records import Section

MOST = 20_000
"""How many headings are told apart; what follows the last is one section."""

LONGEST_TITLE = 1_000
"""Characters of a heading; what is longer is data, and costs time wherever titles are read."""
_MARKS = re.compile(
    r" {0,3}(?:(?P<atx>#{1,6})(?:[ \t\xa0]+(?P<title>.*))?|(?P<setext>=+|-+))[ \t]*"
    r"|[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]+)*(?P<fence>`{3,}(?=[^`]*$)|~{3,}).*",
)
_FIRST = frozenset("#=-`~>*+0123456789")
"""With what a heading, an underline or a fence can begin; asking so is much cheaper than a regular expression."""
_NO_PARAGRAPH = re.compile(r"^(?: {4}|\t|[ \t]*(?:>|#{1,6}[ \t\xa0]|[-*+][ \t]|\d{1,9}[.)][ \t]|\|))")
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
        cut: The line of the last heading that was told apart, where there may be more; 0 where that are all.
    """

    sections: tuple[Section, ...]
    hidden: tuple[tuple[int, int], ...]
    cut: int = 0


def markdown(text: str, after: int = 0) -> Layout:
    """Lay out Markdown; the first `after` lines are front matter."""
    lines = text.split("\n")
    headings: list[Heading] = []
    hidden: list[tuple[int, int]] = [(1, after)] if after else []
    for event in _markdown(lines, after):
        if isinstance(event, Heading):
            headings.append(event)
        else:
            hidden.append(event)
    return Layout(_sections(lines, headings, after), tuple(hidden), _cut(headings))


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
        headings.append(Heading(depth, _words(title), number - (2 if over else 1), number))
    return Layout(_sections(lines, headings, 0), (), _cut(headings))


def _cut(headings: list[Heading]) -> int:
    return headings[-1].last if len(headings) >= MOST else 0


def _markdown(lines: list[str], after: int) -> Iterator[Heading | tuple[int, int]]:
    """Go from line to line, over what lies in fences and comments."""
    index, set_off, headings = after, after, 0
    while index < len(lines) and headings < MOST:
        line = lines[index]
        index += 1
        found = _MARKS.fullmatch(line) if line.lstrip()[:1] in _FIRST else None
        if found is not None and found["fence"]:
            yield index, (set_off := _fence_ends(lines, index, found["fence"]))
        elif found is not None and (heading := _heading(found, lines, index, set_off)):
            headings += 1
            set_off = index
            yield heading
        elif "<!--" in line and (ends := comment_ends(lines, index)):
            set_off = ends
            yield index, ends
        index = max(index, set_off)


def _heading(found: re.Match[str], lines: list[str], number: int, set_off: int) -> Heading | None:
    """Give the heading that a line is, or underlines."""
    if found["atx"]:
        return Heading(len(found["atx"]), _title(found["title"] or ""), number, number)
    title = _underlined(lines, number, set_off) if found["setext"] else None
    return Heading(1 if found["setext"][0] == "=" else 2, title, number - 1, number) if title is not None else None


def comment_ends(lines: list[str], number: int) -> int:
    """Return the line in which the last comment of a line ends; one that is never closed goes to the end of the text.

    Returns:
        0 where there is no comment, but code that shows one.
    """
    before, _, after = lines[number - 1].rpartition("<!--")
    if "`" in before:
        return 0
    if "-->" in after:
        return number
    return next((at for at in range(number + 1, len(lines) + 1) if "-->" in lines[at - 1]), len(lines))


def _fence_ends(lines: list[str], number: int, mark: str) -> int:
    closing = _closing(mark)
    return next((at for at in range(number + 1, len(lines) + 1) if closing.fullmatch(lines[at - 1])), len(lines))


@lru_cache(maxsize=64)
def _closing(mark: str) -> re.Pattern[str]:
    return re.compile(rf"[ \t>]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*")


def _underlined(lines: list[str], number: int, set_off: int) -> str | None:
    """Give the paragraph of one line above an underline, if it is one."""
    if number - 1 <= set_off:
        return None
    title = lines[number - 2]
    if not title.strip() or _NO_PARAGRAPH.match(title):
        return None
    return _words(title)


def _words(text: str) -> str:
    """Give a title as it is shown: one space between words, and no more than a title can be."""
    return " ".join(text[:LONGEST_TITLE].split())


def _title(text: str) -> str:
    """Take a heading's closing marks off; without an expression, which very many spaces would make slow."""
    whole = _words(text)
    bare = whole.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] == " " else whole


def _sections(lines: list[str], headings: list[Heading], after: int) -> tuple[Section, ...]:
    """Part a text at its headings; empty lines at the end of a part are none of it."""
    made = []
    last = _filled(lines, after, headings[0].first - 1 if headings else len(lines))
    if last > after:
        first = next(at for at in range(after, last) if lines[at].strip())
        made.append(Section(headings=(), text="\n".join(lines[first:last]), first=first + 1, last=last))
    above: list[Heading] = []
    for heading, following in zip_longest(headings, headings[1:]):
        last = _filled(lines, heading.last, following.first - 1 if following else len(lines))
        above = [*(upper for upper in above if upper.depth < heading.depth), heading]
        body = "\n".join(lines[heading.last : last])
        made.append(Section(headings=tuple(upper.title for upper in above), text=body, first=heading.first, last=last))
    return tuple(made)


def _filled(lines: list[str], first: int, last: int) -> int:
    """Give the last line that says something, where there is one behind the first."""
    while last > first and not lines[last - 1].strip():
        last -= 1
    return last
