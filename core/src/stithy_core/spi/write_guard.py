"""The one door that every write of a call passes: a tool that only reads is refused there, and a dry run ends there.

What a call may write belongs to the call and not to a forge, so it travels with the call's context: into its tasks,
its threads and its jobs. Nothing that a plugin does, or forgets, opens the door.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import NamedTuple, Self

from stithy_core.errors import Refused


class PlannedWrite(NamedTuple):  # every start pays for this module, and attrs would take longer to make it
    """A write that was not made.

    Args:
        method: The HTTP method; empty where the forge is not written to by HTTP.
        url: Where it would have gone; likewise.
        body: The JSON that would have been sent, as it is written; empty where there is none.
        operation: The operation that was not begun, with its arguments, where the forge is not written to by HTTP.
    """

    method: str = ""
    url: str = ""
    body: str = ""
    operation: str = ""


UNDESCRIBED_WRITE = PlannedWrite()
"""A write of which nothing more is known."""


class DryRunStop(BaseException):
    """A dry run has come to a write. It is no `Exception`, so that nobody takes it for a failure and goes on."""


class WriteGuard:
    """What one call may write, what it would have written, and what was kept from it.

    Args:
        tool: What was called.
        writes: Whether the tool says that it writes.
        dry: Whether nothing is to be written.

    Attributes:
        planned: What a dry run would have written.
        withheld: How many texts lockdown kept from the call.
        wrote: When the call made its latest write, or began where it made none, by `time.monotonic`: an equal write
            of another call that was made after it is the same one.
    """

    __slots__ = ("_before", "dry", "planned", "tool", "withheld", "writes", "wrote")

    def __init__(self, tool: str, *, writes: bool, dry: bool) -> None:
        self.tool = tool
        self.writes = writes
        self.dry = dry
        self.planned: list[PlannedWrite] = []
        self.withheld = 0
        self.wrote = monotonic()

    def __enter__(self) -> Self:
        """Hold for all that is done until it is left."""
        self._before = _PASSAGE.set(self)
        return self

    def __exit__(self, *raised: object) -> None:
        """End it."""
        _PASSAGE.reset(self._before)


_PASSAGE: ContextVar[WriteGuard | None] = ContextVar("passage", default=None)


def current_write_guard() -> WriteGuard | None:
    """Give that of the call under way; None outside of calls."""
    return _PASSAGE.get()


def is_dry() -> bool:
    """Say whether nothing is to be written now."""
    under_way = _PASSAGE.get()
    return under_way is not None and under_way.dry


def check_write(planned: PlannedWrite) -> None:
    """Pass where the call under way may write.

    Raises:
        Refused: Its tool says that it only reads.
        NotSent: It is a dry run; the write was noted.
    """
    under_way = _PASSAGE.get()
    if under_way is None:
        return
    if not under_way.writes:
        text = f"{under_way.tool} says that it only reads, and yet it was about to write; nothing was written"
        raise Refused(text, suggestion="Report it to the plugin's author: the tool's effects must say what it does.")
    if under_way.dry:
        under_way.planned.append(planned)
        raise DryRunStop


@contextmanager
def outside_call() -> Iterator[None]:
    """Leave the call meanwhile: getting a token is nobody's write, though it may take a POST."""
    token = _PASSAGE.set(None)
    try:
        yield
    finally:
        _PASSAGE.reset(token)
