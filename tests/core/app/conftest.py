"""Plugins that are written where they are needed, and a forge that answers on the loopback interface."""

import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from beside import beside

from stithy_core.app.assembly import App
from stithy_core.plugins import Entry
from stithy_core.spi import Forge, ForgeKind, Identity, User, Version
from stithy_testing import make_app


class PondIdentity(Identity):
    """The token's user."""

    async def me(self) -> User:
        return User(login=(await self.forge.http.get("/me"))["login"])


class Pond(Forge):
    """A forge that says little."""

    capabilities = (PondIdentity,)

    async def identify(self) -> Version:
        return Version("pond", (await self.http.get("/version"))["version"])


@pytest.fixture
def pond(plugin: Callable[..., Entry]) -> Entry:
    """The plugin that brings forges of the kind `pond`."""
    return plugin(
        "stithy-pond", stithy_forges=[ForgeKind(name="pond", title="Pond", forge=Pond, hosts=("pond.example",))]
    )


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., App]:
    """Return a function that creates an app with some plugins."""

    def app(*entries: Entry, settings: str = "", **environ: str) -> App:
        return make_app(tmp_path, settings, entries=entries, environ=environ)

    return app


class PondServer(ThreadingHTTPServer):
    """A pond: its answers by path, as status and JSON, the received tokens, and the date header; empty for now."""

    answers: dict[str, tuple[int, Any]]
    tokens: list[str | None]
    date: str
    url: str


class Answers(BaseHTTPRequestHandler):
    """Responds by the server's table, and records the tokens."""

    server: PondServer

    def do_GET(self) -> None:
        self.server.tokens.append(self.headers.get("Authorization"))
        status, body = self.server.answers.get(self.path, (404, {"message": "not here"}))
        content = json.dumps(body).encode()
        self.send_response_only(status)
        self.send_header("Date", self.server.date or self.date_time_string())
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_POST = do_GET

    def log_message(self, *args: object) -> None:
        """Log nothing."""


@pytest.fixture
def server(unproxied: None) -> Iterator[PondServer]:
    """A pond on the loopback interface; it is not in the test's event loop, as the command line has one of its own."""
    with beside(PondServer(("127.0.0.1", 0), Answers)) as running:
        running.answers = {"/version": (200, {"version": "2.1"}), "/me": (200, {"login": "frog"})}
        running.tokens = []
        running.date = ""
        running.url = f"http://127.0.0.1:{running.server_port}"
        yield running


@pytest.fixture
def settings(server: PondServer) -> str:
    """The settings of a server whose only forge is that pond."""
    return f'[forges.work]\nkind = "pond"\nurl = "{server.url}"\ntoken = {{ env = "WORK_TOKEN" }}\n'
