"""Several readings at once, of which one that fails takes nothing from the others."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from math import ceil
from typing import Any, TypeAlias, TypeVar

from attrs import frozen

from stithy_core.spi import ForgeError, Maybe, StithyError, Unknown, Unsupported, map_concurrently

T = TypeVar("T")
Reading: TypeAlias = Callable[[], Awaitable[T]]


@frozen
class Failed(Unknown):
    """What could not be read; `error` says why."""

    error: StithyError | None = None


def attempt(reading: Reading[T]) -> Reading[Maybe[T]]:
    """Make a reading that gives the reason in the place of what the forge fails at, or does not have."""

    async def read() -> Maybe[T]:
        try:
            return await reading()
        except (ForgeError, Unsupported) as error:
            return Failed(error.message, _remedy(error), error=error)

    return read


async def gather(
    first: Reading[T], readings: Mapping[str, Reading[Any]], *, one_of: Collection[str]
) -> tuple[T, dict[str, Any]]:
    """Read several things at once.

    Args:
        first: What must be there.
        readings: The others, by name; what of them fails is `Failed`.
        one_of: Those of which one must be there as well.

    Returns:
        The first, and the others by their names.

    Raises:
        ForgeError: The first failed, or every one of `one_of`.
    """
    asked: list[Reading[Any]] = [first, *map(attempt, readings.values())]
    whole, *others = await map_concurrently(asked, lambda reading: reading())
    found = dict(zip(readings, others, strict=True))
    failed = [found[name].error for name in one_of if isinstance(found[name], Failed)]
    if failed and len(failed) == len(one_of) and failed[0]:
        raise failed[0]
    return whole, found


def _remedy(error: StithyError) -> str:
    """Say what to do; the answer has no `retry_after` of its own, since the rest of it is there."""
    if error.retry_after is None:
        return error.suggestion
    return f"Ask again after {ceil(error.retry_after)} s, not sooner."
