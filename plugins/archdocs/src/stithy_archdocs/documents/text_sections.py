"""Split documents into sections at headings of Markdown and RST; fences and comments are skipped."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import zip_longest

from attrs import frozen

from stithy_archdocs.document_models import Section

MOST = 20_000
"""Maximum number of headings; everything after the last is one section."""

LONGEST_TITLE = 1_000
"""Characters of a heading; a longer one is data, and costs time wherever titles are matched."""
_MARKS = re.compile(
    r" {0,3}(?:(?P<atx>#{1,6})(?:[ \t\xa0]+(?P<title>.*))?|(?P<setext>=+|-+))[ \t]*"
    r"|[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]+)*(?P<fence>`{3,}(?=[^`]*$)|~{3,}).*",
)
_FIRST = frozenset("#=-`~>*+0123456789")
"""First characters of headings, underlines and fences; this test is much cheaper than the regular expression."""
_NO_PARAGRAPH = re.compile(r"^(?: {4}|\t|[ \t]*(?:>|#{1,6}[ \t\xa0]|[-*+][ \t]|\d{1,9}[.)][ \t]|\|))")
_CODE = re.compile(r"[ \t]*\.\.[ \t]+(?:code-block|sourcecode|code|parsed-literal)::")
_ADORNED = re.compile(r"^([!-/:-@\[-`{-~])\1{2,}[ \t]*$", re.MULTILINE)


@frozen
class Heading:
    """A heading.

    Args:
        depth: Its level, from 1.
        title: Its text.
        first: Its first line.
        last: Its last line, which is the underline if it has one.
    """

    depth: int
    title: str
    first: int
    last: int


@frozen
class TextLayout:
    """The structure of a text.

    Args:
        sections: Its sections, in order.
        hidden: Pairs of first and last line of fences and comments, in order.
        cut: Line of the last heading if the maximum was reached; else 0.
    """

    sections: tuple[Section, ...]
    hidden: tuple[tuple[int, int], ...]
    cut: int = 0


def parse_markdown(text: str, after: int = 0) -> TextLayout:
    """Parse the structure of Markdown; the first `after` lines are front matter."""
    lines = text.split("\n")
    headings: list[Heading] = []
    hidden: list[tuple[int, int]] = [(1, after)] if after else []
    for event in _iterate_markdown(lines, after):
        if isinstance(event, Heading):
            headings.append(event)
        else:
            hidden.append(event)
    return TextLayout(split_sections(lines, headings, after), tuple(hidden), find_cut(headings))


def parse_rst(text: str) -> TextLayout:
    """Parse the structure of RST; each kind of underline is a level, in the order of first use."""
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
        headings.append(Heading(depth, _normalize_title(title), number - (2 if over else 1), number))
    hidden = tuple(_iterate_literal_blocks(lines))
    return TextLayout(split_sections(lines, headings, 0), hidden, find_cut(headings))


def _iterate_literal_blocks(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Iterate over pairs of first and last line of the literal blocks and the code of RST."""
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if _CODE.match(line) or (line.rstrip().endswith("::") and not line.lstrip().startswith("..")):
            end = _find_indented_end(lines, at, len(line) - len(line.lstrip()))
            if end > at:
                yield at + 1, end
            at = end


def _find_indented_end(lines: list[str], first: int, indent: int) -> int:
    """Return the last line that is indented more than the line before the block; the latter if there is none."""
    end = first
    for at in range(first, len(lines)):
        if lines[at].strip():
            if len(lines[at]) - len(lines[at].lstrip()) <= indent:
                break
            end = at + 1
    return end


def find_cut(headings: list[Heading]) -> int:
    """Return the line of the last heading if the maximum was reached; else 0."""
    return headings[-1].last if len(headings) >= MOST else 0


def _iterate_markdown(lines: list[str], after: int) -> Iterator[Heading | tuple[int, int]]:
    """Iterate over the headings, and over pairs of first and last line of fences and comments."""
    index, set_off, headings = after, after, 0
    while index < len(lines) and headings < MOST:
        line = lines[index]
        index += 1
        found = _MARKS.fullmatch(line) if line.lstrip()[:1] in _FIRST else None
        if found is not None and found["fence"]:
            yield index, (set_off := _find_fence_end(lines, index, found["fence"]))
        elif found is not None and (heading := _parse_heading(found, lines, index, set_off)):
            headings += 1
            set_off = index
            yield heading
        elif "<!--" in line and (ends := find_comment_end(lines, index)):
            set_off = ends
            yield index, ends
        index = max(index, set_off)


def _parse_heading(found: re.Match[str], lines: list[str], number: int, set_off: int) -> Heading | None:
    """Return the heading that a line is or underlines."""
    if found["atx"]:
        return Heading(len(found["atx"]), _strip_closing_marks(found["title"] or ""), number, number)
    title = _get_underlined(lines, number, set_off) if found["setext"] else None
    return Heading(1 if found["setext"][0] == "=" else 2, title, number - 1, number) if title is not None else None


def find_comment_end(lines: list[str], number: int) -> int:
    """Return the line in which the last comment of a line ends; an unclosed comment extends to the end of the text.

    Returns:
        0 if the line has no comment but code that shows one.
    """
    before, _, after = lines[number - 1].rpartition("<!--")
    if "`" in before:
        return 0
    if "-->" in after:
        return number
    return next((at for at in range(number + 1, len(lines) + 1) if "-->" in lines[at - 1]), len(lines))


def _find_fence_end(lines: list[str], number: int, mark: str) -> int:
    closing = _compile_closing(mark)
    return next((at for at in range(number + 1, len(lines) + 1) if closing.fullmatch(lines[at - 1])), len(lines))


@lru_cache(maxsize=64)
def _compile_closing(mark: str) -> re.Pattern[str]:
    return re.compile(rf"[ \t>]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*")


def _get_underlined(lines: list[str], number: int, set_off: int) -> str | None:
    """Return the paragraph of one line above an underline; None if there is no such paragraph."""
    if number - 1 <= set_off:
        return None
    title = lines[number - 2]
    if not title.strip() or _NO_PARAGRAPH.match(title):
        return None
    return _normalize_title(title)


def _normalize_title(text: str) -> str:
    """Normalize white space in a title and limit its length."""
    return " ".join(text[:LONGEST_TITLE].split())


def _strip_closing_marks(text: str) -> str:
    """Remove a heading's closing marks; by hand, because an expression is slow on very many spaces."""
    whole = _normalize_title(text)
    bare = whole.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] == " " else whole


def split_sections(lines: list[str], headings: list[Heading], after: int) -> tuple[Section, ...]:
    """Split a text at its headings; blank lines at the end of a section do not belong to it."""
    made = []
    last = _find_last_filled(lines, after, headings[0].first - 1 if headings else len(lines))
    if last > after:
        first = next(at for at in range(after, last) if lines[at].strip())
        made.append(Section(headings=(), text="\n".join(lines[first:last]), first=first + 1, last=last))
    above: list[Heading] = []
    for heading, following in zip_longest(headings, headings[1:]):
        last = _find_last_filled(lines, heading.last, following.first - 1 if following else len(lines))
        above = [*(upper for upper in above if upper.depth < heading.depth), heading]
        body = "\n".join(lines[heading.last : last])
        made.append(Section(headings=tuple(upper.title for upper in above), text=body, first=heading.first, last=last))
    return tuple(made)


def _find_last_filled(lines: list[str], first: int, last: int) -> int:
    """Return the last line between two that is not blank; the first if all are."""
    while last > first and not lines[last - 1].strip():
        last -= 1
    return last
