"""A server on the loopback interface: real sockets, so that no fault is pretended."""

import asyncio
import inspect
import json
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar
from urllib.parse import parse_qsl

from attrs import Factory, define, field

S = TypeVar("S", bound="Server")
Start = Callable[..., Awaitable[Any]]
"""Starts a server, by default without TLS, and returns it."""

RESET = object()
"""In an answer's place: the connection is reset."""


@define
class Received:
    """A request as it arrived."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


@define
class Server:
    """Answers by a table of "METHOD /path", else with 404, and keeps what it received."""

    url: str = ""
    answers: dict[str, Any] = field(factory=dict)
    received: list[Received] = field(factory=list)
    ending: asyncio.Event = Factory(asyncio.Event)
    turned_away: asyncio.Event = Factory(asyncio.Event)

    def answer(self, what: str, status: int, body: Any = None, **headers: Any) -> None:
        """Answer with JSON, or with bytes as they are."""
        self.answers[what] = message(status, body, **headers)

    def page(self, what: str, status: int) -> None:
        """Answer with a web page."""
        self.answer(what, status, b"<html>Who are you?</html>", content_type="text/html; charset=utf-8")

    def redirect(self, what: str, to: str, status: int = 302, **headers: Any) -> None:
        """Send the client elsewhere, with the web page that most servers put beside it."""
        self.answer(what, status, b"<a>there</a>", location=to, **{"content_type": "text/html"} | headers)

    def lose(self, what: str) -> None:
        """Close the connection of such a request without a response."""
        self.answers[what] = b""

    def hang(self, what: str) -> None:
        """Never respond to such a request."""
        self.answers[what] = None

    def drip(self, what: str) -> None:
        """Answer with a body that never ends."""

        async def answer(_: Received) -> AsyncIterator[bytes]:
            yield b"HTTP/1.1 200 -\r\ncontent-type: application/json\r\n\r\n"
            while not self.ending.is_set():
                yield b" "

        self.answers[what] = answer

    def turns(self, what: str, *answers: Any) -> None:
        """Answer with one after the other, and with the last for ever."""
        left = list(answers)
        self.answers[what] = lambda _: left.pop(0) if len(left) > 1 else left[0]

    def hold(self, what: str, status: int, body: Any = None, **headers: Any) -> asyncio.Event:
        """Answer once the returned event is set."""
        free = asyncio.Event()

        async def answer(_: Received) -> bytes:
            await free.wait()
            return message(status, body, **headers)

        self.answers[what] = answer
        return free

    def pages(self, what: str, *pages: Any, **headers: Any) -> None:
        """Answer by the parameter `page`, and with an empty list after the last."""
        numbered = {str(number): page for number, page in enumerate(pages, start=1)}

        def page(request: Received) -> bytes:
            number = dict(parse_qsl(request.target.partition("?")[2])).get("page", "1")
            return message(200, numbered.get(number, []), **headers)

        self.answers[what] = page

    async def wait_for(self, count: int) -> None:
        """Wait until that many requests have arrived."""
        while len(self.received) < count:  # noqa: ASYNC110 -- what arrives is appended in several places
            await asyncio.sleep(0)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = await _read(reader)
            self.received.append(request)
            path = request.target.partition("?")[0]
            raw = self.answers.get(f"{request.method} {path}", message(404, {"message": "not here"}))
            raw = raw(request) if callable(raw) else raw
            if raw is RESET:
                _reset(writer)
                return
            if raw is None:
                await self.ending.wait()
            async for piece in self._pieces(raw or b"", reader):
                writer.write(piece)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):  # the client turned away: some tests want that
            pass
        finally:
            writer.close()

    async def _pieces(self, answer: Any, reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
        if inspect.isasyncgen(answer):
            pieces: AsyncIterator[Any] = answer
            async for piece in pieces:
                yield piece
                await asyncio.sleep(0)
        else:
            whole: bytes = await self._unless_alone(answer, reader) if inspect.isawaitable(answer) else answer
            yield whole

    async def _unless_alone(self, answer: Awaitable[bytes], reader: asyncio.StreamReader) -> bytes:
        """Wait for the answer, unless the client turns away."""
        answering, leaving = asyncio.ensure_future(answer), asyncio.ensure_future(reader.read())
        await asyncio.wait([answering, leaving], return_when=asyncio.FIRST_COMPLETED)
        leaving.cancel()
        if not answering.done():
            answering.cancel()
            self.turned_away.set()
            return b""
        return answering.result()

    @property
    def targets(self) -> list[str]:
        """The methods and targets of all requests, in order."""
        return [f"{request.method} {request.target}" for request in self.received]


def _reset(writer: asyncio.StreamWriter) -> None:
    """Have the connection end with a RST rather than a FIN when it is closed."""
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


async def _read(reader: asyncio.StreamReader) -> Received:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, target, _ = head[0].split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
    return Received(method, target, headers, await reader.readexactly(int(headers.get("content-length", 0))))


def message(status: int, body: Any = None, **headers: object) -> bytes:
    """Write an answer: JSON, or bytes as they are; a header's name has underscores for hyphens."""
    raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    given = {"content_type": "application/json", "content_length": len(raw), "connection": "close"} | headers
    lines = [f"HTTP/1.1 {status} -", *(f"{name.replace('_', '-')}: {value}" for name, value in given.items())]
    return "\r\n".join([*lines, "", ""]).encode() + raw


@asynccontextmanager
async def starting() -> AsyncIterator[Start]:
    """Start servers on free ports; all of them stop at the end."""
    started = []

    async def start(server: S, tls: ssl.SSLContext | None = None) -> S:
        listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, ssl=tls)
        port = listening.sockets[0].getsockname()[1]
        server.url = f"{'https' if tls else 'http'}://127.0.0.1:{port}"
        started.append((server, listening))
        return server

    yield start
    for server, listening in started:
        server.ending.set()
        listening.close()
        await listening.wait_closed()
