"""What a plugin's HTTP route is given, and what it answers."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import Factory, field, frozen

from stithy_core.errors import InvalidArguments

JSON = "application/json; charset=utf-8"


@frozen(kw_only=True)
class Request:
    """An HTTP request to a plugin's route; it came from an allowed host and, where that is wanted, is authenticated.

    Args:
        method: In capitals. A HEAD request arrives as GET; its answer's body is not sent.
        path: Decoded.
        parameters: What stands in the path for each name in braces, decoded; never empty, and without a slash.
        query: The values of each parameter behind the question mark, decoded, in their order.
        headers: By name in small letters, without what authenticates; one that came twice has a comma between.
        body: As it was sent, within the limit of the settings.
        id: What names the request in the log and in the answer's `X-Request-Id`.
        caller: What tells callers apart, so that each can be counted: holder:NAME or a subject, else the address.
        identity: What tells apart whose forge tokens are used: empty for the server's own, else a hash of what the
            caller lent. Nothing that was read for one may be shown to another.
    """

    method: str
    path: str
    parameters: Mapping[str, str] = Factory(dict)
    query: Mapping[str, Sequence[str]] = Factory(dict)
    headers: Mapping[str, str] = field(factory=dict, repr=False)  # they may hold what is nobody's business
    body: bytes = field(default=b"", repr=False)
    id: str = ""
    caller: str = ""
    identity: str = ""

    def one(self, name: str) -> str | None:
        """Give the value of a query parameter; None where it is not there.

        Raises:
            InvalidArguments: It is there more than once, so that nobody knows which is meant.
        """
        values = self.query.get(name, ())
        if len(values) > 1:
            raise InvalidArguments(f"{name} is given {len(values)} times", suggestion="Give it once.")
        return values[0] if values else None


@frozen(kw_only=True)
class Response:
    """The answer of a plugin's route.

    Args:
        status: From 200 to 599.
        body: What is sent; its length is counted by the server.
        headers: `Content-Type`, `ETag`, … in ASCII; those of the connection are the server's.
    """

    status: int = 200
    body: bytes = field(default=b"", repr=False)
    headers: Mapping[str, str] = Factory(dict)

    @classmethod
    def of_json(cls, value: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> "Response":
        """Answer with JSON, as `application/json; charset=utf-8`, without blanks."""
        body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
        return cls(status=status, body=body, headers={"Content-Type": JSON} | dict(headers or {}))
