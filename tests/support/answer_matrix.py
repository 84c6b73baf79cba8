"""Every request of stithy to a forge, with each endpoint that it reads answered by 200 and a useless body.

A forge is a function in this process, below stithy's connections: it answers from recordings or from GitHub's double,
and each of its answers is kept, so that hundreds of cases cost neither sockets nor the making of an answer twice.
"""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
from attrs import define, field, frozen
from github_double.answering import Double
from github_double.requests import Request, Response
from github_double.server import serve_download
from github_double.world import World

from stithy_core.app.assembly import App
from stithy_core.app.doctor import examine
from stithy_core.plugins import Entry
from stithy_testing import Tape, browse, connect, make_app

URL, STORAGE = "http://127.0.0.1:1", "http://127.0.0.1:2"
REST = {"empty": b"", "null": b"null", "object": b'{"message": "ok"}', "list": b"[null]"}
GRAPHQL = REST | {"data": b'{"data": null}'}


Answer = Callable[[str, str, dict[str, str], bytes], Response]
"""Returns status, headers and body for a method, a URL, headers and a body."""


@frozen
class Question:
    """A request of a user: a tool's call, a GET of the comments service, or `doctor`.

    Args:
        name: What it is called in a table: the tool, the route or `doctor`.
        arguments: Of the tool; `path` for a route.
        settings: Lines of `stithy.toml` that it needs.
    """

    name: str
    arguments: dict[str, Any] = field(factory=dict)
    settings: str = ""

    @property
    def label(self) -> str:
        method = self.arguments.get("method")
        return f"{self.name} {method}" if method else self.name


@frozen
class Outcome:
    """The outcome of a question: the data and the text of its answer or error."""

    data: dict[str, Any]
    text: str
    failed: bool = False


@define
class Wire(httpx.AsyncBaseTransport):
    """Carries requests to a forge in this process, records the endpoints that answered with JSON, and breaks one.

    Args:
        answer: Returns status, headers and body for a method, a URL, headers and a body.
        asked: The endpoints so far.
        broken: The endpoint whose answers are replaced.
        body: What they are replaced by.
    """

    answer: Answer
    asked: dict[str, None] = field(factory=dict)
    broken: str = ""
    body: bytes = b""
    _kept: dict[tuple[str, str, str | None, bytes], Response] = field(factory=dict)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        request.headers.pop("if-none-match", None)
        content, name = await request.aread(), endpoint_of(request)
        key = request.method, str(request.url), request.headers.get("accept"), content
        if key not in self._kept:
            self._kept[key] = self.answer(request.method, str(request.url), dict(request.headers), content)
        status, headers, body = self._kept[key]
        assert status is not None, "a lost response"
        if status == httpx.codes.OK and "json" in httpx.Headers(headers).get("content-type", ""):
            self.asked[name] = None
            if name == self.broken:
                headers, body = {"content-type": "application/json", "etag": '"1"'}, self.body
        return httpx.Response(status, headers=headers, content=body)


def endpoint_of(request: httpx.Request) -> str:
    """Return an endpoint's name: without numbers and hashes, and with the name of a GraphQL query."""
    path = re.sub(r"(?<=/)([0-9a-f]{40}|\d+)(?=/|$)", "*", request.url.path)
    path = re.sub(r"(?<=/repos/)[^/]+/[^/]+", "*", path)
    path = re.sub(r"(?<=/branches/)[^/]+|(?<=/compare/).+", "*", path)
    if path.endswith("/graphql"):
        query = re.search(r"\b(?:query|mutation)\s+(\w+)", json.loads(request.content)["query"])
        path += f" {query[1] if query else ''}"
    return f"{request.method} {path}"


def bodies_of(endpoint: str) -> dict[str, bytes]:
    """Return the bodies of no use that an endpoint is tried with, by name."""
    return GRAPHQL if "/graphql" in endpoint else REST


def answer_from_double(world: World) -> Answer:
    """Return what answers as GitHub's double does; what it is asked for after a broken answer may be no question."""
    double = Double(world=world, url=URL, storage=STORAGE)

    def answer(method: str, url: str, headers: dict[str, str], body: bytes) -> Response:
        asked = Request.of(method, urlsplit(url), headers, body)
        return serve_download(world, asked) if url.startswith(STORAGE) else double.answer(asked)

    return answer


def answer_from_recordings(paths: Sequence[Path], host: str) -> Answer:
    """Return what answers with the last that was recorded of each read."""
    tape = Tape.read(paths)
    for key, exchanges in tape.exchanges.items():
        tape.exchanges[key] = exchanges[-1:]

    def answer(method: str, url: str, headers: dict[str, str], body: bytes) -> Response:
        parts = urlsplit(url)
        exchange = tape.play(method, f"{parts.path}?{parts.query}", body).replace_urls({f"https://{host}": URL})
        return exchange.status, dict(exchange.headers), exchange.body

    return answer


@define
class Asker:
    """Asks questions, each of an app that remembers nothing."""

    kind: str
    token: str
    wire: Wire
    folder: Path
    entries: Sequence[Entry]

    async def ask(self, question: Question, broken: str = "", body: bytes = b"") -> Outcome:
        """Return the outcome of a question while an endpoint answers with a body of no use."""
        self.wire.broken, self.wire.body = broken, body
        settings = f'[forges.lab]\nkind = "{self.kind}"\nurl = "{URL}"\n'
        settings += 'token = { env = "LAB_TOKEN" }\n' if self.token else ""
        environ = {"LAB_TOKEN": self.token} if self.token else {}
        app = make_app(self.folder, settings + question.settings, environ=environ, entries=self.entries)
        if question.name == "doctor":
            return await _ask_doctor(app)
        if question.name.startswith("/"):
            return await _ask_route(app, question)
        return await _ask_tool(app, question)

    async def endpoints(self, question: Question) -> tuple[Outcome, list[str]]:
        """Return the right answer, and the endpoints that it was read from."""
        self.wire.asked.clear()
        outcome = await self.ask(question)
        return outcome, list(self.wire.asked)


async def _ask_tool(app: App, question: Question) -> Outcome:
    async with connect(app) as client:
        result = await client.call_tool(question.name, question.arguments)
    return Outcome(result.structured_content or {}, result.content[0].text, result.is_error)


async def _ask_route(app: App, question: Question) -> Outcome:
    async with browse(app) as ask:
        response = await ask("GET", f"{question.name}")
    data = json.loads(response.body)
    return Outcome({"items": data} if isinstance(data, list) else data, response.body.decode(), response.status != 200)


async def _ask_doctor(app: App) -> Outcome:
    rows = [row async for about, row in examine(app) if about.startswith("forge")]
    data = {"levels": [row.level for row in rows]}
    return Outcome(data, "\n".join(row.text for row in rows), failed=any(row.level == "error" for row in rows))
