"""How both sides of a conflict look, in a few numbered lines."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from attrs import frozen

from stithy_pulls.conflicts.conflict_groups import ConflictGroup
from stithy_pulls.conflicts.merge_tree import FileVersion, MergeResult

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


MOST_LINES = 8
MOST_REGIONS = 3
LONGEST = 160
SNIFFED = 8_000
LINK, SUBMODULE, FOLDER = "120000", "160000", "040000"
MARKED = ("content", "add/add", "rename/rename", "directory rename", "rename involved in collision")


TipFiles: TypeAlias = tuple[Mapping[str, FileVersion], Mapping[str, FileVersion]]
"""What both tips have, by path, ours first: files, links and submodules, but no folders."""


@frozen
class ConflictSides:
    """A conflict's three versions: the ancestor where git has it, and both sides as their tips have them.

    Where both sides renamed a file, or one collides with another, git merges what they hold before it is sure of the
    name, and keeps the result, markers included, in the place of a side (git-merge-ort; git ls-files --unmerged).

    Args:
        ancestor: The common one.
        ours: That which is merged into.
        theirs: That which is merged.
        mixed: What git keeps in place of a side of its own making; None where both are the tips'.
    """

    ancestor: FileVersion | None
    ours: FileVersion | None
    theirs: FileVersion | None
    mixed: FileVersion | None = None


@frozen
class ConflictPreview:
    """How the two sides look, and in how many places they conflict."""

    ours: str
    theirs: str
    regions: tuple[tuple[ConflictRegion, ConflictRegion], ...] = ()


def may_be_mixed(merged: MergeResult, path: str) -> bool:
    """Return whether git may keep text of its own making in the place of a side.

    It does so where a rename leads to a path that the other side has as well, and where both sides rename a file.
    Such a path is new: git lists no ancestor there (process_renames in git's merge-ort.c).
    """
    return 1 not in merged.stages.get(path, {1: None})


def find_sides(merged: MergeResult, group: ConflictGroup, tips: TipFiles) -> ConflictSides:
    """Find the versions: of a file that moved they lie at several paths.

    Args:
        merged: What git made of the two.
        group: The conflict.
        tips: What both tips have at those of its paths that `may_be_mixed`.
    """
    ancestor = next((stages[1] for path in group.paths if 1 in (stages := merged.stages.get(path, {}))), None)
    ours, theirs = (_side(merged, group, stage, tip) for stage, tip in zip((2, 3), tips, strict=True))
    mixed = next((kept for kept, own in (ours, theirs) if kept != own), None)
    return ConflictSides(ancestor, ours[1], theirs[1], mixed)


def build_preview(
    group: ConflictGroup, sides: ConflictSides, blobs: Mapping[str, bytes], marked: bytes | None
) -> ConflictPreview:
    """Show both sides.

    Args:
        group: The conflict.
        sides: Its versions.
        blobs: What they hold.
        marked: The file with markers, where git left one.
    """
    texts = [_text(side, blobs) for side in (sides.ours, sides.theirs)]
    if sides.mixed is not None:  # git's text of a file with two names is the file with markers; of a collision it nests
        marked = _text(sides.mixed, blobs) if group.git_type == "rename/rename" else None
    if marked is not None and texts[0] is not None and texts[1] is not None and group.git_type in MARKED:
        found = tuple(locate_regions(marked, texts[0], texts[1]))
        if found:
            return ConflictPreview(_shown([pair[0] for pair in found]), _shown([pair[1] for pair in found]), found)
    ancestor = _text(sides.ancestor, blobs)
    ours, theirs = (_whole(side, blobs, ancestor) for side in (sides.ours, sides.theirs))
    return ConflictPreview(ours, theirs)


def is_binary(content: bytes) -> bool:
    """Say whether git takes a file for binary: it looks for a NUL in its beginning."""
    return b"\0" in content[:SNIFFED]


def _side(
    merged: MergeResult, group: ConflictGroup, stage: int, tip: Mapping[str, FileVersion]
) -> tuple[FileVersion | None, FileVersion | None]:
    """Return what git keeps of a side, and what the side's tip has there.

    A tip has nothing at a path to which git moved its file: what git keeps is then the tip's own, unless both sides
    renamed it, in which case the tip's own is not known. It is the tip's own, too, where it cannot be mixed.
    """
    path = next((path for path in group.paths if stage in merged.stages.get(path, {})), None)
    if path is None:
        return None, None
    kept = merged.stages[path][stage]
    if own := tip.get(path):
        return kept, own
    return kept, kept if group.git_type != "rename/rename" else FileVersion(kept.mode, "")


def _text(side: FileVersion | None, blobs: Mapping[str, bytes]) -> bytes | None:
    """Give what a side holds, where it is a text."""
    if side is None or side.mode in {LINK, SUBMODULE}:
        return None
    content = blobs.get(side.oid)
    return None if content is None or is_binary(content) else content


def _whole(side: FileVersion | None, blobs: Mapping[str, bytes], ancestor: bytes | None) -> str:
    """Show a file from where it first differs from the common ancestor; what is no text is named."""
    if side is None:
        return "(no file on this side)"
    if side.mode == SUBMODULE:
        return f"(submodule at {side.oid})"
    content = blobs.get(side.oid)
    if content is None:
        return "(not read)"
    if side.mode == LINK:
        return f"(symbolic link to {_line(content)})"
    return f"(binary, {len(content):,} bytes)" if is_binary(content) else _changed(content, ancestor or b"")


def _changed(content: bytes, ancestor: bytes) -> str:
    lines, before = split_lines(content), split_lines(ancestor)
    if lines == before:
        return f"(as in the common ancestor, {len(lines):,} lines)"
    pairs = enumerate(zip(lines, before, strict=False))
    begin = next((at for at, (now, then) in pairs if now != then), min(len(lines), len(before)))
    return _shown([ConflictRegion(begin + 1, tuple(lines[begin:]))])


def _shown(found: Sequence[ConflictRegion]) -> str:
    parts = [_region(one) for one in found[:MOST_REGIONS]]
    left = len(found) - MOST_REGIONS
    return "\n".join([*parts, f"… and {left} more places"] if left > 0 else parts)


def _region(region: ConflictRegion) -> str:
    if not region.lines:
        return f"(no lines before line {region.start})"
    rows = [f"{number}: {_line(line)}" for number, line in enumerate(region.lines[:MOST_LINES], region.start)]
    left = len(region.lines) - MOST_LINES
    return "\n".join([*rows, f"… {left:,} more lines"] if left > 0 else rows)


def _line(line: bytes) -> str:
    text = line.decode(errors="replace").removesuffix("\r")
    return f"{text[:LONGEST]}…" if len(text) > LONGEST else text
