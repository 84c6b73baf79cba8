"""Answering what a client asks a plugin's provider: what that does wrong stays its own."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import anyio
import mcp_types as types
from mcp.shared.exceptions import MCPError

from stithy_core.containment import ends_caller
from stithy_core.errors import InvalidArguments, NotFound, StithyError
from stithy_core.plugins import providing
from stithy_core.redaction import redact
from stithy_core.sanitize import sendable

T = TypeVar("T")

log = logging.getLogger("stithy.server")

MOST_COMPLETIONS = 100


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
        with anyio.fail_after(providing.SECONDS):
            return await get()
    except StithyError as error:
        known = isinstance(error, NotFound | InvalidArguments)
        code = types.INVALID_PARAMS if known else types.INTERNAL_ERROR
        raise MCPError(code, *_told(error, data)) from error
    except TimeoutError as error:
        log.exception("a provider is too slow")
        text = f"a provider took longer than {providing.SECONDS:.0f} seconds: try again"
        raise MCPError(types.INTERNAL_ERROR, text, data) from error
    except BaseException as error:
        if ends_caller(error):
            raise
        log.exception("a provider failed")
        raise MCPError(types.INTERNAL_ERROR, "a provider failed; the server's log has the cause", data) from error


def _told(error: StithyError, data: dict[str, str]) -> tuple[str, dict[str, str]]:
    """Say what is wrong and what to do next: hosts show the message alone, programs read the data."""
    if not error.suggestion:
        return redact(error.message), data
    suggestion = redact(error.suggestion)
    return f"{redact(error.message).rstrip('.')}. {suggestion}", {**data, "suggestion": suggestion}
