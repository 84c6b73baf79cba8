"""Different requests at the same time."""

from collections.abc import Awaitable, Callable
from typing import Any

from stithy_core.spi import map_concurrently


async def run_concurrently(*requests: Callable[[], Awaitable[Any]]) -> list[Any]:
    """Return the results of all requests in their order; raise the first error unchanged."""
    return await map_concurrently(requests, _call)


async def _call(request: Callable[[], Awaitable[Any]]) -> Any:
    return await request()
