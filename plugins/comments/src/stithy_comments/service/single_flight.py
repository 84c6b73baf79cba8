"""Single flight: of identical concurrent requests, one does the work and the others share its result.

The core's `CoalescingTransport` shares requests to forges in tasks of their own. The work of a call cannot leave its
call, whose deadline and records it needs: when that call ends early, another one starts again.
"""

from collections.abc import Awaitable, Callable, Hashable
from functools import partial
from typing import Generic, NoReturn, TypeVar

import anyio
from attrs import Factory, define

from stithy_core.spi import Scope, StithyError

T = TypeVar("T")

JOINABLE = 3.0
"""Seconds for which work may be joined. A request made because of a new comment must not get an older answer."""


@define(eq=False)
class _Flight(Generic[T]):
    began: float
    ended: anyio.Event = Factory(anyio.Event)
    found: Callable[[], T] | None = None


class Flights(Generic[T]):
    """The work in progress, by key."""

    def __init__(self) -> None:
        self._running: dict[Hashable, _Flight[T]] = {}

    @classmethod
    def create(cls, scope: Scope) -> "Flights[T]":  # noqa: ARG003 -- the signature of a factory
        """Create the instance that a server shares among its calls."""
        return cls()

    async def join(self, key: Hashable, work: Callable[[], Awaitable[T]]) -> T:
        """Do some work, or wait for the same work that began less than `JOINABLE` seconds ago.

        If the caller that does the work is cancelled, one of the waiting callers starts the work again.

        Args:
            key: Identifies the work.
            work: Does the work.
        """
        while (flight := self._running.get(key)) is not None:
            joined = anyio.current_time() - flight.began < JOINABLE
            await flight.ended.wait()
            if joined and flight.found is not None:
                return flight.found()
        flight = self._running[key] = _Flight(anyio.current_time())
        try:
            flight.found = await _find(work)
        finally:
            del self._running[key]
            flight.ended.set()
        return flight.found()


async def _find(work: Callable[[], Awaitable[T]]) -> Callable[[], T]:
    """Do the work and return a function that returns its value or raises its error."""
    try:
        value = await work()
    except StithyError as error:
        return partial(_raise, error)
    return lambda: value


def _raise(error: StithyError) -> NoReturn:
    raise error
