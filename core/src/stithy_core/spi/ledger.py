"""What is known of writes that are under way, lost, or were made a moment ago."""

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
