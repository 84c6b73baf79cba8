"""A received request."""

import json
from urllib.parse import parse_qsl, urlencode

from attrs import frozen

API, GRAPHQL = "/api/v3", "/api/graphql"
READS = ("GET", "HEAD")


@frozen(kw_only=True)
class Asked:
    """A request. Header names are in lower case; of a repeated query parameter the last value counts."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes = b""

    @classmethod
    def of(cls, method, parts, headers, body):
        """Create a request from a server's data: `parts` are those of its URL."""
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        return cls(method=method, path=parts.path, query=query, headers=headers, body=body)

    @property
    def identity(self):
        """The authorization header, which identifies the caller."""
        return self.headers.get("authorization", "")

    @property
    def reads(self):
        return self.method in READS

    @property
    def resource(self):
        """The rate limit budget of the request."""
        return "graphql" if self.path == GRAPHQL else "core"

    @property
    def tail(self):
        """The query string with its question mark."""
        return f"?{urlencode(self.query)}" if self.query else ""

    def json(self):
        """Parse the body.

        Raises:
            ValueError: The body is not JSON.
        """
        return json.loads(self.body or b"null")
