"""A forge as tools get it: each of its operations runs the guards before and after.

The forge's own plugin uses the forge without guards: what it reads to find a lost comment, for example, must be whole.
"""

import functools
import inspect
from collections.abc import Callable, Sequence
from copy import copy
from datetime import datetime
from inspect import BoundArguments
from typing import Any

from stithy_core.errors import Refused
from stithy_core.spi import (
    CAPABILITIES,
    Capability,
    Forge,
    ForgeConfig,
    ForgeGuard,
    IssueRef,
    RepositoryRef,
    operations,
)
from stithy_core.spi.call_state import PlannedWrite
from stithy_core.spi.call_wrappers import repositories_in
from stithy_core.spi.capabilities import WRITING, Operation, owner_of

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
