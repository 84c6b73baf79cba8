"""Fixtures of GitHub's tests: recorded exchanges, and a forge at a loopback address."""

import json
import re
from contextlib import asynccontextmanager, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import pytest
from attrs import define, field
from beside import beside
from github_double.answering import Double
from github_double.asking import Asking
from github_double.keys import create_key
from github_double.requests import API, GRAPHQL
from github_double.sample import sample
from github_double.server import running
from github_double.stage import recording_of, serving
from github_recorded import exchanges

from stithy_core.plugins import scan_plugins
from stithy_testing import make_app


@pytest.fixture(scope="session")
def recorded():
    """All recorded exchanges with GitHub."""
    if not exchanges.FOLDER.is_dir():
        pytest.skip(exchanges.MISSING)
    return exchanges.read_exchanges()


@pytest.fixture(scope="session")
def key():
    """The private key of an app."""
    return create_key()


@pytest.fixture
def example():
    """The sample of the double: its world and the objects in it."""
    return sample()


@pytest.fixture
def double(example):
    """The double, serving the sample."""
    with running(example.world) as found:
        yield found


@pytest.fixture
def ask(double):
    """A client of the double with the token of the world's own user."""
    return Asking(double)


@pytest.fixture
def ask_as_reader(double):
    """A client of the double with the token of a user who may only read."""
    return Asking(double, double.world.other_token)


@pytest.fixture
def lab(world):
    """The repository of a module's world."""
    return world.repository("smith/lab")


@pytest.fixture
def head(lab):
    """The head commit of its main branch."""
    return lab.branches["main"]


@pytest.fixture(scope="session")
def installed():
    """The installed plugins, found once per session: it takes as long as a whole test."""
    return scan_plugins()


@pytest.fixture
def github(tmp_path, installed):
    """A context manager that returns the forge at a URL, as a tool plugin gets it; an empty token means none."""

    @asynccontextmanager
    async def at(url, *, token="token", read_only=False):
        settings = f'[serve.http]\nforge_tokens = true\n[forges.hub]\nkind = "github"\nurl = "{url}"\n'
        settings += f"read_only = {str(read_only).lower()}\n"
        if token:
            settings += 'token = { env = "HUB_TOKEN" }\n'
        app = make_app(tmp_path, settings, environ={"HUB_TOKEN": token} if token else {}, entries=installed)
        async with app.running():
            yield app.forges.forge("hub")

    return at


@pytest.fixture
def in_world(github, request):
    """A context manager that returns the forge for a world of the double; the world's own user is the default."""

    @asynccontextmanager
    async def enter(world, *, token=None):
        with serving(recording_of(request), world) as served:
            async with github(served.url, token=world.token if token is None else token) as forge:
                yield forge

    return enter


@pytest.fixture
def asked(monkeypatch):
    """The requests to the double: their paths, or the operations of GraphQL."""
    requests, answer = [], Double.answer

    def record(self, asking):
        text = json.loads(asking.body)["query"] if asking.path == GRAPHQL else asking.path.removeprefix(API)
        requests.append(" ".join(text.split("(")[0].split()) if asking.path == GRAPHQL else text)
        return answer(self, asking)

    monkeypatch.setattr(Double, "answer", record)
    return requests


@define
class Hub:
    """A server at a loopback address with the answers of a test.

    Args:
        url: Its URL.
        date: The server's time as an HTTP date; the current time if empty.
        answers: By method and path (`GET /repos/o/r`; for GraphQL by the operation's name): a body, or a status,
            headers and a body, or a function that returns one of these for the query or the variables. A status of
            None loses the answer.
        asked: The requests: name, query or variables, and headers.
    """

    url: str = ""
    date: str = ""
    answers: dict = field(factory=dict)
    asked: list = field(factory=list)

    def answer(self, method, path, given, headers):
        name = f"{method} {path.removeprefix('/api/v3')}"
        if path == "/api/graphql":
            name = re.search(r"(query|mutation) \w+", given["query"])[0]
            given = given["variables"]
        self.asked.append((name, given, headers))
        found = self.answers.get(name, (404, {}, {"message": "Not Found"}))
        found = found(given) if callable(found) else found
        return found if isinstance(found, tuple) else (200, {}, found)

    def names(self):
        """Return the names of the requests."""
        return [name for name, _, _ in self.asked]


@pytest.fixture
def hub():
    with answering() as found:
        yield found


@pytest.fixture
def elsewhere():
    """Another server, such as the one that stores logs."""
    with answering() as found:
        yield found


@contextmanager
def answering():
    found = Hub()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def answer(self):
            parts = urlsplit(self.path)
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            given = json.loads(raw) if raw else dict(parse_qsl(parts.query))
            asking = {name.lower(): value for name, value in self.headers.items()}
            status, headers, body = found.answer(self.command, parts.path, given, asking)
            if status is None:  # the answer is lost
                self.close_connection = True
                return
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            for name, value in ({"Content-Type": "application/json"} | headers).items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            with suppress(ConnectionError):  # the client may have disconnected
                self.end_headers()
                self.wfile.write(content)

        do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = answer

        def date_time_string(self, timestamp=None):
            return found.date or super().date_time_string(timestamp)

        def log_message(self, *args):
            pass

    with beside(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as server:
        found.url = f"http://127.0.0.1:{server.server_port}"
        yield found


@pytest.fixture
def thread_row():
    """A function that creates an unresolved thread in GraphQL's form, with a comment for each text."""

    def make(*texts, more="", **fields):
        comments = [
            {
                "fullDatabaseId": str(number),
                "body": text,
                "author": {"__typename": "User", "login": "octo", "databaseId": 7},
                "authorAssociation": "OWNER",
                "createdAt": f"2026-01-05T09:00:{number:02}Z",
                "updatedAt": f"2026-01-05T09:00:{number:02}Z",
                "url": f"https://github.example/octo/hello/pull/2#discussion_r{number}",
                "state": "SUBMITTED",
            }
            for number, text in enumerate(texts, 1)
        ]
        page = {"hasNextPage": bool(more), "endCursor": more or None}
        return {
            "id": "PRRT_1",
            "isResolved": False,
            "isOutdated": False,
            "path": "hello.py",
            "line": 1,
            "diffSide": "RIGHT",
            "opening": {"nodes": []},
            "comments": {"nodes": comments, "pageInfo": page},
        } | fields

    return make


@pytest.fixture
def failing(monkeypatch):
    """A function that lets a field of GraphQL's answer about a pull request and its checks fail."""
    answer = Double.answer

    def at(*path, message="Resource not accessible by personal access token", kind="FORBIDDEN", times=1, named=True):
        def answer_with_error(self, asking):
            status, headers, body = answer(self, asking)
            if asking.path != GRAPHQL or not any(
                query in asking.body for query in (b"query Readiness", b"query Checks")
            ):
                return status, headers, body
            answered = json.loads(body)
            whole = ["repository", "pullRequest", *path]
            answered["errors"] = [{"type": kind, "message": message, "path": whole if named else None}] * times
            if not named:  # the query failed as a whole
                return status, headers, json.dumps(answered).encode()
            place = answered["data"]
            for step in whole[:-1]:
                place = place[step]
            place[whole[-1]] = None
            return status, headers, json.dumps(answered).encode()

        monkeypatch.setattr(Double, "answer", answer_with_error)

    return at
