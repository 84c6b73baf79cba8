"""Numbered lines of both sides of a conflict, and where in each file the conflict is."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from attrs import frozen

from stithy_pulls.conflicts.conflict_groups import ConflictGroup
from stithy_pulls.conflicts.merge_tree import FileVersion, MergeResult

OPENS = re.compile(rb"(<{7,}) ")  # git uses longer markers in a file that both sides renamed
MOST_CONTEXT = 50

Lines = Sequence[bytes]


@frozen
class ConflictRegion:
    """Lines of one side that are in conflict: the number of the first line, from 1, and the lines.

    If a side has no lines there, `start` is the line before which the other side's lines would be inserted.
    """

    start: int
    lines: tuple[bytes, ...]


@frozen
class _MarkedBlock:
    before: Lines
    ours: tuple[bytes, ...]
    theirs: tuple[bytes, ...]
    after: Lines


def locate_regions(merged: bytes, ours: bytes, theirs: bytes) -> list[tuple[ConflictRegion, ConflictRegion]]:
    """Find each conflict of a file in both versions.

    Args:
        merged: The file with git's conflict markers.
        ours: The file on our side.
        theirs: The file on their side.

    Returns:
        A pair of regions (ours, theirs) for each conflict.
    """
    found, places = [], [0, 0]
    sides = split_lines(ours), split_lines(theirs)
    for block in _parse_blocks(split_lines(merged)):
        pair = []
        for side, own in enumerate((block.ours, block.theirs)):
            at = _locate(sides[side], own, block, places[side])
            places[side] = at + len(own)
            pair.append(ConflictRegion(at + 1, own))
        found.append((pair[0], pair[1]))
    return found


def split_lines(text: bytes) -> list[bytes]:
    """Split a text at line feeds, as git does."""
    return text.removesuffix(b"\n").split(b"\n") if text else []


def _parse_blocks(lines: Lines) -> Iterator[_MarkedBlock]:
    """Yield the complete blocks of conflict markers; a block without an end marker is ignored."""
    edges = list(_find_markers(lines))
    for number, (start, middle, end) in enumerate(edges):
        begin = edges[number - 1][2] + 1 if number else 0
        until = edges[number + 1][0] if number + 1 < len(edges) else len(lines)
        ours, theirs = tuple(lines[start + 1 : middle]), tuple(lines[middle + 1 : end])
        yield _MarkedBlock(lines[begin:start], ours, theirs, lines[end + 1 : until])


def _find_markers(lines: Lines) -> Iterator[tuple[int, int, int]]:
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


def _locate(side: Lines, own: Lines, block: _MarkedBlock, least: int) -> int:
    """Return the index of lines in a side, not before `least`, where the surrounding lines match best."""
    last = len(side) - len(own)
    fitting = (at for at in range(least, last + 1) if tuple(side[at : at + len(own)]) == own)
    return max(fitting, key=lambda at: (_count_matching_context(side, at, len(own), block), -at), default=least)


def _count_matching_context(side: Lines, at: int, length: int, block: _MarkedBlock) -> int:
    """Count the adjacent lines before and after that equal those of the merged file."""
    before = _count_equal_prefix(reversed(side[max(0, at - MOST_CONTEXT) : at]), reversed(block.before[-MOST_CONTEXT:]))
    behind = _count_equal_prefix(side[at + length : at + length + MOST_CONTEXT], block.after[:MOST_CONTEXT])
    return before + behind


def _count_equal_prefix(one: Iterator[bytes] | Lines, other: Iterator[bytes] | Lines) -> int:
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
"""The files of both branch tips by path, ours first: files, links and submodules, without folders."""


@frozen
class ConflictSides:
    """The versions of a file in conflict: the common ancestor's, and each side's as its branch tip has it.

    If both sides renamed a file, or a renamed file collides with another one, git merges the contents before it decides
    on the name. It then stores the merged text, including markers, in place of a side's version (git-merge-ort).

    Args:
        ancestor: The version of the common ancestor.
        ours: The version of the side that is merged into.
        theirs: The version of the side that is merged.
        mixed: The merged text that git stored in place of a side; None if both versions are those of the tips.
    """

    ancestor: FileVersion | None
    ours: FileVersion | None
    theirs: FileVersion | None
    mixed: FileVersion | None = None


@frozen
class ConflictPreview:
    """The preview of both sides, and the regions in conflict as pairs (ours, theirs)."""

    ours: str
    theirs: str
    regions: tuple[tuple[ConflictRegion, ConflictRegion], ...] = ()


def may_be_mixed(merged: MergeResult, path: str) -> bool:
    """Return whether git may have stored merged text in place of a side's version.

    Git does so if a rename leads to a path that the other side has, too, and if both sides rename a file. Such a path
    is new: git lists no ancestor for it (process_renames in git's merge-ort.c).
    """
    return 1 not in merged.stages.get(path, {1: None})


def find_sides(merged: MergeResult, group: ConflictGroup, tips: TipFiles) -> ConflictSides:
    """Return the versions of a conflict; for a moved file they are at several paths.

    Args:
        merged: The merge.
        group: The conflict.
        tips: The files of both tips at those paths of the conflict that `may_be_mixed`.
    """
    ancestor = next((stages[1] for path in group.paths if 1 in (stages := merged.stages.get(path, {}))), None)
    ours, theirs = (_find_side(merged, group, stage, tip) for stage, tip in zip((2, 3), tips, strict=True))
    mixed = next((kept for kept, own in (ours, theirs) if kept != own), None)
    return ConflictSides(ancestor, ours[1], theirs[1], mixed)


def build_preview(
    group: ConflictGroup, sides: ConflictSides, blobs: Mapping[str, bytes], marked: bytes | None
) -> ConflictPreview:
    """Return the preview of both sides.

    Args:
        group: The conflict.
        sides: Its versions.
        blobs: The bytes of each object, by object id.
        marked: The file with conflict markers; None without one.
    """
    texts = [_get_text(side, blobs) for side in (sides.ours, sides.theirs)]
    if sides.mixed is not None:  # for rename/rename the merged text has simple markers; for a collision they are nested
        marked = _get_text(sides.mixed, blobs) if group.git_type == "rename/rename" else None
    if marked is not None and texts[0] is not None and texts[1] is not None and group.git_type in MARKED:
        found = tuple(locate_regions(marked, texts[0], texts[1]))
        if found:
            return ConflictPreview(
                _format_regions([pair[0] for pair in found]), _format_regions([pair[1] for pair in found]), found
            )
    ancestor = _get_text(sides.ancestor, blobs)
    ours, theirs = (_preview_file(side, blobs, ancestor) for side in (sides.ours, sides.theirs))
    return ConflictPreview(ours, theirs)


def is_binary(content: bytes) -> bool:
    """Return whether git treats a file as binary: whether its first 8,000 bytes contain NUL."""
    return b"\0" in content[:SNIFFED]


def _find_side(
    merged: MergeResult, group: ConflictGroup, stage: int, tip: Mapping[str, FileVersion]
) -> tuple[FileVersion | None, FileVersion | None]:
    """Return the version that git stored for a side, and the version of the side's branch tip.

    A tip has no file at a path to which git moved the file. The stored version is then the tip's own, unless both sides
    renamed the file: then the tip's version is unknown. If a path cannot be mixed, both versions are the same.
    """
    path = next((path for path in group.paths if stage in merged.stages.get(path, {})), None)
    if path is None:
        return None, None
    kept = merged.stages[path][stage]
    if own := tip.get(path):
        return kept, own
    return kept, kept if group.git_type != "rename/rename" else FileVersion(kept.mode, "")


def _get_text(side: FileVersion | None, blobs: Mapping[str, bytes]) -> bytes | None:
    """Return the contents of a side's version; None if it is not a text file."""
    if side is None or side.mode in {LINK, SUBMODULE}:
        return None
    content = blobs.get(side.oid)
    return None if content is None or is_binary(content) else content


def _preview_file(side: FileVersion | None, blobs: Mapping[str, bytes], ancestor: bytes | None) -> str:
    """Return the file from its first difference from the common ancestor, or what it is if it is not text."""
    if side is None:
        return "(no file on this side)"
    if side.mode == SUBMODULE:
        return f"(submodule at {side.oid})"
    content = blobs.get(side.oid)
    if content is None:
        return "(not read)"
    if side.mode == LINK:
        return f"(symbolic link to {_format_line(content)})"
    return f"(binary, {len(content):,} bytes)" if is_binary(content) else _preview_difference(content, ancestor or b"")


def _preview_difference(content: bytes, ancestor: bytes) -> str:
    lines, before = split_lines(content), split_lines(ancestor)
    if lines == before:
        return f"(as in the common ancestor, {len(lines):,} lines)"
    pairs = enumerate(zip(lines, before, strict=False))
    begin = next((at for at, (now, then) in pairs if now != then), min(len(lines), len(before)))
    return _format_regions([ConflictRegion(begin + 1, tuple(lines[begin:]))])


def _format_regions(found: Sequence[ConflictRegion]) -> str:
    parts = [_format_region(one) for one in found[:MOST_REGIONS]]
    left = len(found) - MOST_REGIONS
    return "\n".join([*parts, f"… and {left} more places"] if left > 0 else parts)


def _format_region(region: ConflictRegion) -> str:
    if not region.lines:
        return f"(no lines before line {region.start})"
    rows = [f"{number}: {_format_line(line)}" for number, line in enumerate(region.lines[:MOST_LINES], region.start)]
    left = len(region.lines) - MOST_LINES
    return "\n".join([*rows, f"… {left:,} more lines"] if left > 0 else rows)


def _format_line(line: bytes) -> str:
    text = line.decode(errors="replace").removesuffix("\r")
    return f"{text[:LONGEST]}…" if len(text) > LONGEST else text
