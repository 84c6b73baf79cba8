"""Requests and responses of plugins' HTTP routes, and errors as responses."""

import json
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from attrs import Factory, field, frozen

from stithy_core.errors import InvalidArguments, StithyError
from stithy_core.redaction import redact
from stithy_core.sanitize import clean, sendable


@frozen(kw_only=True)
class Request:
    """An HTTP request to a plugin's route, from an allowed host and, where required, authenticated.

    Args:
        method: The method in upper case. A HEAD request arrives as GET; the body of its response is not sent.
        path: The decoded path.
        parameters: The decoded values of the path's variables; never empty, without a slash.
        query: The decoded values of each query parameter, in their order.
        headers: Headers by name in lower case, without credentials; repeated ones are joined by commas.
        body: The body, within the limit of the settings.
        id: The request's id in the log and in the response's `X-Request-Id`.
        caller: Identifies the caller, for limits per caller: holder:NAME or a subject, otherwise the address.
        identity: Identifies the forge tokens in use: empty for the server's own, otherwise a hash of the delegated
            ones. Nothing that was read with one identity may be returned to another.
    """

    method: str
    path: str
    parameters: Mapping[str, str] = Factory(dict)
    query: Mapping[str, Sequence[str]] = Factory(dict)
    headers: Mapping[str, str] = field(factory=dict, repr=False)  # they may hold private data
    body: bytes = field(default=b"", repr=False)
    id: str = ""
    caller: str = ""
    identity: str = ""

    def one(self, name: str) -> str | None:
        """Return the value of a query parameter; None if it is absent.

        Raises:
            InvalidArguments: The parameter is given more than once.
        """
        values = self.query.get(name, ())
        if len(values) > 1:
            raise InvalidArguments(f"{name} occurs {len(values)} times", suggestion="Pass it once.")
        return values[0] if values else None


@frozen(kw_only=True)
class Response:
    """The response of a plugin's route.

    Args:
        status: From 200 to 599.
        body: The body; the server adds its length.
        headers: `Content-Type`, `ETag`, … in ASCII; the server sets those of the connection.
    """

    status: int = 200
    body: bytes = field(default=b"", repr=False)
    headers: Mapping[str, str] = Factory(dict)

    @classmethod
    def of_json(cls, value: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> "Response":
        """Create a response of compact JSON, as `application/json; charset=utf-8`."""
        body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
        return cls(status=status, body=body, headers={"Content-Type": JSON} | dict(headers or {}))


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


JSON = "application/json; charset=utf-8"
