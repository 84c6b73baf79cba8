"""A ledger that other processes read, too, and the process's own beside it for when it cannot be reached."""

from abc import ABC, abstractmethod
from datetime import datetime

from stithy_core.spi.ledger import Claim, MemoryLedger


class DurableLedger(ABC):
    """Records writes in memory and beyond; implements `stithy_core.spi.ledger.Ledger`.

    A subclass reads and writes what lies beyond the process. Where that fails, the memory is what is left, and the
    claim says that it is not durable.
    """

    def __init__(self) -> None:
        self._own = MemoryLedger()

    async def claim(self, key: str, now: datetime, elapsed: float) -> Claim:
        """Record a write before it is sent, unless another process is sending it."""
        own = await self._own.claim(key, now, elapsed)
        if own.busy:
            return own
        try:
            shared = await self._claim(key, now, elapsed)
        except BaseException:  # a cancellation: whether it was recorded is not known, and nothing is sent
            await self._own.lose(key)
            raise
        if shared is None:
            return own
        if shared.busy:
            await self._own.release(key, made=False)
            await self._own.claim(key, min(filter(None, (own.since, shared.since)), default=now), 0)
            await self._own.lose(key)  # the next call of this process looks for what the other one sends
        sinces = [since for since in (own.since, shared.since) if since is not None]
        return Claim(min(sinces, default=None), busy=shared.busy, durable=True)

    async def find(self, key: str, now: datetime) -> datetime | None:
        """Return when a lost write was first sent."""
        return await self._own.find(key, now) or await self._find(key)

    async def lose(self, key: str) -> None:
        """Let whoever asks next look for it at once."""
        await self._own.lose(key)
        await self._lose(key)

    async def release(self, key: str, *, made: bool) -> None:
        """Forget it; one that was made is known a little longer to calls that began before."""
        await self._own.release(key, made=made)
        await self._release(key, made=made)

    @abstractmethod
    async def _claim(self, key: str, now: datetime, elapsed: float) -> Claim | None:
        """Claim it beyond the process; None where that cannot be reached."""

    @abstractmethod
    async def _find(self, key: str) -> datetime | None: ...

    @abstractmethod
    async def _lose(self, key: str) -> None: ...

    @abstractmethod
    async def _release(self, key: str, *, made: bool) -> None: ...
