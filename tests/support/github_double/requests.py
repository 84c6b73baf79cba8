"""A received request."""

import json
from typing import Any, Self
from urllib.parse import SplitResult, parse_qsl, urlencode

from attrs import frozen

API, GRAPHQL = "/api/v3", "/api/graphql"
READS = ("GET", "HEAD")
Response = tuple[int | None, dict[str, str], bytes]
"""Status, headers and body; a status of None stands for a lost response."""


@frozen(kw_only=True)
class Request:
    """A request. Header names are in lower case; of a repeated query parameter the last value counts."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes = b""

    @classmethod
    def of(cls, method: str, parts: SplitResult, headers: dict[str, str], body: bytes) -> Self:
        """Create a request from a server's data: `parts` are those of its URL."""
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        return cls(method=method, path=parts.path, query=query, headers=headers, body=body)

    @property
    def identity(self) -> str:
        """The authorization header, which identifies the caller."""
        return self.headers.get("authorization", "")

    @property
    def reads(self) -> bool:
        return self.method in READS

    @property
    def resource(self) -> str:
        """The rate limit budget of the request."""
        return "graphql" if self.path == GRAPHQL else "core"

    @property
    def tail(self) -> str:
        """The query string with its question mark."""
        return f"?{urlencode(self.query)}" if self.query else ""

    def json(self) -> Any:
        """Parse the body.

        Raises:
            ValueError: The body is not JSON.
        """
        return json.loads(self.body or b"null")
