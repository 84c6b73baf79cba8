"""Other open pull requests that touch the same files."""

from collections.abc import Sequence

from attrs import frozen

from stithy_core.spi import Context, Forge, Listing, PullRequest, Unknown
from stithy_pulls.conflicts.grouping import group_messages
from stithy_pulls.conflicts.merging import PartialFetchUnsupported, merge_commits
from stithy_pulls.conflicts.results import NeighbourVerdict
from stithy_pulls.git.faults import GitError
from stithy_pulls.git.fetching import get_side_label, pull_ref
from stithy_pulls.git.history import find_merge_base, list_changed_paths
from stithy_pulls.git.repository import GitRepository

MOST = 100
MOST_FILES = 3


@frozen
class OpenNeighbours:
    """The other open pull requests of a repository, and why there are more."""

    pulls: Sequence[PullRequest] = ()
    cut: str = ""


async def list_neighbours(forge: Forge, pull: PullRequest) -> OpenNeighbours:
    """List the other open pull requests."""
    found: Listing[PullRequest] = await forge.pull_requests.list(pull.ref.repository, state="open", most=MOST + 1)
    others = [one for one in found if one.ref.number != pull.ref.number][:MOST]
    return OpenNeighbours(others, found.cut)


async def compare_neighbours(
    ctx: Context, repository: GitRepository, pull: PullRequest, base: str, others: Sequence[PullRequest]
) -> list[NeighbourVerdict]:
    """Try each that touches a file of this one against it; those with conflicts come first.

    Args:
        ctx: The call.
        repository: Where all heads are.
        pull: This one.
        base: The ref into which it goes.
        others: The others, whose heads were fetched.
    """
    if not others:
        return []
    head = get_side_label(pull_ref(pull.ref.number))
    own = await _files(repository, base, head)
    rows = []
    for done, other in enumerate(others):
        await ctx.progress(done, len(others), f"trying {other.ref}")
        label = get_side_label(pull_ref(other.ref.number))
        if shared := own & await _files(repository, base, label):
            rows.append(await _tried(repository, other, head, label, sorted(shared)))
    return sorted(rows, key=lambda row: row.has_conflicts is False)


async def _files(repository: GitRepository, base: str, head: str) -> set[str]:
    parted = await find_merge_base(repository, base, head)
    return await list_changed_paths(repository, parted, head) if parted else set()


async def _tried(repository: GitRepository, other: PullRequest, ours: str, theirs: str, shared: Sequence[str]) -> NeighbourVerdict:
    try:
        merged = await merge_commits(repository, ours, theirs)
    except GitError as error:
        return _row(other, Unknown(error.message, error.suggestion), shared, ())
    except PartialFetchUnsupported:
        return _row(other, Unknown("the server gives no single files"), shared, ())
    if merged.refused:
        return _row(other, Unknown(merged.refused), shared, ())
    paths = tuple(dict.fromkeys(path for group in group_messages(merged) for path in group.paths))
    return _row(other, not merged.clean, shared, paths)


def _row(other: PullRequest, verdict: bool | Unknown, shared: Sequence[str], paths: Sequence[str]) -> NeighbourVerdict:  # noqa: FBT001 -- a value, not a switch
    return NeighbourVerdict(
        pr=str(other.ref),
        title=other.title,
        has_conflicts=verdict,
        shared_files=tuple(shared[:MOST_FILES]),
        shared_count=len(shared),
        conflicting_files=tuple(paths[:MOST_FILES]),
        conflicting_count=len(paths),
    )
