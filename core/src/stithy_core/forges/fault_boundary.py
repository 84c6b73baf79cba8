"""Faults of a forge stay with the plugin that brings it, whichever tool of whichever plugin asked the forge."""

import functools
import inspect
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from types import CoroutineType
from typing import Any

from stithy_core.containment import ends_caller, leaves_of, locate
from stithy_core.errors import StithyError
from stithy_core.forges.signatures import override_fault
from stithy_core.spi import Contribution, Forge, operations
from stithy_core.spi.capabilities import owner_of
from stithy_core.spi.faults import PluginFault
from stithy_core.spi.write_guard import DryRunStop

log = logging.getLogger("stithy.forges")

Misfit = Callable[[Any], str]
"""Describes what of a result does not fit, `[2].author is str, not User`; empty where all does."""
ResultCheck = Callable[[Callable[..., Any]], Misfit]
"""Makes the check of a method's results from its return annotation."""

OWN = (Forge.identify, Forge.command, Forge.owners_file, Forge.supports)
"""Methods of a forge itself that run its plugin's code."""
REMEDY = "The server's log has the cause; report it to the author of the forge's plugin."


WRAPPERS = frozenset({__name__, "stithy_core.spi.answers", "stithy_core.spi.support"})
"""Modules that call what a plugin wrote: a TypeError whose innermost frame is theirs was raised by the call itself."""


class FaultBoundary:
    """What stands around every operation of the forges of one kind.

    Args:
        kind: The kind's name.
        origin: The plugin that brings it.
        check: Makes the checks of results.

    Attributes:
        faults: The last fault of each operation that failed at its last call, by its name.
    """

    def __init__(self, kind: str, origin: Contribution, check: ResultCheck) -> None:
        self.kind = kind
        self.origin = origin
        self.check = functools.cache(check)
        self.faults: dict[str, PluginFault] = {}

    def surround(self, forge: Forge) -> Forge:
        """Put the boundary around a forge, in place: its own calls of its operations pass it, too."""
        for operation in operations():
            capability = getattr(forge, owner_of(operation).attribute)
            if getattr(type(capability), operation.__name__) is not operation:
                contain = self._awaited if inspect.iscoroutinefunction(operation) else self._streamed
                setattr(capability, operation.__name__, contain(operation, capability))
        for method in OWN:
            setattr(forge, method.__name__, self._awaited(method, forge))
        return forge

    def fault(self, method: Callable[..., Any], cause: str, error: BaseException | None = None) -> PluginFault:
        """Record and return a fault.

        Args:
            method: The operation, as it stands on its base.
            cause: What is wrong, without texts of the forge or its users.
            error: What was raised.
        """
        name = method.__qualname__
        log.error("%s of the forge kind %s failed inside %s: %s", name, self.kind, self.origin, cause, exc_info=error)
        fault = PluginFault(
            f"{name} of the forge kind {self.kind!r} failed inside {self.origin}",
            suggestion=REMEDY,
            origin=self.origin,
            offer=f"forge kind {self.kind}, {name}",
            cause=cause,
        )
        fault.__cause__ = error
        self.faults[name] = fault
        return fault

    def _judged(
        self, error: BaseException, method: Callable[..., Any], owner: object, given: tuple[Any, Mapping[str, Any]]
    ) -> BaseException:
        """Return what to raise: the error itself if it is one of ours or the caller's own, else a fault."""
        leaves = leaves_of(error)
        if all(isinstance(leaf, StithyError | DryRunStop) for leaf in leaves) or any(map(ends_caller, leaves)):
            return error
        at_the_call = isinstance(error, TypeError) and _is_raised_by_call(error)
        if at_the_call and not _fits(method, owner, given):
            return error  # the caller's arguments are wrong by the interface itself
        cause = override_fault(method, getattr(type(owner), method.__name__)) if at_the_call else ""
        return self.fault(method, cause or f"it raised {locate(error)}", error)

    def _awaited(self, method: Callable[..., Any], owner: object) -> Callable[..., Any]:
        cls, name, label = type(owner), method.__name__, method.__qualname__

        @functools.wraps(method)
        async def call(*args: Any, **kwargs: Any) -> Any:
            try:
                answer = getattr(cls, name)(owner, *args, **kwargs)
                if type(answer) is not CoroutineType:
                    self._check_awaitable(method, answer)
                answer = await answer
            except StithyError:
                raise
            except BaseException as error:
                judged = self._judged(error, method, owner, (args, kwargs))
                if judged is error:
                    raise
                raise judged from error
            if misfit := self.check(method)(answer):
                raise self.fault(method, f"its result{misfit}")
            if self.faults:
                self.faults.pop(label, None)
            return answer

        return call

    def _streamed(self, method: Callable[..., Any], owner: object) -> Callable[..., Any]:
        cls, name = type(owner), method.__name__

        @functools.wraps(method)
        async def stream(*args: Any, **kwargs: Any) -> AsyncIterator[bytes]:
            pieces: Any = None
            try:
                pieces = getattr(cls, name)(owner, *args, **kwargs)
                self._check_stream(method, pieces)
                async for piece in pieces:
                    if type(piece) is not bytes:
                        self._check_piece(method, piece)
                    yield piece
            except StithyError:
                raise
            except BaseException as error:
                judged = self._judged(error, method, owner, (args, kwargs))
                if judged is error:
                    raise
                raise judged from error
            finally:
                if hasattr(pieces, "aclose"):
                    await pieces.aclose()

        return stream

    def _check_awaitable(self, method: Callable[..., Any], answer: object) -> None:
        if not inspect.isawaitable(answer):
            raise self.fault(method, "it is not async: what it returned cannot be awaited")

    def _check_stream(self, method: Callable[..., Any], pieces: object) -> None:
        if inspect.iscoroutine(pieces):
            pieces.close()
        if not hasattr(pieces, "__aiter__"):
            raise self.fault(method, "it is no async generator")

    def _check_piece(self, method: Callable[..., Any], piece: object) -> None:
        if not isinstance(piece, bytes):
            raise self.fault(method, f"it yielded {type(piece).__name__}, not bytes")


def _fits(method: Callable[..., Any], owner: object, given: tuple[Any, Mapping[str, Any]]) -> bool:
    try:
        inspect.signature(method).bind(owner, *given[0], **given[1])
    except TypeError:
        return False
    return True


def _is_raised_by_call(error: BaseException) -> bool:
    entry = error.__traceback__
    while entry is not None and entry.tb_next is not None:
        entry = entry.tb_next
    return entry is not None and entry.tb_frame.f_globals.get("__name__") in WRAPPERS
