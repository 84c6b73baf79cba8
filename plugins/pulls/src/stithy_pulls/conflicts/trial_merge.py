"""Try the merge of a pull request: fetch what it needs, and merge without a working tree."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

import anyio
from attrs import frozen

from stithy_core.spi import Context, NotFound, PullRequest
from stithy_pulls.conflicts.merge_tree import MergeResult, PartialFetchUnsupported, merge_commits
from stithy_pulls.git.fetch_sources import (
    ABSENT_REF,
    FetchSource,
    create_branch_source,
    create_missing_head_error,
    find_head_source,
    get_branch_label,
    pin_commits,
)
from stithy_pulls.git.git_errors import GitError, HistoryNeeded
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.path_history import is_divergence_known
from stithy_pulls.git.ref_fetching import (
    DEEPEST,
    DEPTHS,
    FetchResult,
    fetch_refs,
    read_depth,
    record_depth,
    refetch_all_files,
)

MergeWork: TypeAlias = Callable[[GitRepository, MergeResult, str, str], Awaitable[Any]]
"""Work on a merge of two local names: what is merged into, and what is merged."""


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
    ctx: Context,
    repository: GitRepository,
    pull: PullRequest,
    target: str,
    others: Sequence[PullRequest] = (),
    *,
    early: MergeWork | None = None,
) -> TrialMerge:
    """Fetch both sides of a pull request, and merge them.

    Args:
        ctx: The call.
        repository: The cached repository.
        pull: The pull request.
        target: The branch to merge into.
        others: Further pull requests whose heads are fetched as far as they exist.
        early: Work on the result that the caller does next. It is begun while git fetches.

    Raises:
        NotFound: The branch `target` does not exist, and is not the pull request's own base.
        GitError: Another ref could not be fetched. `HistoryNeeded` if the latest commits are not enough.
    """
    base, head = create_branch_source(target), find_head_source(repository.forge, pull)
    sources = [base, head, *(find_head_source(repository.forge, other) for other in others)]
    fetched = await _fetch_while_merging(ctx, repository, sources, early)
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


async def _fetch_while_merging(
    ctx: Context, repository: GitRepository, sources: Sequence[FetchSource], work: MergeWork | None
) -> FetchResult:
    """Fetch, and merge what was fetched before meanwhile: usually nothing has moved, and git's outputs are used."""
    ours, theirs = (source.label for source in sources[:2])
    before = (repository.read_tip(ours), repository.read_tip(theirs), read_depth(repository))
    if not all(before[:2]):
        return await _fetch_history(ctx, repository, sources)
    early = repository.copy_for_early_work()
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(_merge_early, early, ours, theirs, work)
            fetched = await _fetch_history(ctx, repository, sources)
            unmoved = before == (fetched.tips.get(ours), fetched.tips.get(theirs), read_depth(repository))
            if not unmoved:
                group.cancel_scope.cancel()
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from failed
    if unmoved:
        repository.adopt_outputs(early)
    return fetched


async def _merge_early(repository: GitRepository, ours: str, theirs: str, work: MergeWork | None) -> None:
    with suppress(GitError, PartialFetchUnsupported):  # what is missing now may be fetched
        merged = await merge_commits(repository, ours, theirs)
        if work is not None and not merged.refused:
            await work(repository, merged, ours, theirs)


async def _fetch_history(ctx: Context, repository: GitRepository, sources: Sequence[FetchSource]) -> FetchResult:
    """Fetch the two sides of a merge, the first two sources, with as much history as proves their merge base.

    Raises:
        HistoryNeeded: The latest commits do not prove it.
    """
    ours, theirs = (source.label for source in sources[:2])
    for depth in DEPTHS if repository.depth else (0,):
        if depth and depth < read_depth(repository):
            continue
        repository.depth = depth
        if depth > DEPTHS[0]:
            await ctx.progress(
                0, 100, f"git: fetching the latest {depth:,} commits to find where the branches diverged"
            )
        fetched = await fetch_refs(ctx, repository, sources)
        if not {ours, theirs} <= fetched.tips.keys():
            return fetched
        record_depth(repository)
        if await is_divergence_known(repository, ours, theirs):
            return fetched
    raise HistoryNeeded(
        f"the latest {DEEPEST:,} commits do not prove where the branches diverged: all history was fetched"
    )


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
