"""The page size of heavy queries: GitHub aborts a query after ten seconds, whatever part of the answer it has.

GitHub's documentation: "Rate limits and query limits for the GraphQL API", on timeouts and resource limits.
"""

import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from stithy_core.spi import ForgeError, TooLarge, Unavailable

T = TypeVar("T")

SIZES = (100, 25, 5)
SLOW = 5.0
"""Seconds. A query that fails sooner fails for another reason than its size, and the client has already retried it."""
ANSWERED = 200


class AdaptivePageSize:
    """A page size that shrinks for good when GitHub finds a query too heavy."""

    def __init__(self) -> None:
        self.size = SIZES[0]

    async def run(self, query: Callable[[int], Awaitable[T]]) -> T:
        """Run a query that takes the page size, with smaller ones until it succeeds.

        Raises:
            ForgeError: The smallest page was too heavy as well, or the query failed for another reason.
        """
        while True:
            started = time.monotonic()
            try:
                return await query(self.size)
            except (Unavailable, TooLarge) as error:
                smaller = next((size for size in SIZES if size < self.size), 0)
                if not smaller or not _is_too_heavy(error, time.monotonic() - started):
                    raise
                self.size = smaller


def _is_too_heavy(error: ForgeError, seconds: float) -> bool:
    """Return whether the page was too heavy: for our own limit, for GraphQL, or for a proxy that waited first."""
    status = error.details.get("status")
    return isinstance(error, TooLarge) or status == ANSWERED or (status is not None and seconds >= SLOW)
