"""Writes that must not be repeated blindly."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from datetime import datetime, timedelta
from functools import partial
from hashlib import blake2b
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import anyio

from stithy_core.errors import Conflict, ForgeError, StithyError, Unclear
from stithy_core.spi.door import is_dry
from stithy_core.spi.ledger import Ledger, OwnLedger, claimed
from stithy_core.spi.lent import identity

T = TypeVar("T")

MOST = 1_000
KEPT = timedelta(days=1)
AGAIN = 5.0
UNREADABLE = (LookupError, TypeError, ValueError, AttributeError)
"""What the making of a record stumbles over where an answer has another shape than its API's."""


def _as_it_is(answer: Any) -> Any:
    return answer


async def _sent(send: Callable[[], Awaitable[Any]], read: Callable[[Any], T]) -> T:
    answer = await send()
    try:
        return read(answer)
    except UNREADABLE as error:
        text = f"the answer to a write is not what the API promises ({type(error).__name__})"
        raise Unclear(text) from error


class Outbox:
    """Sends writes of which a forge keeps no idempotency key, and never one of them twice.

    When an answer is lost, the target is read back: what is found there is the answer. What is not found may still be
    under way, so nothing is sent again; the write is remembered, and when a caller asks for the same once more the
    target is read back first. The same write asked for twice at once takes turns, and the second looks for the first.

    Args:
        ledger: Where several servers know of each other's; a server that shares with nobody needs none.
        place: Where the forge is, which tells its writes from those of others.
    """

    def __init__(self, ledger: Ledger | None = None, *, place: str = "") -> None:
        self._ledger = ledger or OwnLedger()
        self._place = place
        self._lost: OrderedDict[Hashable, datetime] = OrderedDict()
        self._turns: WeakValueDictionary[Hashable, anyio.Lock] = WeakValueDictionary()

    async def deliver(
        self,
        key: Hashable,
        now: datetime,
        send: Callable[[], Awaitable[Any]],
        find: Callable[[datetime], Awaitable[T | None]],
        *,
        read: Callable[[Any], T] = _as_it_is,
    ) -> T:
        """Send a write, and give what it made.

        Args:
            key: What makes two writes the same: the place and the text.
            now: The server's time before it is sent.
            send: Sends it once.
            find: Looks for what was written since a time, and gives it, or None.
            read: Makes of what `send` gave what was made; where it cannot, the answer counts as lost.

        Raises:
            Conflict: Another server is sending the same write.
            Unclear: The answer was lost and the write was not found; it is looked for again before it is sent again.
        """
        sent = partial(_sent, send, read)
        key = (identity(), key)  # what one caller wrote with a token of its own is no other's first attempt
        if is_dry():
            return await self._rehearse(key, sent, find)
        self._forget(now - KEPT)
        lost = self._lost.get(key)
        self._lost.setdefault(key, now)  # before anything is awaited, so that a twin that comes meanwhile looks first
        async with (
            self._turns.setdefault(key, anyio.Lock()),
            claimed(self._ledger, self._name(key), now) as (claim, settling),
        ):
            if claim.busy:
                self._lost[key] = claim.since or now
                raise _busy()
            try:
                return await self._deliver(key, now, _earlier(lost, claim.since), sent, find)
            finally:
                settling.settled = key not in self._lost

    def _name(self, key: Hashable) -> str:
        """Name a write without saying anything of it."""
        return blake2b(f"{self._place}\n{key!r}".encode(), digest_size=16, person=b"stithy").hexdigest()

    async def _deliver(
        self,
        key: Hashable,
        now: datetime,
        lost: datetime | None,
        send: Callable[[], Awaitable[T]],
        find: Callable[[datetime], Awaitable[T | None]],
    ) -> T:
        """Look for an earlier attempt, if there was one, and send it else."""
        if lost is not None and (found := await find(lost)) is not None:
            self._lost.pop(key, None)
            return found
        try:
            return await self._attempt(key, lost or now, send, find)
        except Unclear:
            raise
        except StithyError:
            if lost is None:
                self._lost.pop(key, None)  # the forge refused it: there is nothing to look for
            raise

    async def _rehearse(
        self, key: Hashable, send: Callable[[], Awaitable[T]], find: Callable[[datetime], Awaitable[T | None]]
    ) -> T:
        """Go as far as a write would: look for the first attempt, then come to the door. Nothing is noted here."""
        began = self._lost.get(key)
        found = None if began is None else await find(began)
        return await send() if found is None else found

    async def _attempt(
        self,
        key: Hashable,
        began: datetime,
        send: Callable[[], Awaitable[T]],
        find: Callable[[datetime], Awaitable[T | None]],
    ) -> T:
        self._lost[key] = began
        try:
            made = await send()
        except Unclear as unclear:
            made = await self._read_back(unclear, began, find)
        # Whatever else ends the attempt, above all a cancellation, leaves the write on the list of the lost.
        self._lost.pop(key, None)
        return made

    async def _read_back(self, unclear: Unclear, began: datetime, find: Callable[[datetime], Awaitable[T | None]]) -> T:
        try:
            found = await find(began)
        except ForgeError as error:
            raise _lost(unclear, f"and it could not be read back ({error.message})") from error
        if found is None:
            raise _lost(unclear, "and it was not there when the target was read back") from unclear
        return found

    def _forget(self, before: datetime) -> None:
        while self._lost and (len(self._lost) > MOST or next(iter(self._lost.values())) < before):
            self._lost.popitem(last=False)


def _earlier(one: datetime | None, other: datetime | None) -> datetime | None:
    return min(one, other) if one and other else one or other


def _busy() -> Conflict:
    return Conflict(
        "another server is sending the same write; nothing was sent here",
        suggestion="Repeat the same call in a moment: it looks for the first attempt before it sends anything.",
        retry_after=AGAIN,
    )


def _lost(unclear: Unclear, then: str) -> Unclear:
    return Unclear(
        f"{unclear.message}, {then}; it was sent once and not again",
        suggestion="Repeat the same call: it looks for the first attempt before it sends anything.",
        retry_after=unclear.retry_after,
        details=unclear.details,
    )
