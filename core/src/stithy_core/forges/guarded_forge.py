"""A forge as tools get it: faults are attributed to the plugin that provides it, and guards run around its operations.

The forge's own plugin uses the forge without guards: what it reads to find a lost comment, for example, must be whole.
"""

import functools
import inspect
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from copy import copy
from datetime import datetime
from inspect import BoundArguments
from types import CoroutineType
from typing import Any

from attrs import define, field

from stithy_core.errors import Refused, StithyError
from stithy_core.forges.forge_inspection import describe_lacking_keywords, find_forge_faults
from stithy_core.forges.references import ConfiguredForge
from stithy_core.spi import (
    CAPABILITIES,
    Capability,
    Contribution,
    Forge,
    ForgeConfig,
    ForgeGuard,
    ForgeGuardSpec,
    IssueRef,
    RepositoryRef,
    operations,
)
from stithy_core.spi.call_state import DryRunStop, PlannedWrite
from stithy_core.spi.call_wrappers import repositories_in
from stithy_core.spi.capabilities import WRITING, Operation, owner_of
from stithy_core.spi.faults import PluginFault, create_fault, ends_caller, leaves_of, locate
from stithy_core.spi.git_formats import find_ref_fault
from stithy_core.spi.overrides import OverrideFault, find_override_fault, is_stream

log = logging.getLogger("stithy.forges")

Misfit = Callable[[Any], str]
"""Describes what of a result does not fit, `[2].author is str, not User`; empty where all does."""
ResultCheck = Callable[[Callable[..., Any]], Misfit]
"""Makes the check of a method's results from its return annotation."""

REF_METHODS = (Forge.head_ref, Forge.push_ref)
"""Methods that return a ref of git and are not async."""
FORGE_METHODS = (Forge.identify, Forge.command, Forge.owners_file, Forge.supports, *REF_METHODS)
"""Methods of a forge itself that run its plugin's code."""
REMEDY = "The server's log has the cause; report it to the author of the forge's plugin."

WRAPPERS = frozenset({__name__, "inspect", "stithy_core.spi.operation_checks", "stithy_core.spi.overrides"})
"""Modules that call what a plugin wrote: a TypeError whose innermost frame is theirs was raised by the call itself."""


class FaultBoundary:
    """Checks every call of the operations of forges of one kind, and attributes faults to its plugin.

    Args:
        kind: The kind's name.
        origin: The plugin that provides it.
        check: Creates the checks of results.

    Attributes:
        faults: The last fault of each operation that failed at its last call, by its name.
        unsuitable: What of the forge's classes cannot work, found when the first forge of the kind was created.
        notes: Notes on the keywords that its operations do not take.
    """

    def __init__(self, kind: str, origin: Contribution, check: ResultCheck) -> None:
        self.kind = kind
        self.origin = origin
        self.check = functools.cache(check)
        self.faults: dict[str, PluginFault] = {}
        self.unsuitable: Sequence[OverrideFault] = ()
        self.notes: Sequence[str] = ()

    def prepare(self) -> None:
        """Create the checks of the results of all operations, which are otherwise created by the first call of each."""
        for method in (*operations(), *FORGE_METHODS):
            if not is_stream(method):  # their bytes are checked piece by piece
                self.check(method)

    def inspect(self, forge: object) -> None:
        """Inspect the class of a forge before it is created; a fault of one operation leaves the others."""
        self.unsuitable = tuple(find_forge_faults(forge))
        self.notes = tuple(describe_lacking_keywords(forge))
        for fault in self.unsuitable:
            log.error("the forge kind %s of %s: %s; %s", self.kind, self.origin, fault.cause, fault.remedy)

    def surround(self, forge: Forge) -> Forge:
        """Wrap the operations of a forge, in place; calls that the forge makes itself are checked, too."""
        for operation in operations():
            capability = getattr(forge, owner_of(operation).attribute)
            if getattr(type(capability), operation.__name__) is not operation:
                setattr(capability, operation.__name__, self._contain(operation, capability))
        for method in FORGE_METHODS:
            setattr(forge, method.__name__, self._contain(method, forge))
        return forge

    def record_fault(self, method: Callable[..., Any], cause: str, error: BaseException | None = None) -> PluginFault:
        """Record and return a fault of a call.

        Args:
            method: The operation of the base class.
            cause: What is wrong, without texts of the forge or its users.
            error: What was raised.
        """
        name = method.__qualname__
        log.error("%s of the forge kind %s failed inside %s: %s", name, self.kind, self.origin, cause, exc_info=error)
        fault = self._create_fault(method, cause, REMEDY)
        fault.__cause__ = error
        self.faults[name] = fault
        return fault

    def _create_fault(self, method: Callable[..., Any], cause: str, remedy: str) -> PluginFault:
        return PluginFault(
            f"{method.__qualname__} of the forge kind {self.kind!r} failed inside {self.origin}",
            suggestion=remedy,
            origin=self.origin,
            offer=f"forge kind {self.kind}, {method.__qualname__}",
            cause=cause,
        )

    def _contain(self, method: Callable[..., Any], owner: object) -> Callable[..., Any]:
        """Return what is called in place of a method: its wrapper, or a refusal if its override cannot be called."""
        if (fault := find_override_fault(type(owner), method.__name__)) is not None:
            return self._refuse(method, fault)
        if isinstance(owner, Forge) and method in REF_METHODS:
            return self._wrap_ref(method, owner)
        return self._wrap_stream(method, owner) if is_stream(method) else self._wrap_call(method, owner)

    def _refuse(self, method: Callable[..., Any], fault: OverrideFault) -> Callable[..., Any]:
        """Return a method that raises: an override that is called wrongly might write before it fails."""
        remedy = f"Report it to the author of {self.origin}: {fault.remedy}."

        def refuse_at_once(*args: Any, **kwargs: Any) -> Any:  # noqa: ARG001 -- those of the method
            raise self._create_fault(method, fault.cause, remedy)

        async def refuse(*args: Any, **kwargs: Any) -> Any:  # noqa: ARG001 -- those of the method
            raise self._create_fault(method, fault.cause, remedy)

        return functools.wraps(method)(refuse if inspect.iscoroutinefunction(method) else refuse_at_once)

    def _attribute(
        self, error: BaseException, method: Callable[..., Any], owner: object, given: tuple[Any, Mapping[str, Any]]
    ) -> BaseException:
        """Return what to raise: the error itself if it is one of ours or the caller's own, else a fault."""
        leaves = leaves_of(error)
        if all(isinstance(leaf, StithyError | DryRunStop) for leaf in leaves) or any(map(ends_caller, leaves)):
            return error
        if isinstance(error, TypeError) and _is_raised_by_call(error) and not _fits_signature(method, owner, given):
            return error  # the caller's arguments are wrong by the interface itself
        return self.record_fault(method, f"it raised {locate(error)}", error)

    def _wrap_call(self, method: Callable[..., Any], owner: object) -> Callable[..., Any]:
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
                attributed = self._attribute(error, method, owner, (args, kwargs))
                if attributed is error:
                    raise
                raise attributed from error
            if misfit := self.check(method)(answer):
                raise self.record_fault(method, f"its result{misfit}")
            if self.faults:
                self.faults.pop(label, None)
            return answer

        return call

    def _wrap_ref(self, method: Callable[..., Any], forge: Forge) -> Callable[..., str | None]:
        override: Callable[..., str | None] = getattr(type(forge), method.__name__)

        @functools.wraps(method)
        def call(*args: Any, **kwargs: Any) -> str | None:
            try:
                ref = override(forge, *args, **kwargs)
            except BaseException as error:
                if (attributed := self._attribute(error, method, forge, (args, kwargs))) is error:
                    raise
                raise attributed from error
            fault = find_ref_fault(ref) if isinstance(ref, str) else ""
            if misfit := self.check(method)(ref) or (fault and f" is not a ref that git accepts: {fault}"):
                raise self.record_fault(method, f"its result{misfit}")
            self.faults.pop(method.__qualname__, None)
            return ref

        return call

    def _wrap_stream(self, method: Callable[..., Any], owner: object) -> Callable[..., Any]:
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
                attributed = self._attribute(error, method, owner, (args, kwargs))
                if attributed is error:
                    raise
                raise attributed from error
            finally:
                if hasattr(pieces, "aclose"):
                    await pieces.aclose()

        return stream

    def _check_awaitable(self, method: Callable[..., Any], answer: object) -> None:
        if not inspect.isawaitable(answer):
            raise self.record_fault(method, "it is not async: what it returned cannot be awaited")

    def _check_stream(self, method: Callable[..., Any], pieces: object) -> None:
        if inspect.iscoroutine(pieces):
            pieces.close()
        if not hasattr(pieces, "__aiter__"):
            raise self.record_fault(method, "it is not an async generator")

    def _check_piece(self, method: Callable[..., Any], piece: object) -> None:
        if not isinstance(piece, bytes):
            raise self.record_fault(method, f"it yielded {type(piece).__name__}, not bytes")


def _fits_signature(method: Callable[..., Any], owner: object, given: tuple[Any, Mapping[str, Any]]) -> bool:
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


@define(eq=False)
class BoundGuard:
    """A plugin's guard as a server runs it; its faults are attributed to its plugin.

    Args:
        spec: What the plugin declares.
        origin: The plugin.
        load: Resolves the reference to the guard.

    Attributes:
        last_fault: How the guard failed at its last use; None where it did not.
    """

    spec: ForgeGuardSpec
    origin: Contribution
    load: Callable[[object], Any] = field(repr=False)
    last_fault: PluginFault | None = None

    def applies(self, config: ForgeConfig) -> bool:
        """Return whether a forge gets the guard.

        Raises:
            PluginFault: The plugin's `applies` raised.
        """
        try:
            return bool(self.spec.applies(config))
        except BaseException as error:
            raise self.record_fault(error) from error

    def create(self, forge: Forge) -> ForgeGuard:
        """Create the guard of a forge.

        Raises:
            PluginFault: It cannot be loaded or created.
        """
        try:
            return _ContainedGuard(self.load(self.spec.guard)(forge), self)
        except BaseException as error:
            raise self.record_fault(error) from error

    def record_fault(self, error: BaseException) -> PluginFault:
        """Record and return a fault.

        Raises:
            BaseException: The error itself, where it ends the caller.
        """
        if ends_caller(error) or isinstance(error, DryRunStop):
            raise error
        log.error("the guard %s failed inside %s", self.spec.name, self.origin, exc_info=error)
        self.last_fault = create_fault("guard", self.spec.name, self.origin, error)
        return self.last_fault


class _ContainedGuard(ForgeGuard):
    def __init__(self, guard: ForgeGuard, bound: BoundGuard) -> None:
        super().__init__(guard.forge)
        self._guard = guard
        self._bound = bound

    def before(self, operation: Operation, arguments: BoundArguments) -> None:
        try:
            self._guard.before(operation, arguments)
        except StithyError:
            raise
        except BaseException as error:
            raise self._bound.record_fault(error) from error
        self._bound.last_fault = None

    async def after(self, operation: Operation, arguments: BoundArguments, answer: Any) -> Any:
        try:
            checked = await self._guard.after(operation, arguments, answer)
        except StithyError:
            raise
        except BaseException as error:
            raise self._bound.record_fault(error) from error
        self._bound.last_fault = None
        return checked


UNGUARDED = ("identify", "now", "command", "token_identity")
"""Methods of a forge that are not guarded, though they may use `http`: they return no text of a person."""


class ClosedHttp:
    """Stands in place of `Forge.http`, whose answers no guard could check.

    Args:
        config: The forge.
    """

    def __init__(self, config: ForgeConfig) -> None:
        self._config = config

    def __getattr__(self, name: str) -> Any:
        """Refuse every attribute.

        Raises:
            Refused: Always.
        """
        if name.startswith("__"):
            raise AttributeError(name)
        raise Refused(
            f"{self._config.alias} is limited by the settings: tools cannot use its http",
            suggestion="Report it to the plugin's author: a tool asks a forge by its capabilities, never by its http.",
        )


class AllowListGuard(ForgeGuard):
    """Limits tools to the repositories of the settings, also where an answer leads them to another one.

    Args:
        forge: The forge.
        check: Raises for a repository that may not be touched.
    """

    def __init__(self, forge: Forge, check: Callable[[RepositoryRef], None]) -> None:
        super().__init__(forge)
        self._check = check

    def before(self, operation: Operation, arguments: BoundArguments) -> None:  # noqa: ARG002 -- of the base
        """Check the repositories that the arguments name.

        Raises:
            Refused: The settings do not name one of them.
        """
        for repository in repositories_in(arguments):
            self._check(repository)


class OperationWriteGuard(ForgeGuard):
    """Checks writing operations of a forge that is not written to by HTTP, where no request can be shown."""

    def before(self, operation: Operation, arguments: BoundArguments) -> None:
        """Check that the call under way may write, if the operation writes.

        Raises:
            Refused: The settings or the tool allow no write.
            DryRunStop: The call is a dry run.
        """
        if operation in WRITING:
            given = [_format(value) for value in arguments.args]
            named = [f"{name}={_format(value)}" for name, value in arguments.kwargs.items() if value is not None]
            call = f"{operation.__qualname__}({', '.join(given + named)})"
            self.forge.config.admit_write(PlannedWrite(operation=call))


def _format(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, IssueRef) else repr(value)


def guard_forge(forge: Forge, guards: Sequence[ForgeGuard], *, close_http: bool) -> Forge:
    """Return a forge whose operations run guards; its state is shared with the forge itself.

    Args:
        forge: The forge itself.
        guards: In the order in which they run.
        close_http: Whether tools lose `http`, which leads past the guards.
    """
    if not guards:
        return forge
    seen = copy(forge)
    for name in UNGUARDED:
        setattr(seen, name, getattr(forge, name))
    for base in CAPABILITIES:
        setattr(seen, base.attribute, copy(getattr(forge, base.attribute)))
    for operation in operations():
        capability: Capability = getattr(forge, owner_of(operation).attribute)
        method = getattr(capability, operation.__name__)
        guard = _guard_call if inspect.iscoroutinefunction(operation) else _guard_stream
        setattr(getattr(seen, capability.attribute), operation.__name__, guard(operation, method, guards))
    if close_http:
        seen.http = ClosedHttp(forge.config)
    return seen


def _signature(operation: Operation) -> inspect.Signature:
    """Return how an operation is called, by its base class: an override may have other parameter names."""
    signature = inspect.signature(operation)
    return signature.replace(parameters=list(signature.parameters.values())[1:])


def _guard_call(operation: Operation, method: Callable[..., Any], guards: Sequence[ForgeGuard]) -> Callable[..., Any]:
    signature = _signature(operation)

    @functools.wraps(method)
    async def call(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs)
        for guard in guards:
            guard.before(operation, given)
        answer = await method(*args, **kwargs)
        for guard in guards:
            answer = await guard.after(operation, given, answer)
        return answer

    return call


def _guard_stream(operation: Operation, method: Callable[..., Any], guards: Sequence[ForgeGuard]) -> Callable[..., Any]:
    """Run the guards before a stream begins; its bytes have no author that could be checked."""
    signature = _signature(operation)

    @functools.wraps(method)
    def call(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs)
        for guard in guards:
            guard.before(operation, given)
        return method(*args, **kwargs)

    return call


def apply_guards(forge: Forge, configured: ConfiguredForge, plugin_guards: Sequence[BoundGuard]) -> Forge:
    """Return a forge whose operations ask the allow-list of the settings and the guards of plugins first."""
    guards: list[ForgeGuard] = []
    if configured.repositories:
        guards.append(AllowListGuard(forge, configured.admit))
    if not forge.writes_by_http:
        guards.append(OperationWriteGuard(forge))
    guards += [guard.create(forge) for guard in plugin_guards]
    return guard_forge(forge, guards, close_http=bool(configured.repositories or plugin_guards))
