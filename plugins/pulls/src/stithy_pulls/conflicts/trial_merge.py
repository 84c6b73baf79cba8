"""Trying a merge of a pull request, with all that must be fetched for it."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from stithy_core.spi import Context, NotFound, PullRequest
from stithy_pulls.conflicts.merge_tree import MergeResult, PartialFetchUnsupported, merge_commits
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.ref_fetching import (
    ABSENT_REF,
    FetchResult,
    branch_ref,
    create_missing_head_error,
    fetch_refs,
    get_open_heads,
    get_side_label,
    pull_ref,
    refetch_all_files,
)


@frozen
class TrialMerge:
    """A merge that was tried: its two sides as git calls them here, and the commits of all that was fetched."""

    merged: MergeResult
    ours: str
    theirs: str
    tips: Mapping[str, str]


async def try_merge(
    ctx: Context, repository: GitRepository, pull: PullRequest, target: str, others: Sequence[PullRequest] = ()
) -> TrialMerge:
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
    fetched = await fetch_refs(ctx, repository, wanted, get_open_heads([pull, *others]))
    for ref in (base, head):
        if ref not in fetched.tips:
            raise _absent(pull, target, fetched, ref)
    ours, theirs = get_side_label(base), get_side_label(head)
    try:
        merged = await merge_commits(repository, ours, theirs)
    except PartialFetchUnsupported:
        await refetch_all_files(ctx, repository, fetched.tips)
        merged = await merge_commits(repository, ours, theirs)
    return TrialMerge(merged, ours, theirs, fetched.tips)


def _absent(pull: PullRequest, target: str, fetched: FetchResult, ref: str) -> NotFound | GitError:
    """Say what is not there: a branch that the caller named is an error, and the rest the API may still know."""
    if ref == branch_ref(target) and target != pull.base.branch:
        text = f"{pull.ref.repository} has no branch {target}"
        return NotFound(text, suggestion="Check target_branch; leave it out for the pull request's own base.")
    if ref != branch_ref(target):
        return create_missing_head_error(pull, fetched.missing)
    why = fetched.missing.get(ref, ABSENT_REF)
    return GitError(
        f"git cannot fetch the branch {target} ({ref}): {why.reason}",
        suggestion="The repository may be empty, or it was deleted.",
    )
