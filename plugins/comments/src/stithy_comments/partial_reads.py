"""Concurrent reads of a pull request's parts, where a part that fails does not fail the others."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from math import ceil
from typing import Any, TypeAlias, TypeVar

from attrs import frozen

from stithy_core.spi import (
    Conversation,
    Forge,
    ForgeError,
    Maybe,
    PullRequest,
    PullRequestRef,
    PullRequests,
    StithyError,
    Unknown,
    Unsupported,
    map_concurrently,
    or_unknown,
)

T = TypeVar("T")
Reading: TypeAlias = Callable[[], Awaitable[T]]


@frozen
class Failed(Unknown):
    """A part that could not be read; `error` is the reason."""

    error: StithyError | None = None


def attempt(reading: Reading[T]) -> Reading[Maybe[T]]:
    """Return a read that returns `Failed` where the forge fails or does not support the operation."""

    async def read() -> T:
        return await reading()

    return lambda: or_unknown(read(), on=(ForgeError, Unsupported), create=_create_failed)


async def gather(
    first: Reading[T], readings: Mapping[str, Reading[Any]], *, one_of: Collection[str]
) -> tuple[T, dict[str, Any]]:
    """Run several reads concurrently.

    Args:
        first: The read that must succeed.
        readings: The other reads by name; those that fail return `Failed`.
        one_of: Names of reads of which at least one must succeed.

    Returns:
        The result of `first`, and the other results by name.

    Raises:
        ForgeError: `first` failed, or every read in `one_of`.
    """
    all_readings: list[Reading[Any]] = [first, *map(attempt, readings.values())]
    whole, *others = await map_concurrently(all_readings, lambda reading: reading())
    found = dict(zip(readings, others, strict=True))
    failed = [found[name].error for name in one_of if isinstance(found[name], Failed)]
    if failed and len(failed) == len(one_of) and failed[0]:
        raise failed[0]
    return whole, found


async def read_with_conversation(forge: Forge, ref: PullRequestRef) -> tuple[PullRequest, Conversation] | None:
    """Return a pull request and what people wrote on it, read at once; of the general comments the newest.

    Return None where the forge lacks or fails the common read: each list may still be read, and says itself why it
    cannot be.

    Raises:
        ForgeError: The pull request cannot be read.
    """
    support = await attempt(lambda: forge.supports(PullRequests.conversation))()
    if isinstance(support, Unknown) or not support.supported:
        return None
    readings: tuple[Reading[Any], ...] = (
        lambda: forge.pull_requests.get(ref),
        attempt(lambda: forge.pull_requests.conversation(ref)),
    )
    pull, found = await map_concurrently(readings, lambda reading: reading())
    return None if isinstance(found, Unknown) else (pull, found)


def _create_failed(error: StithyError) -> Failed:
    return Failed(error.message, _format_remedy(error), error=error)


def _format_remedy(error: StithyError) -> str:
    """Return the remedy with the waiting time in it: an answer with parts has no `retry_after` field."""
    if error.retry_after is None:
        return error.suggestion
    return f"Repeat the call after {ceil(error.retry_after)} s, not sooner."
