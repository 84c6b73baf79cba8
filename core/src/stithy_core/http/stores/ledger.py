"""The writes of several processes; each knows only its own while Redis is lost."""

from datetime import UTC, datetime
from typing import Any

from stithy_core.http.stores import scripts
from stithy_core.http.stores.lifeline import LEASE, Gone, Lifeline
from stithy_core.spi.ledger import Claim

KEPT = 24 * 3600  # as long as an outbox keeps what was lost


class SharedLedger:
    """The writes of all processes; implements `stithy_core.spi.ledger.Ledger`.

    Args:
        lifeline: The way to Redis.
        name: What the keys begin with.
    """

    def __init__(self, lifeline: Lifeline, name: str) -> None:
        self._lifeline = lifeline
        self._name = name
        self._claim = lifeline.script(scripts.CLAIM)

    async def claim(self, key: str, now: datetime) -> Claim:
        """Note a write, unless another process is sending it."""
        asked = [now.timestamp(), now.timestamp() + LEASE, KEPT]
        try:
            began, busy = await self._lifeline.run(lambda: self._claim([self._key(key)], asked))
        except Gone:
            return Claim()
        return Claim(datetime.fromtimestamp(float(began), UTC) if began else None, bool(int(busy)))

    async def lose(self, key: str) -> None:
        """Let whoever asks next look for it at once."""
        await self._tell(lambda: self._lifeline.client.hset(self._key(key), "lease", "0"))

    async def release(self, key: str) -> None:
        """Forget it."""
        await self._tell(lambda: self._lifeline.client.delete(self._key(key)))

    async def _tell(self, work: Any) -> None:
        try:
            await self._lifeline.run(work)
        except Gone:
            return

    def _key(self, key: str) -> str:
        return f"{self._name}:write:{key}"
