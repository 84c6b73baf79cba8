"""Writes that must not be repeated blindly."""

from collections.abc import Awaitable, Callable, Hashable
from datetime import datetime, timedelta
from functools import partial
from hashlib import blake2b
from time import monotonic
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import anyio

from stithy_core.errors import Conflict, ForgeError, StithyError, Unclear
from stithy_core.spi.answers import UNREADABLE, blame_answers
from stithy_core.spi.ledger import Claim, Ledger, MemoryLedger
from stithy_core.spi.write_guard import current_write_guard, is_dry

T = TypeVar("T")

AGAIN = 5.0
HARMLESS = "Repeat the same call: doing it twice does no harm."
PATIENCE = 10.0
"""Seconds that a write waits for another process that sends the same one."""
PAUSE = 0.1


def _as_it_is(answer: Any) -> Any:
    return answer


async def _nobody() -> str:
    return ""


async def _sent(send: Callable[[], Awaitable[Any]], read: Callable[[Any], T]) -> T:
    answer = await send()
    try:
        return read(answer)
    except UNREADABLE as error:
        blamed = await blame_answers(error)
        if isinstance(blamed, Unclear):
            raise blamed from error
        text = f"the answer to a write is not what the API promises ({type(error).__name__})"
        raise Unclear(text) from error


class IdempotentWriter:
    """Sends writes to forges that have no idempotency keys, and none of them twice.

    If a response is lost, the target is read back, and what is found there is the result. A write that is not found
    may still arrive, so it is not sent again: it stays in the ledger, and when a caller repeats the call, the target
    is read back first. Of overlapping calls for the same write one sends it, and the others find its result.

    Args:
        ledger: Records each write before it is sent; by default in memory.
        place: Where the forge is, which tells its writes from those of others.
        identity: Tells whose token is used: what one account wrote is no other's first attempt.
        patience: Seconds to wait for another process that sends the same write.
    """

    def __init__(
        self,
        ledger: Ledger | None = None,
        *,
        place: str = "",
        identity: Callable[[], Awaitable[str]] = _nobody,
        patience: float = PATIENCE,
    ) -> None:
        self._ledger = ledger or MemoryLedger()
        self._place = place
        self._identity = identity
        self._patience = patience
        self._turns: WeakValueDictionary[str, anyio.Lock] = WeakValueDictionary()

    async def write(
        self,
        key: Hashable,
        now: datetime,
        send: Callable[[], Awaitable[Any]],
        find: Callable[[datetime], Awaitable[T | None]],
        *,
        read: Callable[[Any], T] = _as_it_is,
    ) -> T:
        """Send a write, and return what it made.

        Args:
            key: What makes two writes the same: the place and the text. Its `repr` is the same in every process.
            now: The server's time before it is sent.
            send: Sends it once.
            find: Looks for what was written since a time, and returns it, or None.
            read: Makes of what `send` gave what was made; where it cannot, the answer counts as lost.

        Raises:
            Conflict: Another server has been sending the same write for longer than the patience lasts.
            Unclear: The answer was lost and the write was not found; it is looked for again before it is sent again.
        """
        arrived = monotonic()
        sent = partial(_sent, send, read)
        name = self._name(await self._identity(), key)
        if is_dry():
            return await self._rehearse(name, now, sent, find)
        async with self._turns.setdefault(name, anyio.Lock()):
            claim = await self._claim(name, now, arrived)
            made = refused = False
            try:
                result = await self._write(now, claim, sent, find)
                made = True
            except Unclear:
                raise
            except StithyError:
                refused = claim.since is None  # then there is nothing to look for
                raise
            finally:  # whatever else ends the attempt, above all a cancellation, leaves the write among the lost
                with anyio.CancelScope(shield=True):
                    if made or refused:
                        await self._ledger.release(name, made=made)
                    else:
                        await self._ledger.lose(name)
        if call := current_write_guard():
            call.wrote = monotonic()
        return result

    async def confirm(
        self,
        send: Callable[[], Awaitable[Any]],
        find: Callable[[], Awaitable[T | None]],
        *,
        read: Callable[[Any], T] | None = None,
    ) -> T:
        """Send a write that does the same twice as once, and return what it made: as answered, or as read back.

        Args:
            send: Sends it.
            find: Reads the target back, and returns it if it is as the write makes it, or else None.
            read: Makes of what `send` gave what was made; where it cannot, the answer counts as lost. Without it, the
                target is read back in any case.

        Raises:
            Unclear: The answer was lost, and the target is not as wanted, or could not be read back.
            Conflict: The forge accepted the write, and the target is not as wanted.
        """
        lost: Unclear | None = None
        try:
            if read is not None:
                return await _sent(send, read)
            await send()
        except Unclear as unclear:
            lost = unclear
        found = await _confirmed(find, lost)
        if found is not None:
            return found
        if lost is not None:
            raise _unconfirmed(lost, "and it was not carried out yet when the target was read back") from lost
        raise Conflict("the forge accepted the write, yet the target is as it was", suggestion=HARMLESS)

    def _name(self, identity: str, key: Hashable) -> str:
        """Name a write without showing anything of it."""
        text = f"{self._place}\n{identity}\n{key!r}".encode(errors="surrogatepass")
        return blake2b(text, digest_size=16, person=b"stithy").hexdigest()

    async def _claim(self, name: str, now: datetime, arrived: float) -> Claim:
        """Claim a write; while another process sends it, wait.

        Raises:
            Conflict: It takes too long.
        """
        call = current_write_guard()
        began, since, waited = call.wrote if call else arrived, None, 0.0
        while True:
            claim = await self._ledger.claim(name, now + timedelta(seconds=waited), monotonic() - began)
            since = _earlier(since, claim.since)
            if not claim.busy:
                return claim._replace(since=since)
            if waited >= self._patience:
                raise _busy()
            await anyio.sleep(PAUSE)
            waited = monotonic() - arrived

    async def _write(
        self,
        now: datetime,
        claim: Claim,
        send: Callable[[], Awaitable[T]],
        find: Callable[[datetime], Awaitable[T | None]],
    ) -> T:
        """Return the result of an earlier attempt if it is found; otherwise send the write."""
        if claim.since is not None and (found := await find(claim.since)) is not None:
            return found
        try:
            return await send()
        except Unclear as unclear:
            return await _read_back(unclear, claim.since or now, find, durable=claim.durable)

    async def _rehearse(
        self,
        name: str,
        now: datetime,
        send: Callable[[], Awaitable[T]],
        find: Callable[[datetime], Awaitable[T | None]],
    ) -> T:
        """Do what a write does up to sending: look for the first attempt, check the write. Nothing is recorded."""
        began = await self._ledger.find(name, now)
        found = None if began is None else await find(began)
        return await send() if found is None else found


async def _confirmed(find: Callable[[], Awaitable[T | None]], lost: Unclear | None) -> T | None:
    try:
        return await find()
    except (ForgeError, *UNREADABLE) as error:
        reason = error.message if isinstance(error, ForgeError) else type(error).__name__
        sent = lost or Unclear("the forge accepted the write", retry_after=getattr(error, "retry_after", None))
        raise _unconfirmed(sent, f"and the target could not be read back ({reason})") from error


def _unconfirmed(lost: Unclear, then: str) -> Unclear:
    text = f"{lost.message}, {then}"
    return Unclear(text, suggestion=HARMLESS, retry_after=lost.retry_after, details=lost.details)


async def _read_back(
    unclear: Unclear, began: datetime, find: Callable[[datetime], Awaitable[T | None]], *, durable: bool
) -> T:
    try:
        found = await find(began)
    except ForgeError as error:
        raise _lost(unclear, f"and it could not be read back ({error.message})", durable=durable) from error
    if found is None:
        raise _lost(unclear, "and it was not there when the target was read back", durable=durable) from unclear
    return found


def _earlier(one: datetime | None, other: datetime | None) -> datetime | None:
    return min(one, other) if one and other else one or other


def _busy() -> Conflict:
    return Conflict(
        "another server is sending the same write; nothing was sent here",
        suggestion="Read the conversation in a moment: what the other one sends may be there. Repeat the call only if"
        " it is not.",
        retry_after=AGAIN,
    )


def _lost(unclear: Unclear, then: str, *, durable: bool) -> Unclear:
    again = "it looks for the first attempt before it sends anything."
    kept = f"Repeat the same call within a day: {again}"
    forgotten = (
        f"Repeat the same call to this server, as long as it runs: {again} The attempt could not be recorded for other"
        " processes: after a restart, or with `stithy call`, read the conversation before you repeat it."
    )
    return Unclear(
        f"{unclear.message}, {then}; it was sent once and not again",
        suggestion=kept if durable else forgotten,
        retry_after=unclear.retry_after,
        details=unclear.details,
    )
