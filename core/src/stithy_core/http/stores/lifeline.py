"""The connection to Redis: short of patience, and when it is lost, not tried again for a while."""

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

import anyio
from redis.exceptions import RedisError

from stithy_core.http.clock import Clock

if TYPE_CHECKING:
    from redis.asyncio import Redis
    from redis.commands.core import AsyncScript

T = TypeVar("T")

PATIENCE = 0.5
LEASE = 90.0
"""Seconds, longer than any request takes: what a process held, or was sending, when it died is let go of then."""
LEFT_ALONE = 10.0

log = logging.getLogger("stithy.http")


class Gone(Exception):
    """Redis is not there, or was not a moment ago."""


class Lifeline:
    """The connection to Redis.

    Args:
        client: The connections.
        clock: Tells the time.
    """

    def __init__(self, client: "Redis", clock: Clock) -> None:
        self.client = client
        self._clock = clock
        self._lost_until = 0.0

    def script(self, text: str) -> "AsyncScript":
        """Make a script, which Redis learns when it is first run."""
        return self.client.register_script(text)

    @property
    def lost(self) -> bool:
        """Whether it is left alone for a while, since it did not answer."""
        return self._clock.time() < self._lost_until

    async def run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Ask Redis.

        Raises:
            Gone: It does not answer.
        """
        if self.lost:
            raise Gone
        try:
            with anyio.fail_after(PATIENCE):
                return await work()
        except (RedisError, OSError, ValueError) as error:  # TimeoutError is an OSError; text may not be decoded
            self._lose(error)
            raise Gone from error

    def _lose(self, error: Exception) -> None:
        now = self._clock.time()
        if now >= self._lost_until:  # others that waited have told it otherwise
            log.warning("Redis is not used for %.0f seconds: %s", LEFT_ALONE, type(error).__name__)
        self._lost_until = now + LEFT_ALONE
