"""Evidence that only git has: blame, code owners, activity, and the files of earlier pull requests."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from attrs import Factory, frozen

from stithy_core.spi import Context, Forge, PullRequest, map_concurrently
from stithy_pulls.code.published_code import read_exports
from stithy_pulls.code.touched_definitions import TouchedCode, compare_definitions, read_versions, select_parsable
from stithy_pulls.diffs.diff_model import ChangedFile, DiffHunk, LineKind, PullDiff
from stithy_pulls.diffs.diff_range import DiffRange
from stithy_pulls.facts.fact_rules import select_whole_files
from stithy_pulls.git.fetch_sources import create_branch_source, find_head_source, get_head_label
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.git.git_repository import OID, GitRepository
from stithy_pulls.git.path_history import (
    WITHHELD,
    find_merge_base,
    list_all_paths,
    list_changed_paths,
    list_objects_at,
    split_raw_log,
)
from stithy_pulls.git.ref_fetching import fetch_refs
from stithy_pulls.impact.branch_activity import BranchActivity, read_activity
from stithy_pulls.impact.merge_decisions import MergeDecision, read_decisions
from stithy_pulls.impact.reverted_files import FileHistory, read_file_history
from stithy_pulls.owners.code_owners import CodeOwners, FileOwnership, resolve_ownership
from stithy_pulls.owners.owners_file import read_code_owners

MOST_FILES = 25
MOST_RANGES = 1_000
MOST_VERSIONS = 2_000
"""Commits whose files are fetched at once; git blame fetches further ones one by one."""
MOST_IGNORED = 50
IGNORED = ".git-blame-ignore-revs"
AUTHOR = re.compile(rb"author(?:-mail)? ")
LITERAL = "--literal-pathspecs"


@frozen
class BlameResult:
    """The authors of changed lines, by mail address.

    Args:
        lines: By path, the number of changed lines of each author.
        weights: By path, how many lines count as changed: removed or changed lines of the base, the line before
            an insertion, and all lines of a new file.
        names: The names of the authors, by address.
        unread: How many existing files have no blame.
    """

    lines: Mapping[str, Counter[str]] = Factory(dict)
    weights: Mapping[str, int] = Factory(dict)
    names: Mapping[str, str] = Factory(dict)
    unread: int = 0


async def blame_files(repository: GitRepository, changes: Sequence[ChangedFile], base: str) -> BlameResult:
    """Blame the files with the most changed lines (https://git-scm.com/docs/git-blame).

    Args:
        repository: A repository with the commits.
        changes: The files.
        base: The merge base.
    """
    spans = {change.old_path: list_touched_ranges(change) for change in changes if change.status != "added"}
    weights = {change.path: _count_weight(change, spans.get(change.old_path, ())) for change in changes}
    there = [change for change in changes if spans.get(change.old_path)]
    chosen = sorted(there, key=lambda change: (-weights[change.path], change.path))[:MOST_FILES]
    if not chosen:
        return BlameResult(weights=weights)
    ignored = await _read_ignored_revisions(repository, base)
    await _fetch_versions(repository, base, [change.old_path for change in chosen])
    ask = partial(_blame_lines, repository, base, ignored)
    found = await map_concurrently(chosen, lambda change: ask(change.old_path, spans[change.old_path]), at_once=2)
    lines = {change.path: authors for change, authors in zip(chosen, found, strict=True) if authors is not None}
    names = {mail: name for authors in lines.values() for mail, name in authors}
    counted = {path: Counter(mail for mail, _ in authors) for path, authors in lines.items()}
    return BlameResult(counted, weights, names, len(there) - len(lines))


def list_touched_ranges(change: ChangedFile) -> tuple[tuple[int, int], ...]:
    """Return the changed lines of the old file as ranges (first, last)."""
    hunks = change.hunks if isinstance(change.hunks, tuple) else ()
    numbers = sorted({number for hunk in hunks for number in _list_touched(hunk)})
    spans: list[tuple[int, int]] = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1] = (spans[-1][0], number)
        else:
            spans.append((number, number))
    return tuple(spans)


def _list_touched(hunk: DiffHunk) -> Iterator[int]:
    """Yield the removed lines; for a pure insertion, the line before it, or else the line after it."""
    above, removed = hunk.old_start - 1 if hunk.old_start > 1 else 0, False
    for line in hunk.lines:
        if line.old is not None:
            above, removed = line.old, line.kind is LineKind.REMOVED
            if removed:
                yield line.old
        elif not removed:
            first = next((other.old for other in hunk.lines if other.old is not None), None)
            yield from [above] if above else [first] if first else []


def _count_weight(change: ChangedFile, spans: Sequence[tuple[int, int]]) -> int:
    return sum(last - first + 1 for first, last in spans) or change.size


async def _read_ignored_revisions(repository: GitRepository, base: str) -> list[str]:
    """Return the options for commits to ignore, such as reformatting. Entries that are not commits are skipped."""
    objects = await list_objects_at(repository, base, [IGNORED])
    text = b"".join((await repository.read_objects(objects.values())).values()).decode(errors="replace")
    named = [line.partition("#")[0].strip() for line in text.splitlines()]
    shas = [sha for sha in named if OID.fullmatch(sha)][:MOST_IGNORED]
    kinds = await repository.list_object_types(shas)
    return [word for sha, kind in kinds.items() if kind == "commit" for word in ("--ignore-rev", sha)]


async def _fetch_versions(repository: GitRepository, base: str, paths: Sequence[str]) -> None:
    """Fetch all earlier versions of the files at once: git blame would fetch one after the other."""
    words = (LITERAL, "log", "--format=", "--raw", "--no-abbrev", "--no-renames", "-z", f"-{MOST_VERSIONS}", base)
    fields = await repository.run_lines(*words, "--", *paths, what="list versions")
    rows = [field.split(" ") for field in fields if field.startswith(":")]
    await repository.fetch_missing(oid for row in rows for oid in row[2:4] if oid.strip("0"))


async def _blame_lines(
    repository: GitRepository, base: str, ignored: Sequence[str], path: str, spans: Sequence[tuple[int, int]]
) -> list[tuple[str, str]] | None:
    """Return the address and the name of each line's author; None if the file cannot be blamed."""
    if len(spans) > MOST_RANGES:
        return None
    ranges = [word for first, last in spans for word in ("-L", f"{first},{last}")]
    try:
        output = await repository.git(
            "blame", "-w", "--line-porcelain", *ignored, *ranges, base, "--", path, network=True, what="blame"
        )
    except GitError:  # the file is counted as unread
        return None
    fields = [
        line.decode(errors="replace").partition(" ")[2] for line in output.stdout.split(b"\n") if AUTHOR.match(line)
    ]
    pairs = zip(fields[1::2], fields[::2], strict=True)
    return [(mail.strip("<> ").lower(), WITHHELD if repository.remote.lockdown else name) for mail, name in pairs]


MOST_UNMERGED = 20


async def list_files_of_pulls(
    ctx: Context, repository: GitRepository, target: str, pulls: Sequence[PullRequest]
) -> Mapping[int, frozenset[str]]:
    """Return the files that pull requests changed, by number, as far as git knows them.

    For a merged pull request these are the changes of its merge commit; after a rebase, of its last commit. For closed
    pull requests the head is fetched, but only for the newest ones.

    Args:
        ctx: The call.
        repository: A repository with the branch.
        target: The tip of the branch.
        pulls: The pull requests.
    """
    numbers = {pull.merge_commit: pull.ref.number for pull in pulls if pull.merged and OID.fullmatch(pull.merge_commit)}
    merged = await _list_files_of_merges(repository, numbers)
    closed = [pull for pull in pulls if not pull.merged][:MOST_UNMERGED]
    return {numbers[sha]: files for sha, files in merged.items()} | await _list_files_of_closed(
        ctx, repository, target, closed
    )


async def _list_files_of_merges(repository: GitRepository, commits: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return the files that commits changed against their first parents. Commits that are not local are omitted."""
    here = [oid for oid, kind in (await repository.list_object_types(commits)).items() if kind == "commit"]
    if not here:
        return {}
    words = (
        "log",
        "--no-walk=unsorted",
        "-m",
        "--first-parent",
        "--format=%x1e%H",
        "--raw",
        "--no-renames",
        "-z",
    )
    fields = await repository.run_lines(*words, *here, what="compare merges")
    return {sha: frozenset(path for _, path in rows) for sha, rows in split_raw_log(fields) if rows}


async def _list_files_of_closed(
    ctx: Context, repository: GitRepository, target: str, pulls: Sequence[PullRequest]
) -> dict[int, frozenset[str]]:
    if not pulls:
        return {}
    fetched = await fetch_refs(ctx, repository, [find_head_source(repository.forge, pull) for pull in pulls])
    found = {}
    for pull in pulls:
        head = fetched.tips.get(get_head_label(pull), "")
        parted = await find_merge_base(repository, target, head) if head else ""
        if parted:
            found[pull.ref.number] = frozenset(await list_changed_paths(repository, parted, head))
    return found


@frozen(kw_only=True)
class ImpactEvidence:
    """Evidence from git.

    Args:
        ends: The commits of the diff.
        owned: The owners of the files.
        blame: The authors of the changed lines.
        activity: The activity on the base branch.
        history: What happened lately to the changed code on the base branch.
        decisions: Who merged and reviewed the latest changes of the base branch, newest first.
        earlier: By number, the files that earlier pull requests changed.
        paths: The paths of all files of the head.
        code: The changed definitions.
        writers: The authors of its own commits: their names, by mail address.
    """

    ends: DiffRange
    owned: FileOwnership
    blame: BlameResult
    activity: BranchActivity
    history: FileHistory = Factory(FileHistory)
    decisions: tuple[MergeDecision, ...] = ()
    earlier: Mapping[int, frozenset[str]] = Factory(dict)
    paths: tuple[str, ...] = ()
    code: TouchedCode
    writers: Mapping[str, str] = Factory(dict)


@frozen
class ImpactRequest:
    """The subject of the analysis: the call, the forge, the pull request, and earlier pull requests."""

    ctx: Context
    forge: Forge
    pull: PullRequest
    earlier: Sequence[PullRequest]


async def gather_evidence(
    request: ImpactRequest, repository: GitRepository, ends: DiffRange, diff: PullDiff
) -> ImpactEvidence:
    """Read all evidence with git.

    Args:
        request: The subject.
        repository: A repository with both ends.
        ends: The commits of the diff.
        diff: The diff.
    """
    ctx = request.ctx
    paths = [change.path for change in diff.changes]
    parsed = select_parsable(diff.changes)
    owners = await _read_owners(request, repository, ends)
    return ImpactEvidence(
        ends=ends,
        owned=await ctx.thread(resolve_ownership, owners, paths),
        blame=await blame_files(repository, diff.changes, ends.merge_base),
        activity=await read_activity(repository, ends.target, request.forge.now()),
        history=await read_file_history(repository, ends.merge_base, diff.changes, request.forge.now()),
        decisions=await read_decisions(repository, ends.target),
        earlier=await list_files_of_pulls(ctx, repository, ends.target, request.earlier),
        paths=await list_all_paths(repository, ends.head),
        code=await ctx.thread(
            compare_definitions,
            parsed,
            await read_versions(repository, parsed, select_whole_files(diff.changes)),
            await read_exports(repository, ends.merge_base, parsed),
        ),
        writers=await list_writers(repository, ends),
    )


async def list_writers(repository: GitRepository, ends: DiffRange) -> dict[str, str]:
    """Return the names of those who wrote the commits that only the head has, by mail address."""
    words = ("log", "--no-merges", "--format=%ae%n%an", "-z", f"{ends.target}..{ends.head}")
    rows = [row.split("\n", 1) for row in await repository.run_lines(*words, what="list commits")]
    return {mail.lower(): WITHHELD if repository.remote.lockdown else name for mail, name in rows}


async def _read_owners(request: ImpactRequest, repository: GitRepository, ends: DiffRange) -> CodeOwners:
    """Read the code owners from the branch that the forge uses."""
    forge, pull = request.forge, request.pull
    file = await forge.owners_file()
    default = (await forge.changes.repository(pull.ref.repository)).default_branch if file.of_default else ""
    if default in ("", pull.base.branch):
        return await read_code_owners(repository, file, ends.target)
    source = create_branch_source(default)
    tips = (await fetch_refs(request.ctx, repository, [source])).tips
    return await read_code_owners(repository, file, tips[source.label]) if source.label in tips else CodeOwners()
