"""What travels with the context of a call, into its tasks, threads and jobs: what it may write, and delegated tokens.

The write guard is checked before every write. It refuses tools that are declared as only reading, and ends dry runs. It
belongs to the call and not to a forge, so no plugin can bypass it by omission.

Delegated tokens are forge tokens that a caller sends with a call, used instead of the server's own. They are stored
nowhere.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import blake2b
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, Self

from attrs import Factory, field, frozen

from stithy_core.errors import Refused
from stithy_core.redaction import list_token_secrets, passing

if TYPE_CHECKING:
    from stithy_core.spi.call_wrappers import ToolCall


class PlannedWrite(NamedTuple):  # imported at every start, and a NamedTuple is built faster than an attrs class
    """A write that a dry run did not send.

    Args:
        method: The HTTP method; empty if the forge does not write by HTTP.
        url: The URL; empty if the forge does not write by HTTP.
        body: The JSON text of the body; empty without one.
        operation: The operation with its arguments, if the forge does not write by HTTP.
    """

    method: str = ""
    url: str = ""
    body: str = ""
    operation: str = ""


UNDESCRIBED_WRITE = PlannedWrite()
"""A write without a description."""


class DryRunStop(BaseException):
    """A dry run reached a write. It is not an `Exception`, so that no handler takes it for a failure and continues."""


class WriteGuard:
    """What one call may write, and what it would have written.

    Args:
        tool: The tool that was called.
        writes: Whether the tool is declared as writing.
        dry: Whether the call is a dry run.
        call: The call of a tool; None for a route.

    Attributes:
        planned: The writes that a dry run did not send.
        wrote: When the call last wrote, or when it began if it has not (seconds of `time.monotonic`). An equal write
            of another call after that is the same write.
    """

    __slots__ = ("_before", "call", "dry", "planned", "tool", "writes", "wrote")

    def __init__(self, tool: str, *, writes: bool, dry: bool, call: "ToolCall | None" = None) -> None:
        self.tool = tool
        self.writes = writes
        self.dry = dry
        self.planned: list[PlannedWrite] = []
        self.call = call
        self.wrote = monotonic()

    def __enter__(self) -> Self:
        """Apply to everything that runs until the guard is left."""
        self._before = _GUARD.set(self)
        return self

    def __exit__(self, *raised: object) -> None:
        """Restore the guard of before."""
        _GUARD.reset(self._before)


_GUARD: ContextVar[WriteGuard | None] = ContextVar("write_guard", default=None)


def current_write_guard() -> WriteGuard | None:
    """Return the guard of the current call; None outside of calls."""
    return _GUARD.get()


def is_dry() -> bool:
    """Return whether the current call is a dry run."""
    guard = _GUARD.get()
    return guard is not None and guard.dry


def check_write(planned: PlannedWrite) -> None:
    """Check that the current call may write.

    Raises:
        Refused: The tool is declared as only reading.
        DryRunStop: The call is a dry run; the write was recorded in `planned`.
    """
    guard = _GUARD.get()
    if guard is None:
        return
    if not guard.writes:
        text = f"{guard.tool} is declared as only reading, but tried to write; nothing was written"
        raise Refused(
            text, suggestion="Report it to the plugin's author: the tool's `effects` must match what it does."
        )
    if guard.dry:
        guard.planned.append(planned)
        raise DryRunStop


@contextmanager
def outside_call() -> Iterator[None]:
    """Suspend the guard: exchanging a token is not a write of the call, though it may need a POST."""
    token = _GUARD.set(None)
    try:
        yield
    finally:
        _GUARD.reset(token)


@frozen
class _DelegatedTokens:
    by_alias: Mapping[str, str] = field(default=Factory(dict), repr=False)
    fallback: bool = False


_CURRENT: ContextVar[_DelegatedTokens] = ContextVar("delegated_tokens", default=_DelegatedTokens())  # noqa: B039 -- frozen


@contextmanager
def use_delegated_tokens(tokens: Mapping[str, str], *, fallback: bool = False) -> Iterator[None]:
    """Use a caller's tokens for the length of the block; logs and errors in it show none of them.

    Args:
        tokens: By the alias of the forge.
        fallback: Whether the server's own token may be used for a forge for which the caller sent none.
    """
    before = _CURRENT.set(_DelegatedTokens(tokens, fallback))
    try:
        with passing(secret for token in tokens.values() for secret in list_token_secrets(token)):
            yield
    finally:
        _CURRENT.reset(before)


def delegated_token(alias: str) -> str | None:
    """Return the token that the caller sent for a forge; None if it sent none."""
    return _CURRENT.get().by_alias.get(alias)


def requires_delegated_token() -> bool:
    """Return whether the caller sent tokens, and the server's own must not be used beside them."""
    current = _CURRENT.get()
    return bool(current.by_alias) and not current.fallback


def token_identity() -> str:
    """Return a hash of the caller's tokens, to tell apart whose tokens are used; empty for the server's own."""
    tokens = _CURRENT.get().by_alias
    if not tokens:
        return ""
    text = json.dumps(sorted(tokens.items()))  # no token can imitate another forge's
    return blake2b(text.encode(), digest_size=16, person=b"stithy").hexdigest()
