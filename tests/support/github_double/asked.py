"""A request as it came."""

import json
from urllib.parse import parse_qsl, urlencode

from attrs import frozen

API, GRAPHQL = "/api/v3", "/api/graphql"
READS = ("GET", "HEAD")


@frozen(kw_only=True)
class Asked:
    """A request; the names of `headers` are in lower case, and of what stands twice in the query the last counts."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes = b""

    @classmethod
    def of(cls, method, parts, headers, body):
        """Read it from what a server has: `parts` are those of its address."""
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        return cls(method=method, path=parts.path, query=query, headers=headers, body=body)

    @property
    def identity(self):
        """What tells one who asks from another."""
        return self.headers.get("authorization", "")

    @property
    def reads(self):
        return self.method in READS

    @property
    def resource(self):
        """The budget that it is taken from."""
        return "graphql" if self.path == GRAPHQL else "core"

    @property
    def tail(self):
        """The query as it follows a path."""
        return f"?{urlencode(self.query)}" if self.query else ""

    def json(self):
        """Read the body.

        Raises:
            ValueError: It is no JSON.
        """
        return json.loads(self.body or b"null")
