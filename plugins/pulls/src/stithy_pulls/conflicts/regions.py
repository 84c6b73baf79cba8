"""Where in a file a conflict lies on either side."""

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

OPENS = re.compile(rb"(<{7,}) ")  # longer than seven in a file that both sides renamed
MOST_CONTEXT = 50

Lines = Sequence[bytes]


@frozen
class ConflictRegion:
    """Lines of one side that are in conflict: the number of the first, from 1 on, and what they say.

    Where a side has no lines there, `start` is the line before which the other's would stand.
    """

    start: int
    lines: tuple[bytes, ...]


@frozen
class _Block:
    before: Lines
    ours: tuple[bytes, ...]
    theirs: tuple[bytes, ...]
    after: Lines


def locate_regions(merged: bytes, ours: bytes, theirs: bytes) -> list[tuple[ConflictRegion, ConflictRegion]]:
    """Find each conflict of a file on both sides.

    Args:
        merged: The file as git leaves it, with its markers.
        ours: The file on our side.
        theirs: That on theirs.
    """
    found, places = [], [0, 0]
    sides = split_lines(ours), split_lines(theirs)
    for block in _blocks(split_lines(merged)):
        pair = []
        for side, own in enumerate((block.ours, block.theirs)):
            at = _place(sides[side], own, block, places[side])
            places[side] = at + len(own)
            pair.append(ConflictRegion(at + 1, own))
        found.append((pair[0], pair[1]))
    return found


def split_lines(text: bytes) -> list[bytes]:
    """Part a text at its line feeds, as git does."""
    return text.removesuffix(b"\n").split(b"\n") if text else []


def _blocks(lines: Lines) -> Iterator[_Block]:
    """Read the markers; a block that does not end is none."""
    edges = list(_edges(lines))
    for number, (start, middle, end) in enumerate(edges):
        begin = edges[number - 1][2] + 1 if number else 0
        until = edges[number + 1][0] if number + 1 < len(edges) else len(lines)
        ours, theirs = tuple(lines[start + 1 : middle]), tuple(lines[middle + 1 : end])
        yield _Block(lines[begin:start], ours, theirs, lines[end + 1 : until])


def _edges(lines: Lines) -> Iterator[tuple[int, int, int]]:
    start = middle = -1
    size = 0
    for number, line in enumerate(lines):
        if opened := OPENS.match(line):
            start, middle, size = number, -1, len(opened[1])
        elif line == b"=" * size and start >= 0 and middle < 0:
            middle = number
        elif line.startswith(b">" * size + b" ") and middle >= 0:
            yield start, middle, number
            start = middle = -1


def _place(side: Lines, own: Lines, block: _Block, least: int) -> int:
    """Find lines in a side, behind what was found before, where most of what stands around them is the same."""
    last = len(side) - len(own)
    fitting = (at for at in range(least, last + 1) if tuple(side[at : at + len(own)]) == own)
    return max(fitting, key=lambda at: (_alike(side, at, len(own), block), -at), default=least)


def _alike(side: Lines, at: int, length: int, block: _Block) -> int:
    """Count the lines before and behind that are those of the merged file."""
    before = _run(reversed(side[max(0, at - MOST_CONTEXT) : at]), reversed(block.before[-MOST_CONTEXT:]))
    behind = _run(side[at + length : at + length + MOST_CONTEXT], block.after[:MOST_CONTEXT])
    return before + behind


def _run(one: Iterator[bytes] | Lines, other: Iterator[bytes] | Lines) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count
