"""Writes that must not be repeated blindly, and the ledger that records them."""

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from datetime import datetime, timedelta
from functools import partial
from hashlib import blake2b
from time import monotonic
from typing import Any, NamedTuple, Protocol, TypeVar
from weakref import WeakValueDictionary

import anyio

from stithy_core.errors import Conflict, ForgeError, StithyError, Unclear
from stithy_core.spi.call_state import current_write_guard, is_dry
from stithy_core.spi.operation_checks import UNREADABLE, blame_answers

KEPT = timedelta(days=1)
"""How long a lost write is known."""
MADE_SECONDS = 120.0
"""How long a write that was made is known, for calls that began before it was; longer than any call takes."""
MOST = 1_000


class Claim(NamedTuple):  # every start pays for this module
    """What is known of a write that is about to be sent.

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


T = TypeVar("T")

AGAIN = 5.0
HARMLESS = "Repeat the same call: doing it twice does no harm."
PATIENCE = 10.0
"""Seconds that a write waits for another process that sends the same one."""
PAUSE = 0.1


def _return_unchanged(answer: Any) -> Any:
    return answer


async def _no_identity() -> str:
    return ""


async def _send_and_read(send: Callable[[], Awaitable[Any]], read: Callable[[Any], T]) -> T:
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
        place: The URL of the forge, part of the key of each write.
        identity: Returns a key of the account in use: a write of one account is not the first attempt of another.
        patience: Seconds to wait for another process that sends the same write.
    """

    def __init__(
        self,
        ledger: Ledger | None = None,
        *,
        place: str = "",
        identity: Callable[[], Awaitable[str]] = _no_identity,
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
        read: Callable[[Any], T] = _return_unchanged,
    ) -> T:
        """Send a write, and return what it made.

        Args:
            key: What makes two writes the same: the place and the text. Its `repr` is the same in every process.
            now: The server's time before it is sent.
            send: Sends it once.
            find: Finds the result of the write among what was written since a time; None if it is absent.
            read: Turns the answer of `send` into the result; if it cannot, the answer counts as lost.

        Raises:
            Conflict: Another server has been sending the same write for longer than the patience lasts.
            Unclear: The answer was lost and the write was not found; it is looked for again before it is sent again.
        """
        arrived = monotonic()
        sent = partial(_send_and_read, send, read)
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
            read: Turns the answer of `send` into the result; if it cannot, the answer counts as lost. Without it, the
                target is always read back.

        Raises:
            Unclear: The answer was lost, and the target is not as wanted, or could not be read back.
            Conflict: The forge accepted the write, and the target is not as wanted.
        """
        lost: Unclear | None = None
        try:
            if read is not None:
                return await _send_and_read(send, read)
            await send()
        except Unclear as unclear:
            lost = unclear
        result = await _confirm(find, lost)
        if result is not None:
            return result
        if lost is not None:
            raise _unconfirmed_error(lost, "and it was not carried out yet when the target was read back") from lost
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


async def _confirm(find: Callable[[], Awaitable[T | None]], lost: Unclear | None) -> T | None:
    try:
        return await find()
    except (ForgeError, *UNREADABLE) as error:
        reason = error.message if isinstance(error, ForgeError) else type(error).__name__
        sent = lost or Unclear("the forge accepted the write", retry_after=getattr(error, "retry_after", None))
        raise _unconfirmed_error(sent, f"and the target could not be read back ({reason})") from error


def _unconfirmed_error(lost: Unclear, then: str) -> Unclear:
    text = f"{lost.message}, {then}"
    return Unclear(text, suggestion=HARMLESS, retry_after=lost.retry_after, details=lost.details)


async def _read_back(
    unclear: Unclear, began: datetime, find: Callable[[datetime], Awaitable[T | None]], *, durable: bool
) -> T:
    try:
        found = await find(began)
    except ForgeError as error:
        raise _lost_write_error(unclear, f"and it could not be read back ({error.message})", durable=durable) from error
    if found is None:
        reason = "and it was not there when the target was read back"
        raise _lost_write_error(unclear, reason, durable=durable) from unclear
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


def _lost_write_error(unclear: Unclear, then: str, *, durable: bool) -> Unclear:
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
