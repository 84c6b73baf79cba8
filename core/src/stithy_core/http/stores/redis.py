"""Answers in Redis or Valkey, where several replicas share them, and count their limits together."""

from typing import Any

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from stithy_core.http.clock import SYSTEM, Clock
from stithy_core.http.stores.lifeline import PATIENCE, Gone, Lifeline
from stithy_core.http.stores.redis_ledger import RedisLedger
from stithy_core.http.stores.shared import SharedBudgets, SharedCircuits

KEPT = 7 * 24 * 3600
NAME = "stithy:1"


class RedisStore:
    """The store that replicas share. Without Redis, nothing is kept, and limits are counted in this process alone.

    Args:
        client: The connections; closed with the store.
        clock: Tells the time.
    """

    def __init__(self, client: Redis, clock: Clock = SYSTEM) -> None:
        self._lifeline = Lifeline(client, clock)
        self.budgets = SharedBudgets(self._lifeline, NAME)
        self.circuits = SharedCircuits(self._lifeline, NAME)
        self.ledger = RedisLedger(self._lifeline, NAME)

    @classmethod
    def at(cls, url: str) -> "RedisStore":
        """Make the store of a URL; it is connected when it is used.

        Raises:
            ValueError: It is none of Redis.
        """
        client = Redis.from_url(
            url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE, retry=Retry(NoBackoff(), 0)
        )
        return cls(client)

    @property
    def reachable(self) -> bool:
        """Whether Redis answered when it was last asked."""
        return not self._lifeline.lost

    async def get(self, key: str) -> bytes | None:
        """Give what is kept, or None."""
        try:
            value: Any = await self._lifeline.run(lambda: self._lifeline.client.get(f"{NAME}:answer:{key}"))
        except Gone:
            return None
        return value if isinstance(value, bytes) else None

    async def put(self, key: str, value: bytes) -> None:
        """Keep something for a week, or until Redis needs the room."""
        try:
            await self._lifeline.run(lambda: self._lifeline.client.set(f"{NAME}:answer:{key}", value, ex=KEPT))
        except Gone:
            return

    async def aclose(self) -> None:
        """Close the connections."""
        await self._lifeline.client.aclose()
