"""What a pull request changes, and what else git tells of it: by git, and where it cannot answer, by the forge."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from stithy_core.spi import Context, Forge, Maybe, PullRequest, Unknown, Unsupported
from stithy_pulls.conflicts.merging import UNFETCHED
from stithy_pulls.diffs.by_forge import read_forge_diff
from stithy_pulls.diffs.by_git import read_git_diff
from stithy_pulls.diffs.ends import DiffRange, find_diff_range
from stithy_pulls.diffs.records import PullDiff
from stithy_pulls.git.faults import DamagedCache, GitError, StaleHead
from stithy_pulls.git.fetching import pull_ref, refetch_all_files
from stithy_pulls.git.opening import with_repository
from stithy_pulls.git.repository import GitRepository

T = TypeVar("T")


async def read_diff(
    ctx: Context, forge: Forge, pull: PullRequest, more: Callable[[GitRepository, DiffRange, PullDiff], Awaitable[T]]
) -> tuple[PullDiff, Maybe[T]]:
    """Read a pull request's changes, and do with git what else is wanted.

    Args:
        ctx: The call.
        forge: The forge.
        pull: The pull request.
        more: What is wanted; it may be called twice, and its result is unknown where git cannot answer.

    Raises:
        StaleHead: The forge is still processing a push.
    """

    async def work(repository: GitRepository) -> tuple[PullDiff, Maybe[T]]:
        ends = await find_diff_range(ctx, repository, pull)
        diff = await _compared(ctx, repository, pull, ends)
        try:
            return diff, await more(repository, ends, diff)
        except DamagedCache:
            raise
        except GitError as fault:  # the diff is good all the same
            return diff, Unknown(fault.message, fault.suggestion)

    try:
        return await with_repository(ctx, forge, pull.ref.repository, work)
    except StaleHead:  # the forge's own diff is then of the former head
        raise
    except (GitError, Unsupported) as fault:
        return await read_forge_diff(forge, pull, fault), Unknown(fault.message, fault.suggestion)


async def _compared(ctx: Context, repository: GitRepository, pull: PullRequest, ends: DiffRange) -> PullDiff:
    try:
        return await read_git_diff(ctx, repository, ends.merge_base, ends.head)
    except DamagedCache:
        raise
    except GitError as fault:
        if UNFETCHED not in fault.message or not repository.lazy:
            raise
        await refetch_all_files(ctx, repository, {pull_ref(pull.ref.number): ends.head, ends.target: ends.target})
        return await read_git_diff(ctx, repository, ends.merge_base, ends.head)
