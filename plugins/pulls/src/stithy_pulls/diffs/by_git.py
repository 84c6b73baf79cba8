"""What changed, as git tells it (git-diff-tree(1)): no forge cuts it, and no attribute of the repository changes it."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from attrs import frozen

from stithy_core.spi import Context, Maybe, Unknown
from stithy_pulls.diffs.hunks import parse_hunks
from stithy_pulls.diffs.records import ChangedFile, DiffHunk, PullDiff
from stithy_pulls.git.faults import GitError
from stithy_pulls.git.repository import GitRepository

ATTRIBUTES = Path(__file__).with_name("functions.gitattributes")
"""Which of git's own patterns find the beginning of a function, by the name of the file."""

OPTIONS = ("-r", "-M", "--no-color", "--no-ext-diff", "--no-textconv", "--submodule=short", "--no-abbrev")
STATUSES = {"A": "added", "C": "added", "D": "deleted", "M": "modified", "R": "renamed", "T": "modified"}
MOVED = ("R", "C")
LINK, SUBMODULE = "120000", "160000"
SECTION = re.compile(rb"^diff --git ", re.MULTILINE)
BEGIN = re.compile(rb"^@@ ", re.MULTILINE)
NO_LINES = "-"  # in the place of a number, of a binary file
BINARY = Unknown("the file is binary", "Look at the file itself.")


@frozen
class RawDiffEntry:
    """A file as `--raw` tells of it: modes in octal, objects, a letter, and one path or two."""

    modes: tuple[str, str]
    objects: tuple[str, str]
    letter: str
    paths: tuple[str, ...]

    @property
    def sections(self) -> int:
        """How many sections the diff has for it: what becomes a link, say, is deleted and added."""
        return 2 if self.letter == "T" else 1


async def read_git_diff(ctx: Context, repository: GitRepository, base: str, head: str) -> PullDiff:
    """Let git compare two commits; the files that it needs are fetched in one go.

    Args:
        ctx: The call.
        repository: Which has both.
        base: Where the two parted.
        head: What is to be merged.

    Raises:
        NoGit: It could not; where the diff alone is too large, its hunks are unknown instead.
    """
    words = ("diff-tree", *OPTIONS, base, head)
    fields = await repository.run_lines(*words, "--raw", "--numstat", "-z", network=True, times=10, what="compare")
    rows, counts = _read(fields)
    try:
        told = ("-c", f"core.attributesFile={ATTRIBUTES}", *words, "-p")
        out = (await repository.git(*told, network=True, times=10, what="write the diff")).out
    except GitError as fault:
        unwritten = Unknown(fault.message, fault.suggestion)
        return _diff(repository, rows, counts, [unwritten] * len(rows))
    return _diff(repository, rows, counts, await ctx.thread(_patches, out, rows))


def _read(fields: Sequence[str]) -> tuple[list[RawDiffEntry], dict[str, tuple[str, str]]]:
    """Read both lists: rows that begin with a colon, and numbers of lines by path."""
    rows, counts, rest = [], {}, iter(fields)
    for field in rest:
        if field.startswith(":"):
            old, new, before, now, word = field[1:].split(" ")
            paths = tuple(next(rest) for _ in range(1 + word.startswith(MOVED)))
            rows.append(RawDiffEntry((old, new), (before, now), word[0], paths))
        else:
            added, removed, path = field.split("\t", 2)
            counts[path or [next(rest), next(rest)][1]] = (added, removed)
    return rows, counts


def _patches(out: bytes, rows: Sequence[RawDiffEntry]) -> list[Maybe[tuple[DiffHunk, ...]]]:
    """Give the hunks of each row, in the order of the rows, which is also that of the diff's sections."""
    edges = [*(found.start() for found in SECTION.finditer(out)), len(out)]
    sections = iter([out[start:end] for start, end in pairwise(edges)])
    if len(edges) - 1 != sum(row.sections for row in rows):
        return [Unknown("git's diff does not have a section for each file")] * len(rows)
    return [_joined([next(sections) for _ in range(row.sections)]) for row in rows]


def _joined(sections: Sequence[bytes]) -> Maybe[tuple[DiffHunk, ...]]:
    found: list[DiffHunk] = []
    for section in sections:
        begin = BEGIN.search(section)
        hunks = parse_hunks(section[begin.start() :].decode(errors="replace") if begin else "")
        if isinstance(hunks, Unknown):
            return hunks
        found += hunks
    return tuple(found)


def _diff(
    repository: GitRepository,
    rows: Sequence[RawDiffEntry],
    counts: dict[str, tuple[str, str]],
    patches: Sequence[Maybe[tuple[DiffHunk, ...]]],
) -> PullDiff:
    changes = tuple(_changes(rows, counts, patches))
    return PullDiff(
        changes=tuple(sorted(changes, key=lambda change: change.path)), found_by="git", notes=tuple(repository.notes)
    )


def _changes(
    rows: Sequence[RawDiffEntry], counts: dict[str, tuple[str, str]], patches: Sequence[Maybe[tuple[DiffHunk, ...]]]
) -> Iterator[ChangedFile]:
    for row, patch in zip(rows, patches, strict=True):
        added, removed = counts.get(row.paths[-1], ("0", "0"))
        is_binary = added == NO_LINES
        yield ChangedFile(
            path=row.paths[-1],
            status=STATUSES.get(row.letter, "modified"),
            additions=0 if is_binary else int(added),
            deletions=0 if is_binary else int(removed),
            hunks=BINARY if is_binary else patch,
            previous_path=row.paths[0] if row.letter in MOVED else "",
            kind=_kind(row, is_binary=is_binary),
            old=row.objects[0],
            new=row.objects[1],
        )


def _kind(row: RawDiffEntry, *, is_binary: bool) -> str:
    modes = {mode for mode in row.modes if mode.strip("0")}
    if SUBMODULE in modes:
        return "submodule"
    if modes == {LINK}:
        return "link"
    return "binary" if is_binary else "text"
