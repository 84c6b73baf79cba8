"""Writes that must not be repeated blindly."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from datetime import datetime, timedelta
from typing import TypeVar
from weakref import WeakValueDictionary

import anyio

from stithy_core.errors import ForgeError, StithyError, Unclear

T = TypeVar("T")

MOST = 1_000
KEPT = timedelta(days=1)


class Outbox:
    """Sends writes of which a forge keeps no idempotency key, and never one of them twice.

    When an answer is lost, the target is read back: what is found there is the answer. What is not found may still be
    under way, so nothing is sent again; the write is remembered, and when a caller asks for the same once more the
    target is read back first. The same write asked for twice at once takes turns, and the second looks for the first.
    """

    def __init__(self) -> None:
        self._lost: OrderedDict[Hashable, datetime] = OrderedDict()
        self._turns: WeakValueDictionary[Hashable, anyio.Lock] = WeakValueDictionary()

    async def deliver(
        self,
        key: Hashable,
        now: datetime,
        send: Callable[[], Awaitable[T]],
        find: Callable[[datetime], Awaitable[T | None]],
    ) -> T:
        """Send a write, and give what it made.

        Args:
            key: What makes two writes the same: the place and the text.
            now: The server's time before it is sent.
            send: Sends it once.
            find: Looks for what was written since a time, and gives it, or None.

        Raises:
            Unclear: The answer was lost and the write was not found; it is looked for again before it is sent again.
        """
        self._forget(now - KEPT)
        lost = self._lost.get(key)
        self._lost.setdefault(key, now)  # before anything is awaited, so that a twin that comes meanwhile looks first
        async with self._turns.setdefault(key, anyio.Lock()):
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


def _lost(unclear: Unclear, then: str) -> Unclear:
    return Unclear(
        f"{unclear.message}, {then}; it was sent once and not again",
        suggestion="Repeat the same call: it looks for the first attempt before it sends anything.",
        details=unclear.details,
    )
