"""Records of writes that are under way, whose answer was lost, or that were made a moment ago."""

from abc import ABC, abstractmethod
from collections import OrderedDict
from datetime import datetime, timedelta
from time import monotonic
from typing import NamedTuple, Protocol

KEPT = timedelta(days=1)
"""How long a lost write is known."""
MADE_SECONDS = 120.0
"""How long a write that was made is known, for calls that began before it was; longer than any call takes."""
MOST = 1_000


class Claim(NamedTuple):  # every start pays for this module
    """What is known of a write that somebody is about to send.

    Args:
        since: When it was first sent, by the forge's clock: its answer was lost, or it was made after the call began
            that asks for it now. It may be there already, and has to be looked for.
        busy: Whether another server sends it at this moment; then it was not claimed.
        durable: Whether other processes know of the claim, and of what becomes of it.
    """

    since: datetime | None = None
    busy: bool = False
    durable: bool = False


class Ledger(Protocol):
    """Keeps writes by a hash that shows nothing of them. Its methods never raise."""

    async def claim(self, key: str, now: datetime, elapsed: float) -> Claim:
        """Record a write before it is sent; one that is lost, or whose process died, is taken over.

        Args:
            key: The write.
            now: The time by the forge's clock.
            elapsed: Seconds since the call began that asks for it.
        """
        ...

    async def find(self, key: str, now: datetime) -> datetime | None:
        """Return when a write was first sent whose answer was lost; None where none is known. Nothing is recorded."""
        ...

    async def lose(self, key: str) -> None:
        """Record that the answer to a claimed write was lost: whoever claims it next has to look for it."""
        ...

    async def release(self, key: str, *, made: bool) -> None:
        """Record what became of a claimed write: it was made, or it was refused and can be forgotten."""
        ...


class MemoryLedger:
    """The ledger of one process; implements `Ledger`."""

    def __init__(self) -> None:
        self._lost: OrderedDict[str, tuple[datetime, bool]] = OrderedDict()  # since when, and whether it is under way
        self._made: OrderedDict[str, tuple[datetime, float]] = OrderedDict()  # since when, and the time it was made

    async def claim(self, key: str, now: datetime, elapsed: float) -> Claim:
        """Record a write before it is sent."""
        lost, under_way = self._lost.get(key, (None, False))
        if under_way:
            return Claim(lost, busy=True)
        if lost is not None and lost < now - KEPT:
            del self._lost[key]
            lost = None
        since = lost or self._made_after(key, monotonic() - elapsed)
        self._lost[key] = (since or now, True)
        if len(self._lost) > MOST:
            self._lost.popitem(last=False)
        return Claim(since)

    async def find(self, key: str, now: datetime) -> datetime | None:
        """Return when a lost write was first sent."""
        lost, under_way = self._lost.get(key, (None, False))
        return None if lost is None or under_way or lost < now - KEPT else lost

    async def lose(self, key: str) -> None:
        """Record that its answer was lost."""
        if key in self._lost:
            self._lost[key] = (self._lost[key][0], False)

    async def release(self, key: str, *, made: bool) -> None:
        """Record what became of it."""
        since, _ = self._lost.pop(key, (None, False))
        if made and since is not None:
            self._made[key] = (since, monotonic())
            self._made.move_to_end(key)

    def _made_after(self, key: str, began: float) -> datetime | None:
        while self._made and (len(self._made) > MOST or self._oldest_made() < monotonic() - MADE_SECONDS):
            self._made.popitem(last=False)
        since, made = self._made.get(key, (None, 0.0))
        return since if made > began else None

    def _oldest_made(self) -> float:
        return next(iter(self._made.values()))[1]


class DurableLedger(ABC):
    """A ledger beyond the process, with a `MemoryLedger` beside it; implements `Ledger`.

    A subclass reads and writes what is beyond the process. Where that fails, the memory remains, and the claim says
    that it is not durable.
    """

    def __init__(self) -> None:
        self._local = MemoryLedger()

    async def claim(self, key: str, now: datetime, elapsed: float) -> Claim:
        """Record a write before it is sent, unless another process is sending it."""
        local = await self._local.claim(key, now, elapsed)
        if local.busy:
            return local
        try:
            shared = await self.claim_shared(key, now, elapsed)
        except BaseException:  # cancelled: whether it was recorded is not known, and nothing is sent
            await self._local.lose(key)
            raise
        if shared is None:
            return local
        sinces = [since for since in (local.since, shared.since) if since is not None]
        if shared.busy:
            # The local claim becomes a lost write: the next call of this process looks for what the other one sends.
            await self._local.release(key, made=False)
            await self._local.claim(key, min(sinces, default=now), 0)
            await self._local.lose(key)
        return Claim(min(sinces, default=None), busy=shared.busy, durable=True)

    async def find(self, key: str, now: datetime) -> datetime | None:
        """Return when a lost write was first sent; None if none is known."""
        return await self._local.find(key, now) or await self.find_shared(key)

    async def lose(self, key: str) -> None:
        """Record that the answer to a claimed write was lost."""
        await self._local.lose(key)
        await self.lose_shared(key)

    async def release(self, key: str, *, made: bool) -> None:
        """Record that a claimed write was made, or was refused and can be forgotten."""
        await self._local.release(key, made=made)
        await self.release_shared(key, made=made)

    @abstractmethod
    async def claim_shared(self, key: str, now: datetime, elapsed: float) -> Claim | None:
        """Claim a write beyond the process; None if that cannot be reached. For the arguments, see `Ledger.claim`."""

    @abstractmethod
    async def find_shared(self, key: str) -> datetime | None:
        """Return when a write was first sent whose answer was lost; None if none is recorded or it cannot be read."""

    @abstractmethod
    async def lose_shared(self, key: str) -> None:
        """Record beyond the process that the answer was lost."""

    @abstractmethod
    async def release_shared(self, key: str, *, made: bool) -> None:
        """Record beyond the process that a write was made, or forget it."""
