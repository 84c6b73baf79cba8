"""Asking the double as any client of GitHub would, past stithy."""

from typing import Any

import httpx
from attrs import frozen

from github_double.answering import Double


@frozen
class Asking:
    """Asks with a token, by default that of the world's user; an empty one is anonymous."""

    double: Double
    token: str | None = None

    def rest(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """Send a request to REST; header names have underscores for dashes."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        return httpx.request(method, f"{self.double.url}/api/v3{path}", json=body, headers=self.headers | given)

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.rest("GET", path, **headers)

    def graph(self, query: str, **variables: Any) -> httpx.Response:
        """Send a query to GraphQL."""
        body = {"query": query, "variables": variables}
        return httpx.post(f"{self.double.url}/api/graphql", json=body, headers=self.headers, timeout=60)

    @property
    def headers(self) -> dict[str, str]:
        token = self.double.world.token if self.token is None else self.token
        return {"Authorization": f"Bearer {token}"} if token else {}
