"""Which writes are under way or lost, where several servers have to know it of each other."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import NamedTuple, Protocol

import anyio


class Claim(NamedTuple):  # every start pays for this module
    """What is known of a write that somebody is about to send.

    Args:
        since: When it was first sent, where an earlier attempt was lost.
        busy: Whether another server sends it at this moment.
    """

    since: datetime | None = None
    busy: bool = False


class Ledger(Protocol):
    """Keeps writes by a hash that says nothing of them. It never raises: what is lost is known to each server alone."""

    async def claim(self, key: str, now: datetime) -> Claim:
        """Note a write before it is sent; one that is lost, or whose server died, is taken over."""
        ...

    async def lose(self, key: str) -> None:
        """Hear that its answer was lost: whoever claims it next has to look for it."""
        ...

    async def release(self, key: str) -> None:
        """Hear that it is clear what became of it."""
        ...


class OwnLedger:
    """The ledger of a server that shares with nobody: its outbox knows all there is to know."""

    async def claim(self, key: str, now: datetime) -> Claim:
        """Claim it; there is nobody else."""
        return Claim()

    async def lose(self, key: str) -> None:
        """Leave it to the outbox."""

    async def release(self, key: str) -> None:
        """Leave it to the outbox."""


class Settling:
    """How a claimed write ended: lost, unless it is said otherwise."""

    settled = False


@asynccontextmanager
async def claimed(ledger: Ledger, key: str, now: datetime) -> AsyncIterator[tuple[Claim, Settling]]:
    """Claim a write for as long as it is sent and looked for; one that another server is sending stays that server's.

    Args:
        ledger: Where it is noted.
        key: The write.
        now: The server's time before it is sent.
    """
    claim, settling = await ledger.claim(key, now), Settling()
    try:
        yield claim, settling
    finally:
        if not claim.busy:
            with anyio.CancelScope(shield=True):
                await (ledger.release if settling.settled else ledger.lose)(key)
