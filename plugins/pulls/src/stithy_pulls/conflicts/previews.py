"""How both sides of a conflict look, in a few numbered lines."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from stithy_pulls.conflicts.grouping import Group
from stithy_pulls.conflicts.merging import Merged, Side
from stithy_pulls.conflicts.regions import Region, lines_of, regions

MOST_LINES = 8
MOST_REGIONS = 3
LONGEST = 160
SNIFFED = 8_000
LINK, SUBMODULE = "120000", "160000"
MARKED = ("content", "add/add", "rename/rename", "directory rename", "rename involved in collision")


@frozen
class Sides:
    """A conflict's three versions, each where git has it."""

    ancestor: Side | None
    ours: Side | None
    theirs: Side | None


@frozen
class Preview:
    """How the two sides look, and in how many places they conflict."""

    ours: str
    theirs: str
    regions: tuple[tuple[Region, Region], ...] = ()


def sides_of(merged: Merged, group: Group) -> Sides:
    """Find the versions: of a file that moved they lie at several paths."""
    found = [_at(merged.stages, group.paths, stage) for stage in (1, 2, 3)]
    return Sides(*found)


def preview(group: Group, sides: Sides, blobs: Mapping[str, bytes], marked: bytes | None) -> Preview:
    """Show both sides.

    Args:
        group: The conflict.
        sides: Its versions.
        blobs: What they hold.
        marked: The file with markers, where git left one.
    """
    texts = [_text(side, blobs) for side in (sides.ours, sides.theirs)]
    if marked is not None and texts[0] is not None and texts[1] is not None and group.git_type in MARKED:
        found = tuple(regions(marked, texts[0], texts[1]))
        if found:
            return Preview(_shown([pair[0] for pair in found]), _shown([pair[1] for pair in found]), found)
    ancestor = _text(sides.ancestor, blobs)
    ours, theirs = (_whole(side, blobs, ancestor) for side in (sides.ours, sides.theirs))
    return Preview(ours, theirs)


def is_binary(content: bytes) -> bool:
    """Say whether git takes a file for binary: it looks for a NUL in its beginning."""
    return b"\0" in content[:SNIFFED]


def _at(stages: Mapping[str, Mapping[int, Side]], paths: Sequence[str], stage: int) -> Side | None:
    return next((stages[path][stage] for path in paths if stage in stages.get(path, ())), None)


def _text(side: Side | None, blobs: Mapping[str, bytes]) -> bytes | None:
    """Give what a side holds, where it is a text."""
    if side is None or side.mode in {LINK, SUBMODULE}:
        return None
    content = blobs.get(side.oid)
    return None if content is None or is_binary(content) else content


def _whole(side: Side | None, blobs: Mapping[str, bytes], ancestor: bytes | None) -> str:
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
    lines, before = lines_of(content), lines_of(ancestor)
    if lines == before:
        return f"(as in the common ancestor, {len(lines):,} lines)"
    pairs = enumerate(zip(lines, before, strict=False))
    begin = next((at for at, (now, then) in pairs if now != then), min(len(lines), len(before)))
    return _shown([Region(begin + 1, tuple(lines[begin:]))])


def _shown(found: Sequence[Region]) -> str:
    parts = [_region(one) for one in found[:MOST_REGIONS]]
    left = len(found) - MOST_REGIONS
    return "\n".join([*parts, f"… and {left} more places"] if left > 0 else parts)


def _region(region: Region) -> str:
    if not region.lines:
        return f"(no lines before line {region.start})"
    rows = [f"{number}: {_line(line)}" for number, line in enumerate(region.lines[:MOST_LINES], region.start)]
    left = len(region.lines) - MOST_LINES
    return "\n".join([*rows, f"… {left:,} more lines"] if left > 0 else rows)


def _line(line: bytes) -> str:
    text = line.decode(errors="replace").removesuffix("\r")
    return f"{text[:LONGEST]}…" if len(text) > LONGEST else text
