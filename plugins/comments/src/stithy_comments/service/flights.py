"""Identical requests at the same time: one of them does the work, and the others are given what it found."""

from collections.abc import Awaitable, Callable, Hashable
from functools import partial
from typing import Generic, NoReturn, TypeVar

import anyio
from attrs import Factory, define

from stithy_core.spi import Scope, StithyError

T = TypeVar("T")

JOINABLE = 3.0
"""Seconds after which nobody joins: who asks because of a new comment must not be given what was read before it."""


@define(eq=False)
class _Flight(Generic[T]):
    began: float
    ended: anyio.Event = Factory(anyio.Event)
    found: Callable[[], T] | None = None


class Flights(Generic[T]):
    """The work that is under way, by what it is about."""

    def __init__(self) -> None:
        self._running: dict[Hashable, _Flight[T]] = {}

    @classmethod
    def of(cls, scope: Scope) -> "Flights[T]":  # noqa: ARG003 -- the signature of a factory
        """Give the one of a server."""
        return cls()

    async def join(self, key: Hashable, work: Callable[[], Awaitable[T]]) -> T:
        """Do some work, or wait for the same that has just begun.

        Whoever does it and is cancelled harms nobody: one of those who wait begins anew.

        Args:
            key: What the work is about.
            work: Does it.
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
    """Do the work; give what gives its value, or raises what it raised."""
    try:
        value = await work()
    except StithyError as error:
        return partial(_raise, error)
    return lambda: value


def _raise(error: StithyError) -> NoReturn:
    raise error
