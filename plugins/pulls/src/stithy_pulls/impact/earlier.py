"""Which files earlier pull requests changed, by git: forges do not let anybody search for that."""

from collections.abc import Iterable, Mapping, Sequence

from stithy_core.spi import Context, PullRequest
from stithy_pulls.git.fetching import fetch_refs, pull_ref
from stithy_pulls.git.history import find_merge_base, list_changed_paths
from stithy_pulls.git.repository import OID, GitRepository

MOST_UNMERGED = 20
START = "\x1e"


async def list_files_of_pulls(
    ctx: Context, repository: GitRepository, target: str, pulls: Sequence[PullRequest]
) -> Mapping[int, frozenset[str]]:
    """Give the files that pull requests changed, by number, as far as git knows them.

    Of a merged one that is what its merge brought to the branch; after a rebase, what its last commit did. Of one that
    was closed, its own ref is fetched, the newest ones' alone.

    Args:
        ctx: The call.
        repository: Which has the branch.
        target: Its tip.
        pulls: The pull requests.
    """
    made = {pull.merge_commit: pull.ref.number for pull in pulls if pull.merged and OID.fullmatch(pull.merge_commit)}
    brought = await _brought(repository, made)
    closed = [pull.ref.number for pull in pulls if not pull.merged][:MOST_UNMERGED]
    return {made[sha]: files for sha, files in brought.items()} | await _wanted(ctx, repository, target, closed)


async def _brought(repository: GitRepository, commits: Iterable[str]) -> dict[str, frozenset[str]]:
    """Give what commits changed against their first parents; those that are not here are left out."""
    here = [oid for oid, kind in (await repository.list_object_types(commits)).items() if kind == "commit"]
    if not here:
        return {}
    words = (
        "log",
        "--no-walk=unsorted",
        "-m",
        "--first-parent",
        "--format=%x1e%H",
        "--name-only",
        "--no-renames",
        "-z",
    )
    fields = await repository.run_lines(*words, *here, what="compare merges")
    found: dict[str, set[str]] = {}
    sha = ""
    for field in fields:
        if field.startswith(START):
            sha = field.removeprefix(START)
        elif path := field.removeprefix("\n"):
            found.setdefault(sha, set()).add(path)
    return {sha: frozenset(paths) for sha, paths in found.items()}


async def _wanted(
    ctx: Context, repository: GitRepository, target: str, numbers: Sequence[int]
) -> dict[int, frozenset[str]]:
    if not numbers:
        return {}
    fetched = await fetch_refs(ctx, repository, [pull_ref(number) for number in numbers])
    found = {}
    for number in numbers:
        head = fetched.tips.get(pull_ref(number), "")
        parted = await find_merge_base(repository, target, head) if head else ""
        if parted:
            found[number] = frozenset(await list_changed_paths(repository, parted, head))
    return found
