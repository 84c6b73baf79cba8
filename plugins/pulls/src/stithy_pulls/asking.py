"""Asking a forge for what an answer can do without."""

from collections.abc import Awaitable
from typing import TypeVar

from stithy_core.spi import ForgeError, Maybe, Unknown, Unsupported

T = TypeVar("T")


async def attempted(question: Awaitable[T]) -> Maybe[T]:
    """Await an answer; where the forge gives none, for whatever reason, give the reason in its place."""
    try:
        return await question
    except (ForgeError, Unsupported) as error:
        return Unknown(error.message, error.suggestion)
