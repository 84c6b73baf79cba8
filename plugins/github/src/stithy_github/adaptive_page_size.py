"""How much is asked for at once: GitHub ends a question after ten seconds, however much of the answer it has.

GitHub's documentation: "Rate limits and query limits for the GraphQL API", on timeouts and resource limits.
"""

import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from stithy_core.spi import ForgeError, TooLarge, Unavailable

T = TypeVar("T")

SIZES = (100, 25, 5)
SLOW = 5.0
"""Seconds. What fails sooner fails for another reason than its weight, and was repeated by the client already."""
ANSWERED = 200


class AdaptivePageSize:
    """Asks for fewer threads at once from then on when GitHub found them too many."""

    def __init__(self) -> None:
        self.size = SIZES[0]

    async def run(self, question: Callable[[int], Awaitable[T]]) -> T:
        """Ask, given how many to ask for.

        Raises:
            ForgeError: Even the fewest were too many, or something else is wrong.
        """
        while True:
            began = time.monotonic()
            try:
                return await question(self.size)
            except (Unavailable, TooLarge) as error:
                smaller = next((size for size in SIZES if size < self.size), 0)
                if not smaller or not _is_too_heavy(error, time.monotonic() - began):
                    raise
                self.size = smaller


def _is_too_heavy(error: ForgeError, seconds: float) -> bool:
    """Say whether it is more than we take in, or GraphQL gave up, or what stands before it did after it had waited."""
    status = error.details.get("status")
    return isinstance(error, TooLarge) or status == ANSWERED or (status is not None and seconds >= SLOW)
