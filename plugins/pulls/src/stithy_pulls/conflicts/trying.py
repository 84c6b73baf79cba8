"""Trying a merge of a pull request, with all that must be fetched for it."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from stithy_core.spi import Context, NotFound, PullRequest
from stithy_pulls.conflicts.merging import Merged, Unfetched, merge
from stithy_pulls.git.faults import NoGit
from stithy_pulls.git.fetching import (
    ABSENT_REF,
    Fetched,
    branch_ref,
    fetch,
    fetch_whole,
    head_fault,
    heads_of,
    label_of,
    pull_ref,
)
from stithy_pulls.git.repository import Repository


@frozen
class Attempt:
    """A merge that was tried: its two sides as git calls them here, and the commits of all that was fetched."""

    merged: Merged
    ours: str
    theirs: str
    tips: Mapping[str, str]


async def attempt(
    ctx: Context, repository: Repository, pull: PullRequest, target: str, others: Sequence[PullRequest] = ()
) -> Attempt:
    """Fetch and merge.

    Args:
        ctx: The call.
        repository: The cache.
        pull: The pull request.
        target: The branch it is merged into.
        others: Whose heads are fetched as well, as far as they are there.

    Raises:
        NotFound: There is no branch `target`, which is not the pull request's own base.
        NoGit: Something else could not be fetched.
    """
    base, head = branch_ref(target), pull_ref(pull.ref.number)
    wanted = [base, head, *(pull_ref(other.ref.number) for other in others)]
    fetched = await fetch(ctx, repository, wanted, heads_of([pull, *others]))
    for ref in (base, head):
        if ref not in fetched.tips:
            raise _absent(pull, target, fetched, ref)
    ours, theirs = label_of(base), label_of(head)
    try:
        merged = await merge(repository, ours, theirs)
    except Unfetched:
        await fetch_whole(ctx, repository, fetched.tips)
        merged = await merge(repository, ours, theirs)
    return Attempt(merged, ours, theirs, fetched.tips)


def _absent(pull: PullRequest, target: str, fetched: Fetched, ref: str) -> NotFound | NoGit:
    """Say what is not there: a branch that the caller named is an error, and the rest the API may still know."""
    if ref == branch_ref(target) and target != pull.base.branch:
        text = f"{pull.ref.repository} has no branch {target}"
        return NotFound(text, suggestion="Check target_branch; leave it out for the pull request's own base.")
    if ref != branch_ref(target):
        return head_fault(pull, fetched.missing)
    why = fetched.missing.get(ref, ABSENT_REF)
    return NoGit(
        f"git cannot fetch the branch {target} ({ref}): {why.reason}",
        suggestion="The repository may be empty, or it was deleted.",
    )
