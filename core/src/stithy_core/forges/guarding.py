"""A forge as tools are given it: each of its operations asks the guards of its settings before and after.

The forge's own plugin sees the forge as it is: what it reads to find a lost comment again, say, must be whole.
"""

import functools
import inspect
from collections.abc import Callable, Sequence
from copy import copy
from inspect import BoundArguments
from typing import Any, Protocol

from stithy_core.errors import Refused
from stithy_core.spi import CAPABILITIES, Capability, Forge, ForgeConfig, operations
from stithy_core.spi.capabilities import Operation, owner_of

PAST = ("identify", "now", "command", "token_identity")
"""Methods of a forge that guards have nothing to do with, though they may use `http`: they read nobody's words."""


class Guard(Protocol):
    """What stands at the operations of a forge."""

    def before(self, operation: Operation, arguments: BoundArguments) -> None:
        """Pass a call, or raise; nothing was asked of the forge yet.

        Args:
            operation: As it stands on its base.
            arguments: What it is given; what is by default is not among it.
        """
        ...

    async def after(self, operation: Operation, arguments: BoundArguments, answer: Any) -> Any:
        """Give an answer as the tool may have it."""
        ...


class Shut:
    """In the place of `Forge.http`, whose answers no guard could read."""

    def __init__(self, config: ForgeConfig) -> None:
        self._config = config

    def __getattr__(self, name: str) -> Any:
        """Refuse whatever is asked for."""
        if name.startswith("__"):
            raise AttributeError(name)
        raise Refused(
            f"{self._config.alias} is limited by the settings, and tools reach it by its operations only",
            suggestion="Report it to the plugin's author: a tool asks a forge by its capabilities, never by its http.",
        )


def guarded(forge: Forge, guards: Sequence[Guard], *, shut: bool) -> Forge:
    """Give a forge whose operations ask the guards; what it keeps, it shares with the forge itself.

    Args:
        forge: The forge itself.
        guards: In the order in which they are asked.
        shut: Whether `http` is taken away, since it leads past them.
    """
    if not guards:
        return forge
    seen = copy(forge)
    for name in PAST:
        setattr(seen, name, getattr(forge, name))
    for base in CAPABILITIES:
        setattr(seen, base.attribute, copy(getattr(forge, base.attribute)))
    for operation in operations():
        capability: Capability = getattr(forge, owner_of(operation).attribute)
        method = getattr(capability, operation.__name__)
        asking = (_asking if inspect.iscoroutinefunction(operation) else _streaming)(operation, method, guards)
        setattr(getattr(seen, capability.attribute), operation.__name__, asking)
    if shut:
        seen.http = Shut(forge.config)
    return seen


def _signature(operation: Operation) -> inspect.Signature:
    """Return how an operation is called, by its base: what a plugin wrote in its place is the plugin's own."""
    signature = inspect.signature(operation)
    return signature.replace(parameters=list(signature.parameters.values())[1:])


def _asking(operation: Operation, method: Callable[..., Any], guards: Sequence[Guard]) -> Callable[..., Any]:
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


def _streaming(operation: Operation, method: Callable[..., Any], guards: Sequence[Guard]) -> Callable[..., Any]:
    """Ask the guards before a stream begins; nobody's words in it have an author."""
    signature = _signature(operation)

    @functools.wraps(method)
    def call(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs)
        for guard in guards:
            guard.before(operation, given)
        return method(*args, **kwargs)

    return call
