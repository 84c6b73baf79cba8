"""A Gitea on the loopback interface that knows its version and one user, and records the tokens that it is sent."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from beside import beside

TOKEN = "gitea-token-0123456789abcdef"
ANSWERS = {"/api/v1/version": {"version": "1.25.1"}, "/api/v1/user": {"id": 1, "login": "frog"}}


class GiteaAccount(ThreadingHTTPServer):
    """The server; `authorizations` has the header of each request that had one."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.authorizations: list[str] = []

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: GiteaAccount

    def do_GET(self) -> None:
        given = self.headers.get("Authorization", "")
        if given:
            self.server.authorizations.append(given)
        body = ANSWERS.get(self.path)
        if self.path == "/api/v1/user" and not given.endswith(TOKEN):
            self._send(401, {"message": "token is required"})
        else:
            self._send(404 if body is None else 200, body or {"message": "not found"})

    do_HEAD = do_POST = do_PATCH = do_PUT = do_DELETE = do_GET

    def _send(self, status: int, body: Any) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- http.server's name
        """Log nothing: http.server would write every request to standard error."""


@contextmanager
def serve_account() -> Iterator[GiteaAccount]:
    """Serve it until the block ends."""
    with beside(GiteaAccount()) as server:
        yield server
