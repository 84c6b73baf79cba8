"""Parse unified diffs: the lines that a diff adds, with the lines around them."""

import re
from collections.abc import Iterator

from attrs import field, frozen

from stithy_core.spi import unquote_path

_HUNK = re.compile(r"^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@frozen
class DiffHunk:
    """The new side of one hunk.

    Args:
        first: Number of its first line in the new file.
        lines: Its lines.
        added: Numbers of the lines that were added.
    """

    first: int
    lines: list[str] = field(factory=list)
    added: set[int] = field(factory=set)


def iterate_changed_files(diff: str) -> Iterator[tuple[str, list[DiffHunk]]]:
    """Iterate over the paths and hunks of files to which a diff adds lines; deleted files are skipped."""
    for path, body in _split_files(diff):
        hunks = parse_hunks(body)
        if path and path != "/dev/null" and hunks:
            yield path, hunks


def _split_files(diff: str) -> Iterator[tuple[str, list[str]]]:
    """Split a diff at its `+++` lines.

    Hunk headers say how many lines follow. An added line `++ b` also reads `+++ b`, so `+++` counts only outside of
    hunks.
    """
    path, left = "", [0, 0]
    body: list[str] = []
    lines = diff.split("\n")
    for index, line in enumerate(lines):
        following = lines[index + 1] if index + 1 < len(lines) else ""
        if max(left) <= 0 and line.startswith("+++ ") and (following.startswith("@@ ") or not following):
            yield path, body
            path, body = _parse_file_name(line[4:]), []
            continue
        body.append(line)
        if opened := _HUNK.match(line):
            left = [int(opened[1] or 1), int(opened[3] or 1)]
        elif max(left) > 0:
            left[0] -= line[:1] in ("", " ", "-")
            left[1] -= line[:1] in ("", " ", "+")
    yield path, body


def _parse_file_name(text: str) -> str:
    name = text.partition("\t")[0].strip()
    if name.startswith('"') and name.endswith('"'):
        name = unquote_path(name.encode(errors="surrogatepass"))
    return name.removeprefix("b/")


def parse_hunks(lines: list[str]) -> list[DiffHunk]:
    """Parse the hunks of one file; lines outside of hunks are ignored, and a hunk may end early.

    stithy_pulls reads what git wrote, has both sides of each line, and reports a broken hunk as unknown.
    """
    hunks: list[DiffHunk] = []
    old = new = 0
    for line in lines:
        if old <= 0 and new <= 0:
            if opened := _HUNK.match(line):
                old, new = int(opened[1] or 1), int(opened[3] or 1)
                hunks.append(DiffHunk(int(opened[2])))
            continue
        if line[:1] == "\\":
            continue
        hunk = hunks[-1]
        if line[:1] == "+":
            hunk.added.add(hunk.first + len(hunk.lines))
        if line[:1] != "-":
            hunk.lines.append(line[1:].removesuffix("\r"))
            new -= 1
        old -= line[:1] != "+"
    return [hunk for hunk in hunks if hunk.added]
