"""Asking the plugins' providers: what one of them does wrong stays its own."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import mcp_types as types
from mcp.shared.exceptions import MCPError

from stithy_core.errors import InvalidArguments, NotFound, StithyError
from stithy_core.hygiene import sendable
from stithy_core.redaction import redact
from stithy_core.server.contents import Contents

if TYPE_CHECKING:
    from stithy_core.spi import Contribution, Scope

T = TypeVar("T")

log = logging.getLogger("stithy.server")

MOST_COMPLETIONS = 100
SECONDS = 10.0
"""How long a provider may take, as a quick tool may."""


def made(contents: Contents, provider: object, origin: Contribution, scope: Scope) -> Any:
    """Make a provider; one that cannot be made is left out, and the others' lists are served."""
    try:
        return contents.resolve(provider)(scope)
    except (Exception, SystemExit):
        log.exception("a provider of %s cannot be made", origin)
        return None


async def contained(
    list_them: Callable[[], Awaitable[Sequence[Any]]], show: Callable[[Any], T], origin: Contribution
) -> Sequence[T]:
    """List what one provider has; one that raises, hangs, or gives no such rows, must not take the others' away."""
    try:
        with anyio.fail_after(SECONDS):
            return [show(row) for row in await list_them()]
    except (Exception, SystemExit):
        log.exception("a provider of %s cannot list", origin)
        return ()


async def completed(complete: Callable[[], Awaitable[Sequence[str]]], data: dict[str, str]) -> types.CompleteResult:
    """Complete from what a provider gives, as far as the protocol lets it be shown."""

    async def completed() -> types.CompleteResult:
        values = list(await complete())
        shown = [sendable(value) for value in values[:MOST_COMPLETIONS]]
        return types.CompleteResult(
            completion=types.Completion(values=shown, total=len(values), has_more=len(values) > len(shown))
        )

    return await read(completed, data)


async def read(get: Callable[[], Awaitable[T]], data: dict[str, str]) -> T:
    """Read from a provider; what it does not know is the caller's error, what breaks in it is masked."""
    try:
        with anyio.fail_after(SECONDS):
            return await get()
    except (NotFound, InvalidArguments) as error:
        raise MCPError(types.INVALID_PARAMS, redact(error.message), data) from error
    except StithyError as error:
        raise MCPError(types.INTERNAL_ERROR, redact(error.message), data) from error
    except TimeoutError as error:
        log.exception("a provider is too slow")
        text = f"a provider took longer than {SECONDS:.0f} seconds: try again"
        raise MCPError(types.INTERNAL_ERROR, text, data) from error
    except (Exception, SystemExit) as error:
        log.exception("a provider failed")
        raise MCPError(types.INTERNAL_ERROR, "a provider failed; the server's log has the cause", data) from error
