"""Read the diff of a pull request by git (`git diff-tree`); without git, from the forge's API."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from attrs import evolve, frozen

from stithy_core.spi import (
    Context,
    FileChange,
    Forge,
    Maybe,
    PullRequest,
    StithyError,
    Unknown,
    Unsupported,
    split_diff_sections,
)
from stithy_pulls.conflicts.merge_tree import UNFETCHED
from stithy_pulls.diffs.diff_model import ChangedFile, DiffHunk, DiffLine, LineKind, PullDiff
from stithy_pulls.diffs.diff_range import DiffRange, find_diff_range
from stithy_pulls.git.fetch_sources import create_commit_source, find_head_source
from stithy_pulls.git.git_errors import DamagedCache, GitError, StaleHead
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.ref_fetching import refetch_all_files
from stithy_pulls.git.repository_access import with_repository

if TYPE_CHECKING:
    from unidiff.patch import Hunk as Parsed

HEADER = "--- a/file\n+++ b/file\n"
"""unidiff refuses hunks without a file header, and forges omit it."""

UNREADABLE = "cannot parse its hunks"
KINDS = {kind.value: kind for kind in LineKind}


def parse_hunks(patch: str) -> Maybe[tuple[DiffHunk, ...]]:
    """Parse the hunks of one file: text that begins with `@@`, or the empty text.

    Only a line feed ends a line: a carriage return, a form feed or U+2028 belongs to the line. stithy_archdocs has
    another parser, since it reads what a model wrote: it needs the new side only, and reads as much as it can.

    Returns:
        The hunks; unknown if unidiff cannot parse them.
    """
    if not patch:
        return ()
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    try:
        files = PatchSet(f"{HEADER}{patch}".removesuffix("\n") + "\n")
    except (UnidiffParseError, ValueError, OverflowError) as error:
        return Unknown(f"{UNREADABLE}: {error}", "Read the diff with git.")
    if len(files) != 1:
        return Unknown(UNREADABLE, "Read the diff with git.")
    return tuple(_create_hunk(hunk) for hunk in files[0])


def _create_hunk(parsed: "Parsed") -> DiffHunk:
    return DiffHunk(
        parsed.source_start,
        parsed.source_length,
        parsed.target_start,
        parsed.target_length,
        parsed.section_header.strip(),
        tuple(_create_lines(parsed)),
    )


def _create_lines(parsed: "Parsed") -> Iterator[DiffLine]:
    for line in parsed:
        if (kind := KINDS.get(line.line_type or " ")) is not None:  # None for `\ No newline at end of file`
            text = str(line.value).removesuffix("\n").removesuffix("\r")
            yield DiffLine(kind, text, line.source_line_no, line.target_line_no)


FORGE_STATUSES = {"copied": "added", "changed": "modified", "unchanged": "modified"}
UNASKED = Unknown("the forge returned no diff of the file")


async def read_forge_diff(forge: Forge, pull: PullRequest, fault: StithyError) -> PullDiff:
    """Read the diff from the forge's API, with a note about why git was not used.

    Args:
        forge: The forge.
        pull: The pull request.
        fault: Why git could not answer.
    """
    files = await forge.changes.files(pull.ref, patches=True)
    note = f"Read from the forge's API only: {fault.message}"
    return PullDiff(changes=tuple(map(_map_file, files)), found_by="forge", cut=files.cut, notes=(note,))


def _map_file(file: FileChange) -> ChangedFile:
    hunks = _parse_patch(file.patch)
    return ChangedFile(
        path=file.path,
        status=FORGE_STATUSES.get(file.status, file.status),
        additions=file.additions,
        deletions=file.deletions,
        hunks=hunks,
        previous_path=file.previous_path,
        kind="submodule" if _is_submodule(hunks) else _classify_forge_file(file),
    )


def _parse_patch(patch: Maybe[str] | None) -> Maybe[tuple[DiffHunk, ...]]:
    if patch is None:
        return UNASKED
    return patch if isinstance(patch, Unknown) else parse_hunks(patch)


def _classify_forge_file(file: FileChange) -> str:
    """Return text or binary. A forge counts no line of a binary file, and returns no patch for it."""
    blank = isinstance(file.patch, Unknown) and not file.additions and not file.deletions
    return "binary" if blank and file.status != "renamed" else "text"


def _is_submodule(hunks: Maybe[tuple[DiffHunk, ...]]) -> bool:
    lines = [line for hunk in hunks for line in hunk.lines] if isinstance(hunks, tuple) else []
    return bool(lines) and all(line.text.startswith("Subproject commit ") for line in lines)


ATTRIBUTES = Path(__file__).with_name("functions.gitattributes")
"""Attributes that select git's own function patterns by file name, for the text after `@@`."""

OPTIONS = ("-r", "-M", "--no-color", "--no-ext-diff", "--no-textconv", "--submodule=short", "--no-abbrev")
GIT_STATUSES = {"A": "added", "C": "added", "D": "deleted", "M": "modified", "R": "renamed", "T": "modified"}
MOVED = ("R", "C")
LINK, SUBMODULE = "120000", "160000"
NO_LINES = "-"  # instead of a number for a binary file
BINARY = Unknown("the file is binary", "Open the file itself.")


@frozen
class RawDiffEntry:
    """A file in the output of `--raw`: modes in octal, object ids, a status letter, and one or two paths."""

    modes: tuple[str, str]
    objects: tuple[str, str]
    letter: str
    paths: tuple[str, ...]

    @property
    def sections(self) -> int:
        """The number of sections in the diff. A file that becomes a link, for example, is deleted and added."""
        return 2 if self.letter == "T" else 1


async def read_git_diff(ctx: Context, repository: GitRepository, base: str, head: str) -> PullDiff:
    """Compare two commits by git; missing files are fetched at once.

    Args:
        ctx: The call.
        repository: A repository with both commits.
        base: The merge base.
        head: The head of the pull request.

    Raises:
        GitError: git failed. If only the diff is too large, its hunks are unknown instead.
    """
    words = ("diff-tree", *OPTIONS, base, head)
    fields = await repository.run_lines(
        *words, "--raw", "--numstat", "-z", network=True, time_factor=10, what="compare"
    )
    rows, counts = _parse_raw(fields)
    try:
        command = ("-c", f"core.attributesFile={ATTRIBUTES}", *words, "-p")
        out = (await repository.git(*command, network=True, time_factor=10, what="create the diff")).stdout
    except GitError as fault:
        unwritten = Unknown(fault.message, fault.suggestion)
        return _create_diff(repository, rows, counts, [unwritten] * len(rows))
    return _create_diff(repository, rows, counts, await ctx.thread(_parse_sections, out, rows))


def _parse_raw(fields: Sequence[str]) -> tuple[list[RawDiffEntry], dict[str, tuple[str, str]]]:
    """Parse the output of `--raw --numstat -z`: entries, and added and removed lines by path."""
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


def _parse_sections(out: bytes, rows: Sequence[RawDiffEntry]) -> list[Maybe[tuple[DiffHunk, ...]]]:
    """Return the hunks of each entry. Sections of the diff have the order of the entries."""
    sections = split_diff_sections(out)
    if len(sections) != sum(row.sections for row in rows):
        return [Unknown("git's diff does not have a section for each file")] * len(rows)
    patches = iter([hunks for _, hunks in sections])
    return [_join_patches([next(patches) for _ in range(row.sections)]) for row in rows]


def _join_patches(patches: Sequence[bytes]) -> Maybe[tuple[DiffHunk, ...]]:
    found: list[DiffHunk] = []
    for patch in patches:
        hunks = parse_hunks(patch.decode(errors="replace"))
        if isinstance(hunks, Unknown):
            return hunks
        found += hunks
    return tuple(found)


def _create_diff(
    repository: GitRepository,
    rows: Sequence[RawDiffEntry],
    counts: dict[str, tuple[str, str]],
    patches: Sequence[Maybe[tuple[DiffHunk, ...]]],
) -> PullDiff:
    changes = tuple(_create_files(rows, counts, patches))
    return PullDiff(
        changes=tuple(sorted(changes, key=lambda change: change.path)), found_by="git", notes=tuple(repository.notes)
    )


def _create_files(
    rows: Sequence[RawDiffEntry], counts: dict[str, tuple[str, str]], patches: Sequence[Maybe[tuple[DiffHunk, ...]]]
) -> Iterator[ChangedFile]:
    for row, patch in zip(rows, patches, strict=True):
        added, removed = counts.get(row.paths[-1], ("0", "0"))
        is_binary = added == NO_LINES
        yield ChangedFile(
            path=row.paths[-1],
            status=GIT_STATUSES.get(row.letter, "modified"),
            additions=0 if is_binary else int(added),
            deletions=0 if is_binary else int(removed),
            hunks=BINARY if is_binary else patch,
            previous_path=row.paths[0] if row.letter in MOVED else "",
            kind=_classify_entry(row, is_binary=is_binary),
            old=row.objects[0],
            new=row.objects[1],
        )


def _classify_entry(row: RawDiffEntry, *, is_binary: bool) -> str:
    modes = {mode for mode in row.modes if mode.strip("0")}
    if SUBMODULE in modes:
        return "submodule"
    if modes == {LINK}:
        return "link"
    return "binary" if is_binary else "text"


T = TypeVar("T")


async def read_diff(
    ctx: Context, forge: Forge, pull: PullRequest, more: Callable[[GitRepository, DiffRange, PullDiff], Awaitable[T]]
) -> tuple[PullDiff, Maybe[T]]:
    """Read the diff of a pull request, and run further work with git.

    Args:
        ctx: The call.
        forge: The forge.
        pull: The pull request.
        more: The further work. It may be called twice; its result is unknown if git cannot answer.

    Returns:
        The diff, and the result of `more`.

    Raises:
        StaleHead: The forge is still processing a push.
    """

    async def work(repository: GitRepository) -> tuple[PullDiff, Maybe[T]]:
        ends = await find_diff_range(ctx, repository, pull)
        diff = await _read_with_refetch(ctx, repository, pull, ends)
        try:
            return diff, await more(repository, ends, diff)
        except DamagedCache:
            raise
        except GitError as fault:  # the diff itself is complete
            return diff, Unknown(fault.message, fault.suggestion)

    try:
        return await with_repository(ctx, forge, pull.ref.repository, work)
    except StaleHead:  # the forge's own diff would be of the former head
        raise
    except (GitError, Unsupported) as fault:
        return await read_forge_diff(forge, pull, fault), Unknown(fault.message, fault.suggestion)


async def _read_with_refetch(ctx: Context, repository: GitRepository, pull: PullRequest, ends: DiffRange) -> PullDiff:
    try:
        return await read_git_diff(ctx, repository, ends.merge_base, ends.head)
    except DamagedCache:
        raise
    except GitError as fault:
        if UNFETCHED not in fault.message or not repository.lazy:
            raise
        head = evolve(find_head_source(repository.forge, pull), commit=ends.head)
        await refetch_all_files(ctx, repository, [head, create_commit_source(ends.target)])
        return await read_git_diff(ctx, repository, ends.merge_base, ends.head)
