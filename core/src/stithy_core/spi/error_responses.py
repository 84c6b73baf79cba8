"""Errors as HTTP responses."""

from collections.abc import Mapping
from http import HTTPStatus
from math import ceil
from typing import Any

from stithy_core import errors
from stithy_core.errors import StithyError
from stithy_core.redaction import redact
from stithy_core.sanitize import clean, sendable
from stithy_core.spi.routes import Response

STATUS: Mapping[type[StithyError], HTTPStatus] = {
    errors.InvalidArguments: HTTPStatus.BAD_REQUEST,
    errors.ToolNotFound: HTTPStatus.NOT_FOUND,
    errors.Refused: HTTPStatus.FORBIDDEN,
    errors.NotFound: HTTPStatus.NOT_FOUND,
    errors.Moved: HTTPStatus.NOT_FOUND,
    # The server's own token is at fault, not the caller's: 401 would make the client replace its credentials.
    errors.Unauthorized: HTTPStatus.BAD_GATEWAY,
    errors.Forbidden: HTTPStatus.FORBIDDEN,
    errors.Archived: HTTPStatus.FORBIDDEN,
    errors.Conflict: HTTPStatus.CONFLICT,
    errors.Rejected: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.RateLimited: HTTPStatus.TOO_MANY_REQUESTS,
    errors.Unavailable: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.Unsupported: HTTPStatus.NOT_IMPLEMENTED,
    errors.ToolTimeout: HTTPStatus.GATEWAY_TIMEOUT,
    errors.ForgeError: HTTPStatus.BAD_GATEWAY,
}
"""The status of each error class, or of its nearest base class; all others are answered 500."""


def error_response(error: StithyError, *, status: int = 0) -> Response:
    """Answer with an error, in the shape of SERVE-8: code, message, and what is known of upstream and of waiting.

    Args:
        error: The error; its suggestion is appended to the message.
        status: A status to use instead of the error's usual one.
    """
    wait = _wait(error)
    return Response.of_json(
        {"error": error_payload(error)},
        status=status or status_of(error),
        headers={} if wait is None else {"Retry-After": str(wait)},
    )


def error_payload(error: StithyError) -> dict[str, Any]:
    """Describe an error as SERVE-8 does: `code` and `message`, and what is known of upstream and of waiting."""
    upstream = error.details.get("status")
    told = {
        "code": code_of(error),
        "message": _readable(error),
        "upstream_status": upstream if isinstance(upstream, int) else None,
        "retry_after_seconds": _wait(error),
    }
    return {name: value for name, value in told.items() if value is not None}


def status_of(error: StithyError) -> int:
    """Return the HTTP status of an error."""
    found = (STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)
    return next(found, HTTPStatus.INTERNAL_SERVER_ERROR)


def code_of(error: StithyError) -> str:
    """Return the code of an error: `not_found` for NotFound."""
    name = type(error).__name__
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def _wait(error: StithyError) -> int | None:
    """Return seconds, rounded up: a client that retries a moment too early is refused again."""
    return None if error.retry_after is None else max(1, ceil(error.retry_after))


def _readable(error: StithyError) -> str:
    text = f"{error.message.rstrip('. ')}. {error.suggestion}" if error.suggestion else error.message
    return clean(sendable(redact(text)))
