"""Plugins that are written where they are needed, and a forge that answers on the loopback interface."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from beside import beside

from stithy_core.spi import Forge, ForgeKind, Identity, User, Version
from stithy_testing import make_app


class PondIdentity(Identity):
    """Who the token speaks for."""

    async def me(self):
        return User((await self.forge.http.get("/me"))["login"])


class Pond(Forge):
    """A forge that says little."""

    capabilities = (PondIdentity,)

    async def identify(self):
        return Version("pond", (await self.http.get("/version"))["version"])


@pytest.fixture
def pond(plugin):
    """The plugin that brings forges of the kind `pond`."""
    return plugin(
        "stithy-pond", stithy_forges=[ForgeKind(name="pond", title="Pond", forge=Pond, hosts=("pond.example",))]
    )


@pytest.fixture
def make(tmp_path):
    """Put a server of some plugins together."""

    def app(*entries, settings="", **environ):
        return make_app(tmp_path, settings, entries=entries, environ=environ)

    return app


class Answers(BaseHTTPRequestHandler):
    """Answers by the server's table of path to status and JSON, and keeps who asked with which token."""

    def do_GET(self):
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

    def log_message(self, *args):
        """Log nothing."""


@pytest.fixture
def server(unproxied):
    """A pond on the loopback interface; it is not in the test's event loop, as the command line has one of its own."""
    with beside(ThreadingHTTPServer(("127.0.0.1", 0), Answers)) as running:
        running.answers = {"/version": (200, {"version": "2.1"}), "/me": (200, {"login": "frog"})}
        running.tokens = []
        running.date = ""
        running.url = f"http://127.0.0.1:{running.server_port}"
        yield running


@pytest.fixture
def settings(server):
    """The settings of a server whose only forge is that pond."""
    return f'[forges.work]\nkind = "pond"\nurl = "{server.url}"\ntoken = {{ env = "WORK_TOKEN" }}\n'
