"""The writes of several processes in Redis; each knows only its own while Redis is lost."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

from stithy_core.http.stores import scripts
from stithy_core.http.stores.durable_ledger import DurableLedger
from stithy_core.http.stores.lifeline import LEASE, Gone, Lifeline
from stithy_core.spi.ledger import KEPT, MADE_SECONDS, Claim


class RedisLedger(DurableLedger):
    """The writes of all processes that share a Redis.

    Args:
        lifeline: The way to Redis.
        name: What the keys begin with.
    """

    def __init__(self, lifeline: Lifeline, name: str) -> None:
        super().__init__()
        self._lifeline = lifeline
        self._name = name
        self._run_claim = lifeline.script(scripts.CLAIM)
        self._run_release = lifeline.script(scripts.RELEASE)

    async def _claim(self, key: str, now: datetime, elapsed: float) -> Claim | None:
        arguments = [now.timestamp(), now.timestamp() + LEASE, int(KEPT.total_seconds()), elapsed]
        answer = await self._ask(lambda: self._run_claim([self._key(key)], arguments))
        if answer is None:
            return None
        began, busy = answer
        return Claim(_time(began), bool(int(busy)))

    async def _find(self, key: str) -> datetime | None:
        answer = await self._ask(lambda: self._lifeline.client.hmget(self._key(key), "began", "lease", "made"))
        began, lease, made = answer or (None, None, None)
        return None if made is not None or lease is None or float(lease) > 0 else _time(began)

    async def _lose(self, key: str) -> None:
        await self._ask(lambda: self._lifeline.client.hset(self._key(key), "lease", "0"))

    async def _release(self, key: str, *, made: bool) -> None:
        await self._ask(lambda: self._run_release([self._key(key)], [int(made), int(MADE_SECONDS)]))

    async def _ask(self, work: Callable[[], Awaitable[Any]]) -> Any:
        try:
            return await self._lifeline.run(work)
        except Gone:
            return None

    def _key(self, key: str) -> str:
        return f"{self._name}:write:{key}"


def _time(seconds: Any) -> datetime | None:
    return datetime.fromtimestamp(float(seconds), UTC) if seconds else None
