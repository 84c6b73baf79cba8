"""Whether what a forge overrides can be called as the core calls it."""

import inspect
from collections.abc import Callable, Iterator
from typing import Any

from stithy_core.spi import CAPABILITIES, Forge, operations
from stithy_core.spi.capabilities import owner_of

NEAR = 0.75
_BY_NAME = (inspect.Parameter.KEYWORD_ONLY,)
_OWN = (Forge.identify, Forge.command, Forge.owners_file)


def forge_faults(forge: type[Forge]) -> Iterator[str]:
    """Iterate over what of a forge cannot work, without asking a server: `Threads.reply takes no 'unless_since'`."""
    for method in _OWN:
        yield from _one(method, getattr(forge, method.__name__))
    for capability in forge.capabilities:
        for operation in operations():
            if issubclass(capability, owner_of(operation)):
                yield from _one(operation, getattr(capability, operation.__name__))
        yield from _misspelt(capability)


def override_fault(method: Callable[..., Any], override: Callable[..., Any]) -> str:
    """Return why an override cannot be called as its base is; empty where it can.

    Args:
        method: The operation, as it stands on its base.
        override: What stands in its place.
    """
    return _signature_fault(method, override) or _kind_fault(method, inspect.unwrap(override))


def _signature_fault(method: Callable[..., Any], override: Callable[..., Any]) -> str:
    parameters = inspect.signature(method).parameters.values()
    by_place = [None for one in parameters if one.kind not in _BY_NAME]
    required = [None for one in parameters if one.kind not in _BY_NAME and one.default is one.empty]
    by_name = {one.name: None for one in parameters if one.kind in _BY_NAME}
    try:
        signature = inspect.signature(override)
        signature.bind(*by_place, **by_name)
        signature.bind(*required)
    except (TypeError, ValueError) as error:
        return str(error)
    return ""


def _one(method: Callable[..., Any], override: Callable[..., Any]) -> Iterator[str]:
    if override is not method and (fault := override_fault(method, override)):
        yield f"{method.__qualname__}: {fault}"


def _kind_fault(method: Callable[..., Any], override: Callable[..., Any]) -> str:
    """Return whether an override is a plain function where the base is async, or the other way around."""
    if not inspect.iscoroutinefunction(method):
        return "it must be an async generator, and is a coroutine" if inspect.iscoroutinefunction(override) else ""
    if inspect.isasyncgenfunction(override):
        return "it is an async generator, and must return its result"
    returned = str(getattr(override, "__annotations__", {}).get("return", ""))
    awaitable = "Awaitable" in returned or "Coroutine" in returned
    return "" if inspect.iscoroutinefunction(override) or awaitable else "it is not async"


def _misspelt(capability: type) -> Iterator[str]:
    """Find public methods that are named almost as an operation that is missing."""
    from difflib import get_close_matches

    for base in CAPABILITIES:
        if not issubclass(capability, base):
            continue
        absent = [name for name in vars(base) if getattr(capability, name) is getattr(base, name)]
        missing = [name for name in absent if not name.startswith("_")]
        for name, value in vars(capability).items():
            if callable(value) and not hasattr(base, name) and not name.startswith("_"):
                for near in get_close_matches(name, missing, n=1, cutoff=NEAR):
                    yield f"{capability.__name__}.{name}: no such operation; did you mean {near}?"
