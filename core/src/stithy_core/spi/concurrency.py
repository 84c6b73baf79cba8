"""Several requests at once, and the readiness of a merge, composed of several requests."""

from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import anyio

from stithy_core.errors import StithyError
from stithy_core.model import Maybe
from stithy_core.model.verdicts import Readiness
from stithy_core.spi.operation_checks import or_unknown

if TYPE_CHECKING:
    from stithy_core.model import PullRequestRef
    from stithy_core.spi.forge import Forge

T = TypeVar("T")
S = TypeVar("S")

AT_ONCE = 8


async def map_concurrently(items: Iterable[S], work: Callable[[S], Awaitable[T]], *, at_once: int = AT_ONCE) -> list[T]:
    """Run `work` for each item, some at once; the first failure cancels the others and is raised unchanged.

    Args:
        items: The items.
        work: An async function of one item.
        at_once: The maximum number of items at a time.

    Returns:
        The results, in the order of the items.
    """
    todo = list(items)
    done: list[Any] = [None] * len(todo)
    free = anyio.CapacityLimiter(at_once)

    async def one(place: int, item: S) -> None:
        async with free:
            done[place] = await work(item)

    try:
        async with anyio.create_task_group() as group:
            for place, item in enumerate(todo):
                group.start_soon(one, place, item)
    except BaseExceptionGroup as failed:
        raise first(failed) from failed
    return done


def first(failed: BaseException) -> BaseException:
    """Return the most telling failure of a task group: a `StithyError` before any other exception."""
    if not isinstance(failed, BaseExceptionGroup):
        return failed
    leaves = [first(error) for error in failed.exceptions]
    return next((error for error in leaves if isinstance(error, StithyError)), leaves[0])


async def composed_readiness(forge: "Forge", pr: "PullRequestRef") -> Readiness:
    """Read what a merge depends on, by the other capabilities: for forges without a single request for it.

    The pull request is read first, the rest at once. What the forge lacks or the token may not read is unknown.
    """
    pull = await forge.pull_requests.get(pr)
    repository, base = pull.ref.repository, pull.base.branch

    async def behind() -> Maybe[int]:
        return (await forge.changes.compare(repository, base, pull.head.commit)).behind

    questions: tuple[Callable[[], Awaitable[Any]], ...] = (
        lambda: forge.reviews.list(pull.ref),
        lambda: forge.threads.list(pull.ref),
        lambda: forge.checks.list(repository, pull.head.commit, pr=pull.ref),
        lambda: forge.rules.get(repository, base, pr=pull.ref),
        behind,
        lambda: forge.changes.commits(pull.ref),
    )
    reviews, threads, checks, rules, missing, commits = await map_concurrently(
        questions, lambda question: or_unknown(question())
    )
    return Readiness(
        pull_request=pull,
        reviews=reviews,
        threads=threads,
        checks=checks,
        rules=rules,
        behind=missing,
        commits=commits,
    )
