"""Errors as HTTP responses."""

from math import ceil
from typing import Any

from stithy_core.errors import StithyError
from stithy_core.redaction import redact
from stithy_core.sanitize import clean, sendable
from stithy_core.spi.routes import Response


def error_response(error: StithyError, *, status: int = 0) -> Response:
    """Answer with an error, in the shape of SERVE-8: code, message, and what is known of upstream and of waiting.

    Args:
        error: The error; its suggestion is appended to the message.
        status: A status to use instead of the error's usual one.
    """
    wait = _round_wait(error)
    return Response.of_json(
        {"error": error_payload(error)},
        status=status or error.http_status,
        headers={} if wait is None else {"Retry-After": str(wait)},
    )


def error_payload(error: StithyError) -> dict[str, Any]:
    """Describe an error as SERVE-8 does: `code` and `message`, and what is known of upstream and of waiting."""
    upstream = error.details.get("status")
    payload = {
        "code": code_of(error),
        "message": _format_message(error),
        "upstream_status": upstream if isinstance(upstream, int) else None,
        "retry_after_seconds": _round_wait(error),
    }
    return {name: value for name, value in payload.items() if value is not None}


def code_of(error: StithyError) -> str:
    """Return the code of an error: `not_found` for NotFound."""
    name = type(error).__name__
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def _round_wait(error: StithyError) -> int | None:
    """Return seconds, rounded up: a client that retries a moment too early is refused again."""
    return None if error.retry_after is None else max(1, ceil(error.retry_after))


def _format_message(error: StithyError) -> str:
    text = f"{error.message.rstrip('. ')}. {error.suggestion}" if error.suggestion else error.message
    return clean(sendable(redact(text)))
