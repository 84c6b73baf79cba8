"""Requests to the plugins' providers: their failures become MCP errors."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import anyio
import mcp_types as types
from mcp.shared.exceptions import MCPError

from stithy_core.errors import InvalidArguments, NotFound, StithyError
from stithy_core.plugins import providing
from stithy_core.redaction import redact
from stithy_core.sanitize import sendable
from stithy_core.spi.faults import ends_caller

T = TypeVar("T")

log = logging.getLogger("stithy.server")

MOST_COMPLETIONS = 100


async def complete_from(complete: Callable[[], Awaitable[Sequence[str]]], data: dict[str, str]) -> types.CompleteResult:
    """Return a provider's completions, as many as the protocol allows.

    Args:
        complete: Calls the provider.
        data: What identifies the request, for errors.

    Raises:
        MCPError: As for `call_provider`.
    """

    async def answer() -> types.CompleteResult:
        values = list(await complete())
        shown = [sendable(value) for value in values[:MOST_COMPLETIONS]]
        return types.CompleteResult(
            completion=types.Completion(values=shown, total=len(values), has_more=len(values) > len(shown))
        )

    return await call_provider(answer, data)


async def call_provider(call: Callable[[], Awaitable[T]], data: dict[str, str]) -> T:
    """Call a provider.

    Args:
        call: Calls the provider.
        data: What identifies the request, for errors.

    Raises:
        MCPError: -32602 for what the provider does not know or does not accept; -32603 if it fails, without its text.
    """
    try:
        with anyio.fail_after(providing.SECONDS):
            return await call()
    except StithyError as error:
        is_callers = isinstance(error, NotFound | InvalidArguments)
        code = types.INVALID_PARAMS if is_callers else types.INTERNAL_ERROR
        raise MCPError(code, *_format_error(error, data)) from error
    except TimeoutError as error:
        log.exception("a provider is too slow")
        text = f"a provider took longer than {providing.SECONDS:.0f} seconds; retry"
        raise MCPError(types.INTERNAL_ERROR, text, data) from error
    except BaseException as error:
        if ends_caller(error):
            raise
        log.exception("a provider failed")
        raise MCPError(types.INTERNAL_ERROR, "a provider failed; the server's log has the cause", data) from error


def _format_error(error: StithyError, data: dict[str, str]) -> tuple[str, dict[str, str]]:
    """Return message and data of an error. Hosts show the message alone, so it includes the suggestion."""
    if not error.suggestion:
        return redact(error.message), data
    suggestion = redact(error.suggestion)
    return f"{redact(error.message).rstrip('.')}. {suggestion}", {**data, "suggestion": suggestion}
