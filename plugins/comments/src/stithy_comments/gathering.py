"""Several readings at once, of which one that fails takes nothing from the others."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from attrs import frozen

from stithy_core.spi import ForgeError, Maybe, StithyError, Unknown, Unsupported

T = TypeVar("T")


@frozen
class Failed(Unknown):
    """What could not be read; `error` says why."""

    error: StithyError | None = None


def attempt(reading: Callable[[], Awaitable[T]]) -> Callable[[], Awaitable[Maybe[T]]]:
    """Make a reading that gives the reason in the place of what the forge fails at, or does not have."""

    async def read() -> Maybe[T]:
        try:
            return await reading()
        except (ForgeError, Unsupported) as error:
            return Failed(error.message, error.suggestion, error=error)

    return read
