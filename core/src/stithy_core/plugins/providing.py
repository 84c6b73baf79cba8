"""Asking the plugins' providers for their lists: what one of them does wrong stays its own."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

import anyio

from stithy_core.plugins.references import resolve
from stithy_core.spi.faults import ends_caller
from stithy_core.spi.runtime import Contribution, Scope

T = TypeVar("T")

log = logging.getLogger("stithy.plugins")

SECONDS = 10.0
"""How long a provider may take, as a quick tool may."""


def made(provider: object, origin: Contribution, scope: Scope) -> Any:
    """Make a provider; one that cannot be made is left out, and the others' lists are served."""
    try:
        return resolve(provider)(scope)
    except BaseException as error:
        if ends_caller(error):
            raise
        log.exception("a provider of %s cannot be made", origin)
        return None


async def listed(
    list_them: Callable[[], Awaitable[Sequence[Any]]], show: Callable[[Any], T], origin: Contribution
) -> Sequence[T]:
    """List what one provider has; one that raises, hangs, or gives no such rows, must not take the others' away."""
    try:
        with anyio.fail_after(SECONDS):
            return [show(row) for row in await list_them()]
    except BaseException as error:
        if ends_caller(error):
            raise
        log.exception("a provider of %s cannot list", origin)
        return ()
