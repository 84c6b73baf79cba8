"""References such as "package.module:name", loaded at first use, and calls of plugins' providers."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from importlib import import_module
from typing import Any, TypeVar

import anyio

from stithy_core.errors import InvalidSpec
from stithy_core.plugins.interface_versions import suggest_new_name
from stithy_core.spi.faults import ends_caller
from stithy_core.spi.runtime import Contribution, Scope

T = TypeVar("T")

log = logging.getLogger("stithy.plugins")

SECONDS = 10.0
"""How long a provider may take, as a quick tool may."""


def resolve(reference: object) -> Any:
    """Return the object that a reference names; anything else is returned unchanged.

    Raises:
        InvalidSpec: The reference is malformed, or names an object that does not exist.
    """
    if not isinstance(reference, str):
        return reference
    module, colon, name = reference.partition(":")
    if not (module and colon and name):
        raise InvalidSpec(f"invalid reference {reference!r}", suggestion='write it as "package.module:name"')
    try:
        value: Any = import_module(module)
        for part in name.split("."):
            value = getattr(value, part)
    except (ImportError, AttributeError) as error:
        remedy = suggest_new_name(error) or "correct the reference"
        raise InvalidSpec(f"{reference!r} cannot be loaded: {error}", suggestion=remedy) from error
    return value


def create_provider(provider: object, origin: Contribution, scope: Scope) -> Any:
    """Create a provider from its class or a reference; return None if that fails, so that the others are served."""
    try:
        return resolve(provider)(scope)
    except BaseException as error:
        if ends_caller(error):
            raise
        log.exception("cannot create a provider of %s", origin)
        return None


async def list_rows(
    list_all: Callable[[], Awaitable[Sequence[Any]]], convert: Callable[[Any], T], origin: Contribution
) -> Sequence[T]:
    """Return the converted rows of one provider; empty if it raises an error or is too slow."""
    try:
        with anyio.fail_after(SECONDS):
            return [convert(row) for row in await list_all()]
    except BaseException as error:
        if ends_caller(error):
            raise
        log.exception("a provider of %s cannot list", origin)
        return ()
