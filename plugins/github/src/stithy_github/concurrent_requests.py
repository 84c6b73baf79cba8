"""Several different questions at once."""

from collections.abc import Awaitable, Callable
from typing import Any

from stithy_core.spi import map_concurrently


async def run_concurrently(*questions: Callable[[], Awaitable[Any]]) -> list[Any]:
    """Ask them all; the answers come in their order, and the first failure is raised as it is."""
    return await map_concurrently(questions, _call)


async def _call(question: Callable[[], Awaitable[Any]]) -> Any:
    return await question()
