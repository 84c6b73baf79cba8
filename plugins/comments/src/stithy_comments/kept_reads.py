"""What the first page of a list was made from, kept for its further pages.

A result is cut into pages by its size, so that every page is made from the same requests to the forge. What a page
read is kept, by token, and used for the next page if the forge confirms, by the time of the pull request's last
change, that it is current. Otherwise it is read again, and the answer says so.
"""

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from attrs import frozen

from stithy_core.spi import Context, Forge, Hint, Issue, IssueRef, Listing, PullRequestRef, Scope, Thread, Unknown

T = TypeVar("T")

MOST_BYTES = 32_000_000
"""The approximate size of everything that a server keeps."""
LIFETIME = 600.0
"""Seconds: not every forge counts a resolved thread as a change of its pull request."""
OVERHEAD = 1_000
"""The approximate bytes of an item beside its text."""
CHANGED = "It changed since the previous page and was read again: new entries may stand before this page"


@frozen
class KeptRead:
    """What was read for a page.

    Args:
        value: The value.
        subject: Its pull request or issue as it was then; None if it was not read.
        as_of: The time of the forge's clock at which it was read.
        expires_at: When it is dropped, in seconds of `time.monotonic`.
        size: Approximate size in bytes.
    """

    value: Any
    subject: Issue | None
    as_of: datetime
    expires_at: float
    size: int

    def is_current(self, subject: Issue) -> bool:
        """Return whether a pull request or issue, as it is now, has not changed since."""
        if isinstance(subject.updated_at, Unknown):
            return False
        if self.subject is None:
            return subject.updated_at <= self.as_of
        return (self.subject.updated_at, self.subject.comment_count) == (subject.updated_at, subject.comment_count)


class KeptReads:
    """The values that were read last.

    Args:
        clock: Returns the time in seconds.
        most_bytes: The approximate size of all values together; a larger one is not kept.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, most_bytes: int = MOST_BYTES) -> None:
        self._clock = clock
        self._most_bytes = most_bytes
        self._entries: OrderedDict[tuple[Hashable, ...], KeptRead] = OrderedDict()

    @classmethod
    def create(cls, scope: Scope) -> "KeptReads":  # noqa: ARG003 -- `Context.shared` passes it
        """Create the instance that a server shares among its calls."""
        return cls()

    def expiry(self) -> float:
        """Return when a value that is kept now expires."""
        return self._clock() + LIFETIME

    def get(self, key: tuple[Hashable, ...]) -> KeptRead | None:
        """Return a value; None if it was never kept, or dropped since."""
        entry = self._entries.get(key)
        if entry is None or entry.expires_at <= self._clock():
            return None
        self._entries.move_to_end(key)
        return entry

    def store(self, key: tuple[Hashable, ...], entry: KeptRead) -> None:
        """Keep a value in place of an earlier one; those that were not used for longest are dropped for it."""
        self._entries.pop(key, None)
        if entry.size <= self._most_bytes:
            self._entries[key] = entry
        while sum(entry.size for entry in self._entries.values()) > self._most_bytes:
            self._entries.popitem(last=False)

    def forget(self, forge: Forge, ref: IssueRef) -> None:
        """Drop all that was read of a pull request or issue, after a write that may not count as its change."""
        name = _name_subject(forge, ref)
        for key in [key for key in self._entries if key[0] == name]:
            del self._entries[key]


@frozen(kw_only=True)
class PageSource(Generic[T]):
    """What a page is made from.

    Args:
        value: What was read, now or for the page before.
        changed: Whether it changed since the page before and was read again.
        keep: Keeps a value in place of `value` for the next page, such as one that was read further.
    """

    value: T
    changed: bool
    keep: Callable[[T], None]


async def read_for_page(
    ctx: Context,
    forge: Forge,
    ref: IssueRef,
    name: Hashable,
    read: Callable[[], Awaitable[T]],
    *,
    subject: Issue | None = None,
    subject_of: Callable[[T], Issue | None] | None = None,
    parts: Callable[[T], Iterable[Any]] = lambda value: (value,),
) -> PageSource[T]:
    """Return what the page of a call is made from, read once for all pages as long as it does not change.

    Args:
        ctx: The call.
        forge: The forge.
        ref: The pull request or issue that is read.
        name: What is read of it: the tool, and those of its arguments that decide.
        read: Reads it.
        subject: The pull request or issue, where this call has read it already.
        subject_of: Returns the pull request or issue of a value, if that was read with it.
        parts: Returns the records or listings of a value, to estimate its size.
    """
    reads = ctx.shared(KeptReads.create)
    key = (_name_subject(forge, ref), await forge.token_identity(), name)

    def create_entry(value: T, as_of: datetime) -> KeptRead:
        of_value = subject_of(value) if subject_of else subject
        return KeptRead(value, of_value, as_of, reads.expiry(), measure(parts(value)))

    kept = reads.get(key) if ctx.after is not None else None
    is_current = kept is not None and kept.is_current(subject or await _read_subject(forge, ref))
    if kept is None or not is_current:
        started = time.monotonic()
        value = await read()
        entry = create_entry(value, forge.now() - timedelta(seconds=time.monotonic() - started))
        reads.store(key, entry)
    else:
        entry = kept
    return PageSource(
        value=entry.value,
        changed=kept is not None and not is_current,
        keep=lambda value: reads.store(key, create_entry(value, entry.as_of)),
    )


def format_changed(*, changed: bool | None) -> Iterator[str]:
    """Iterate over the line that says that a list changed since its previous page; none if it did not."""
    if changed:
        yield Hint(CHANGED)


def forget_reads(ctx: Context, forge: Forge, ref: IssueRef) -> None:
    """Drop what was read of a pull request, after a write that may not count as its change."""
    ctx.shared(KeptReads.create).forget(forge, ref)


async def _read_subject(forge: Forge, ref: IssueRef) -> Issue:
    return await (forge.pull_requests.get(ref) if isinstance(ref, PullRequestRef) else forge.issues.get(ref))


def _name_subject(forge: Forge, ref: IssueRef) -> str:
    return f"{forge.config.alias} {ref}".lower()


def measure(parts: Iterable[Any]) -> int:
    """Return the approximate size of records and listings in bytes."""
    return sum(map(_measure_part, parts))


def _measure_part(part: Any) -> int:
    if isinstance(part, Listing):
        return measure(part)
    if isinstance(part, Thread):
        return OVERHEAD * (len(part.comments) + 1) + len(part.hunk) + sum(len(one.body) for one in part.comments)
    return OVERHEAD + len(getattr(part, "body", None) or "")
