"""What a pull request changes, and what else git tells of it: by git, and where it cannot answer, by the forge."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from stithy_core.spi import Context, Forge, Maybe, PullRequest, Unknown, Unsupported
from stithy_pulls.conflicts.merging import UNFETCHED
from stithy_pulls.diffs.by_forge import by_forge
from stithy_pulls.diffs.by_git import by_git
from stithy_pulls.diffs.ends import Ends, ends_of
from stithy_pulls.diffs.records import Diff
from stithy_pulls.git.faults import Damaged, NoGit, StaleHead
from stithy_pulls.git.fetching import fetch_whole, pull_ref
from stithy_pulls.git.opening import reading
from stithy_pulls.git.repository import Repository

T = TypeVar("T")


async def examined(
    ctx: Context, forge: Forge, pull: PullRequest, more: Callable[[Repository, Ends, Diff], Awaitable[T]]
) -> tuple[Diff, Maybe[T]]:
    """Read a pull request's changes, and do with git what else is wanted.

    Args:
        ctx: The call.
        forge: The forge.
        pull: The pull request.
        more: What is wanted; it may be called twice, and its result is unknown where git cannot answer.

    Raises:
        StaleHead: The forge is still processing a push.
    """

    async def work(repository: Repository) -> tuple[Diff, Maybe[T]]:
        ends = await ends_of(ctx, repository, pull)
        diff = await _compared(ctx, repository, pull, ends)
        try:
            return diff, await more(repository, ends, diff)
        except Damaged:
            raise
        except NoGit as fault:  # the diff is good all the same
            return diff, Unknown(fault.message, fault.suggestion)

    try:
        return await reading(ctx, forge, pull.ref.repository, work)
    except StaleHead:  # the forge's own diff is then of the former head
        raise
    except (NoGit, Unsupported) as fault:
        return await by_forge(forge, pull, fault), Unknown(fault.message, fault.suggestion)


async def _compared(ctx: Context, repository: Repository, pull: PullRequest, ends: Ends) -> Diff:
    try:
        return await by_git(ctx, repository, ends.parted, ends.head)
    except Damaged:
        raise
    except NoGit as fault:
        if UNFETCHED not in fault.message or not repository.lazy:
            raise
        await fetch_whole(ctx, repository, {pull_ref(pull.ref.number): ends.head, ends.target: ends.target})
        return await by_git(ctx, repository, ends.parted, ends.head)
