"""The limits of connections: clients that send nothing, too slowly or too much do not stop the server."""

import json
import socket
from contextlib import AsyncExitStack, asynccontextmanager

import anyio
import httpx
import pytest
from serving import serving

from stithy_core.spi import Response
from stithy_http import http_connection
from stithy_http.command import create_application
from stithy_http.uvicorn_server import ConnectionLimits, ShutdownTimes, WebServer, listen

pytestmark = pytest.mark.anyio

PATIENCE = 60
ASK = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
UPLOAD = b"POST /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n"


@asynccontextmanager
async def serve_app(app, **limits):
    """Serve an app in this process; yields its port and the open connections."""
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    application = create_application(app, "127.0.0.1")
    server = WebServer(application, ShutdownTimes(grace=1), ConnectionLimits(**limits))
    async with anyio.create_task_group() as group:
        group.start_soon(server.serve, [listening])
        try:
            with anyio.fail_after(PATIENCE):
                yield port, server.server_state.connections
        finally:
            server.stop()


async def read_to_end(stream):
    content = b""
    try:
        while True:
            content += await stream.receive()
    except (anyio.EndOfStream, anyio.BrokenResourceError):
        return content


async def open_idle(stack, port, count, address="127.0.0.1"):
    return [
        await stack.enter_async_context(await anyio.connect_tcp("127.0.0.1", port, local_host=address))
        for _ in range(count)
    ]


async def ask(stream):
    """Send a request over an open connection; return the status, or nothing if it was closed."""
    try:
        await stream.send(ASK)
        return (await stream.receive())[9:12]
    except (anyio.EndOfStream, anyio.BrokenResourceError):
        return b""


async def test_idle_connections_beyond_the_file_limit_do_not_stop_the_server(tmp_path):
    """300 connections that send nothing, where 256 files may be open."""
    async with serving(tmp_path, open_files=256) as served, AsyncExitStack() as stack:
        await open_idle(stack, httpx.URL(served.url).port, 300)
        for _ in range(5):
            async with httpx.AsyncClient(base_url=served.url, timeout=PATIENCE) as http:
                assert (await http.get("/healthz")).text == "ok\n"
        assert await served.end() == 0
    assert "idle ones are closed" in served.log
    assert "out of system resource" not in served.log


async def test_the_address_with_most_connections_loses_its_own(serve):
    """A client that opens too many does not close another's connection, though that is the oldest."""
    async with serve_app(serve(), most=4) as (port, _), AsyncExitStack() as stack:
        (other,) = await open_idle(stack, port, 1, "127.0.0.2")
        await open_idle(stack, port, 20)
        assert await ask(other) == b"200"


async def test_requests_without_their_body_are_closed_for_others(serve):
    """Each of them could wait for 20 seconds, and needs no token for that."""
    async with serve_app(serve(), most=4) as (port, _), AsyncExitStack() as stack:
        for stream in await open_idle(stack, port, 4):
            await stream.send(UPLOAD)
        for _ in range(3):
            (other,) = await open_idle(stack, port, 1)
            assert await ask(other) == b"200"


async def test_a_connection_in_use_is_not_closed_for_a_new_one(serve):
    """If all are in use, the new one is closed."""
    begun, go = anyio.Event(), anyio.Event()

    async def wait(context, request):
        begun.set()
        await go.wait()
        return Response(body=b"done")

    async with serve_app(serve(wait=wait), most=1) as (port, _), AsyncExitStack() as stack:
        (used,) = await open_idle(stack, port, 1)
        await used.send(ASK.replace(b"/healthz", b"/wait/a/b"))
        await begun.wait()
        (new,) = await open_idle(stack, port, 1)
        assert await ask(new) == b""
        go.set()
        assert b"done" in await used.receive()


@pytest.mark.parametrize(
    ("sent", "answered"),
    [(b"", b""), (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ", b"HTTP/1.1 408 ")],
    ids=["nothing", "half of the headers"],
)
async def test_headers_that_do_not_arrive_end_the_connection(serve, sent, answered):
    """Bytes now and then do not extend the time."""
    async with serve_app(serve(), header_seconds=1) as (port, _), AsyncExitStack() as stack:
        (stream,) = await open_idle(stack, port, 1)
        for byte in sent:
            await stream.send(bytes([byte]))
        assert (await read_to_end(stream)).startswith(answered)


async def test_the_unread_rest_of_an_answered_request_has_a_deadline(serve):
    """A body that arrives byte by byte after its answer does not keep the connection open."""
    async with serve_app(serve(), header_seconds=1) as (port, open_), AsyncExitStack() as stack:
        (stream,) = await open_idle(stack, port, 1)
        await stream.send(UPLOAD.replace(b"localhost", b"evil.example"))
        assert (await stream.receive()).startswith(b"HTTP/1.1 421 ")
        while open_:
            try:
                await stream.send(b"x")
            except anyio.BrokenResourceError:
                break
            await anyio.sleep(0.1)
        assert await read_to_end(stream) == b""


async def test_a_connection_without_a_further_request_is_closed(serve):
    async with serve_app(serve(), idle_seconds=1) as (port, _), AsyncExitStack() as stack:
        (stream,) = await open_idle(stack, port, 1)
        assert await ask(stream) == b"200"
        await read_to_end(stream)


async def test_an_answer_that_is_never_read_closes_the_connection(serve, monkeypatch):
    monkeypatch.setattr(http_connection, "STALL_SECONDS", 1)

    async def large(context, request):
        return Response(body=bytes(8_000_000))

    async with serve_app(serve(large=large)) as (port, open_), AsyncExitStack() as stack:
        client = stack.enter_context(socket.socket())  # anyio's reads without being asked
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
        client.connect(("127.0.0.1", port))
        client.sendall(ASK.replace(b"/healthz", b"/large/a/b"))
        for count in (1, 0):
            while len(open_) != count:  # noqa: ASYNC110 -- uvicorn has no event for it
                await anyio.sleep(0.1)


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET http://localhost/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 200),
        (b"GET HTTP://LocalHost:1/healthz?x HTTP/1.1\r\nHost: evil.example\r\n\r\n", 200),
        (b"GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 421),
        (b"GET http://localhost HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
        (b"GET http:///healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        (b"GET http://localhost@evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 421),
        (b"GET ftp://localhost/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        (b"GET healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        (b"GET /healthz HTTP/9.9\r\nHost: localhost\r\n\r\n", 505),
        (b"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n", 200),
        (b"POST /x HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (b"nonsense\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 20_000, 431),
    ],
)
async def test_targets_and_versions(serve, request_, status):
    async with serve_app(serve(), header_seconds=1) as (port, _), AsyncExitStack() as stack:
        (stream,) = await open_idle(stack, port, 1)
        await stream.send(request_)
        answer = await stream.receive()
    assert answer.startswith(b"HTTP/1.1 %d " % status)


async def test_two_lengths_are_refused_and_nothing_after_them_is_read(serve):
    """One parser reads as a body what another reads as a request (FIX-16)."""
    lengths = b"POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    async with serve_app(serve()) as (port, _), AsyncExitStack() as stack:
        (stream,) = await open_idle(stack, port, 1)
        await stream.send(lengths + ASK)
        answer = await read_to_end(stream)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"connection: close" in head.lower()
    assert json.loads(body)["error"]["code"] == "malformed_request"
