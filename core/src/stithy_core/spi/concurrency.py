"""Several requests at once, with their answers in the order of the questions."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypeVar

import anyio

from stithy_core.errors import StithyError

T = TypeVar("T")
S = TypeVar("S")

AT_ONCE = 8


async def map_concurrently(items: Iterable[S], work: Callable[[S], Awaitable[T]], *, at_once: int = AT_ONCE) -> list[T]:
    """Do the same for every item, some at once; the first failure ends the others and is raised as it is.

    Args:
        items: What to work on.
        work: What to do; its results come in the order of the items.
        at_once: How many at most.
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
