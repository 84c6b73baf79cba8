"""Requests and responses of plugins' HTTP routes."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import Factory, field, frozen

from stithy_core.errors import InvalidArguments

JSON = "application/json; charset=utf-8"


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
            raise InvalidArguments(f"{name} is given {len(values)} times", suggestion="Give it once.")
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
