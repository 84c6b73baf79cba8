"""Who wrote the lines that a pull request touches, by git blame on the side of the base (git-blame(1))."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from attrs import Factory, frozen

from stithy_core.spi import map_concurrently
from stithy_pulls.diffs.records import ChangedFile, DiffHunk, LineKind
from stithy_pulls.git.faults import GitError
from stithy_pulls.git.history import WITHHELD, list_objects_at
from stithy_pulls.git.repository import OID, GitRepository

MOST_FILES = 25
MOST_RANGES = 1_000
MOST_VERSIONS = 2_000
"""Commits whose files are fetched at once; what blame needs beyond these it fetches one by one."""
MOST_IGNORED = 50
IGNORED = ".git-blame-ignore-revs"
AUTHOR = re.compile(rb"author(?:-mail)? ")
LITERAL = "--literal-pathspecs"


@frozen
class BlameResult:
    """Lines by their authors' mail addresses.

    Args:
        lines: By path, how many touched lines each wrote.
        weights: By path, how many lines count as touched: those of the base that go or change, beside an insertion the
            one it stands behind, and of a new file all.
        names: Of the authors, by their addresses.
        unread: How many files nobody was blamed in, though they were there before.
    """

    lines: Mapping[str, Counter[str]] = Factory(dict)
    weights: Mapping[str, int] = Factory(dict)
    names: Mapping[str, str] = Factory(dict)
    unread: int = 0


async def blame_files(repository: GitRepository, changes: Sequence[ChangedFile], base: str) -> BlameResult:
    """Blame the files with the most touched lines.

    Args:
        repository: Which has the commits.
        changes: The files.
        base: The commit that the pull request left.
    """
    spans = {change.old_path: list_touched_ranges(change) for change in changes if change.status != "added"}
    weights = {change.path: _weight(change, spans.get(change.old_path, ())) for change in changes}
    there = [change for change in changes if spans.get(change.old_path)]
    chosen = sorted(there, key=lambda change: (-weights[change.path], change.path))[:MOST_FILES]
    if not chosen:
        return BlameResult(weights=weights)
    ignored = await _ignored(repository, base)
    await _fetch_versions(repository, base, [change.old_path for change in chosen])
    ask = partial(_blamed, repository, base, ignored)
    found = await map_concurrently(chosen, lambda change: ask(change.old_path, spans[change.old_path]), at_once=2)
    lines = {change.path: authors for change, authors in zip(chosen, found, strict=True) if authors is not None}
    names = {mail: name for authors in lines.values() for mail, name in authors}
    counted = {path: Counter(mail for mail, _ in authors) for path, authors in lines.items()}
    return BlameResult(counted, weights, names, len(there) - len(lines))


def list_touched_ranges(change: ChangedFile) -> tuple[tuple[int, int], ...]:
    """Give the touched lines of the old file, as first and last ones."""
    hunks = change.hunks if isinstance(change.hunks, tuple) else ()
    numbers = sorted({number for hunk in hunks for number in _touched(hunk)})
    spans: list[tuple[int, int]] = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1] = (spans[-1][0], number)
        else:
            spans.append((number, number))
    return tuple(spans)


def _touched(hunk: DiffHunk) -> Iterator[int]:
    """Give the lines that go, and where nothing goes the line that something is put behind, or else before."""
    above, removed = hunk.old_start - 1 if hunk.old_start > 1 else 0, False
    for line in hunk.lines:
        if line.old is not None:
            above, removed = line.old, line.kind is LineKind.REMOVED
            if removed:
                yield line.old
        elif not removed:
            first = next((other.old for other in hunk.lines if other.old is not None), None)
            yield from [above] if above else [first] if first else []


def _weight(change: ChangedFile, spans: Sequence[tuple[int, int]]) -> int:
    return sum(last - first + 1 for first, last in spans) or change.size


async def _ignored(repository: GitRepository, base: str) -> list[str]:
    """Read which commits count for nobody, such as those that only reformat; what is no commit is left out."""
    objects = await list_objects_at(repository, base, [IGNORED])
    text = b"".join((await repository.read_objects(objects.values())).values()).decode(errors="replace")
    named = [line.partition("#")[0].strip() for line in text.splitlines()]
    shas = [sha for sha in named if OID.fullmatch(sha)][:MOST_IGNORED]
    kinds = await repository.list_object_types(shas)
    return [word for sha, kind in kinds.items() if kind == "commit" for word in ("--ignore-rev", sha)]


async def _fetch_versions(repository: GitRepository, base: str, paths: Sequence[str]) -> None:
    """Fetch what the files ever were, in one go: git blame would fetch one after the other."""
    words = (LITERAL, "log", "--format=", "--raw", "--no-abbrev", "--no-renames", "-z", f"-{MOST_VERSIONS}", base)
    fields = await repository.run_lines(*words, "--", *paths, what="list versions")
    rows = [field.split(" ") for field in fields if field.startswith(":")]
    await repository.fetch_missing(oid for row in rows for oid in row[2:4] if oid.strip("0"))


async def _blamed(
    repository: GitRepository, base: str, ignored: Sequence[str], path: str, spans: Sequence[tuple[int, int]]
) -> list[tuple[str, str]] | None:
    """Give the address and the name of each line's author."""
    if len(spans) > MOST_RANGES:
        return None
    ranges = [word for first, last in spans for word in ("-L", f"{first},{last}")]
    try:
        ran = await repository.git(
            "blame", "-w", "--line-porcelain", *ignored, *ranges, base, "--", path, network=True, what="blame"
        )
    except GitError:  # one file less; it is counted as unread
        return None
    told = [line.decode(errors="replace").partition(" ")[2] for line in ran.out.split(b"\n") if AUTHOR.match(line)]
    pairs = zip(told[1::2], told[::2], strict=True)
    return [(mail.strip("<> ").lower(), WITHHELD if repository.remote.lockdown else name) for mail, name in pairs]
