"""Try the merge of a pull request: fetch what it needs, and merge without a working tree."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from stithy_core.spi import Context, NotFound, PullRequest
from stithy_pulls.conflicts.merge_tree import MergeResult, PartialFetchUnsupported, merge_commits
from stithy_pulls.git.fetch_sources import (
    ABSENT_REF,
    create_branch_source,
    create_missing_head_error,
    find_head_source,
    get_branch_label,
    pin_commits,
)
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.ref_fetching import FetchResult, fetch_refs, refetch_all_files


@frozen
class TrialMerge:
    """A merge that was tried.

    Args:
        merged: The result.
        ours: The local name of the side that is merged into.
        theirs: The local name of the side that is merged.
        tips: The SHA of each fetched branch and head, by label.
    """

    merged: MergeResult
    ours: str
    theirs: str
    tips: Mapping[str, str]


async def try_merge(
    ctx: Context, repository: GitRepository, pull: PullRequest, target: str, others: Sequence[PullRequest] = ()
) -> TrialMerge:
    """Fetch both sides of a pull request, and merge them.

    Args:
        ctx: The call.
        repository: The cached repository.
        pull: The pull request.
        target: The branch to merge into.
        others: Further pull requests whose heads are fetched as far as they exist.

    Raises:
        NotFound: The branch `target` does not exist, and is not the pull request's own base.
        GitError: Another ref could not be fetched.
    """
    base, head = create_branch_source(target), find_head_source(repository.forge, pull)
    sources = [base, head, *(find_head_source(repository.forge, other) for other in others)]
    fetched = await fetch_refs(ctx, repository, sources)
    for side in (base, head):
        if side.label not in fetched.tips:
            raise _create_missing_ref_error(pull, target, fetched, side.label)
    ours, theirs = base.label, head.label
    try:
        merged = await merge_commits(repository, ours, theirs)
    except PartialFetchUnsupported:
        await refetch_all_files(ctx, repository, pin_commits(sources, fetched.tips))
        merged = await merge_commits(repository, ours, theirs)
    return TrialMerge(merged, ours, theirs, fetched.tips)


def _create_missing_ref_error(pull: PullRequest, target: str, fetched: FetchResult, label: str) -> NotFound | GitError:
    """Return the error for a missing ref.

    Only a branch that the caller named is the caller's error. For other refs, the API may still answer without git.
    """
    why = fetched.missing.get(label, ABSENT_REF)
    if label != get_branch_label(target):
        return create_missing_head_error(pull, why)
    if target != pull.base.branch:
        text = f"{pull.ref.repository} has no branch {target}"
        return NotFound(text, suggestion="Check target_branch, or omit it to use the pull request's own base.")
    return GitError(f"git cannot fetch the branch {target!r}: {why.reason}", suggestion=why.remedy)
