"""The connection to Redis: with a short timeout, and unused for a while after a failure."""

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

import anyio
from redis.exceptions import RedisError

if TYPE_CHECKING:
    from redis.asyncio import Redis
    from redis.commands.core import AsyncScript

T = TypeVar("T")

PATIENCE = 0.5
"""Seconds for each answer of Redis."""
LEFT_ALONE = 10.0
"""Seconds without Redis after it failed."""

log = logging.getLogger("stithy.http")


class RedisUnavailable(Exception):
    """Redis does not answer, or did not a moment ago."""


class RedisConnection:
    """The connection to Redis.

    Args:
        client: The connections.
        time: Returns the seconds since 1970.
    """

    def __init__(self, client: "Redis", time: Callable[[], float]) -> None:
        self.client = client
        self.time = time
        self._lost_until = 0.0

    def script(self, text: str) -> "AsyncScript":
        """Create a script, which Redis learns when it is first run."""
        return self.client.register_script(text)

    @property
    def is_lost(self) -> bool:
        """Whether Redis failed and is not used for a while."""
        return self.time() < self._lost_until

    async def run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Return the result of one use of Redis.

        Raises:
            RedisUnavailable: It does not answer.
        """
        if self.is_lost:
            raise RedisUnavailable
        try:
            with anyio.fail_after(PATIENCE):
                return await work()
        except (RedisError, OSError, ValueError) as error:  # TimeoutError is an OSError; text may not be decoded
            self._record_loss(error)
            raise RedisUnavailable from error

    def _record_loss(self, error: Exception) -> None:
        now = self.time()
        if now >= self._lost_until:  # else another use that waited at the same time has logged it
            log.warning("Redis is not used for %.0f seconds: %s", LEFT_ALONE, type(error).__name__)
        self._lost_until = now + LEFT_ALONE
