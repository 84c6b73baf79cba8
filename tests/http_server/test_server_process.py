"""`stithy serve --http` as a process: MCP in both protocol eras, shutdown and logs."""

import asyncio
import json
import os
import signal
import socket
import textwrap

import anyio
import anyio.to_thread
import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Implementation
from serving import serving

from stithy_http.uvicorn_server import listen

pytestmark = pytest.mark.anyio

TOKEN = "a-token-that-nobody-guesses"
PLUGIN = """
    import os
    from pathlib import Path

    import anyio
    import anyio.to_thread
    from attrs import frozen
    from stithy_core.spi import Response, Route, ToolSpec, hookimpl

    STITHY_API = 1

    @frozen
    class Nothing:
        pass

    @frozen
    class Said:
        text: str

        def render(self):
            yield self.text

    async def hello(context, args) -> Said:
        await context.progress(1, 2, "half")
        return Said("hello")

    async def held(context, request):
        gate = Path(os.environ["GATE"])
        await anyio.to_thread.run_sync(gate.write_text, "begun")
        try:
            await anyio.sleep_forever()
        finally:
            gate.write_text("cancelled")

    async def wait(context, request):
        print("noise")
        return Response(body=await anyio.to_thread.run_sync(Path(os.environ["GATE"]).read_bytes))

    @hookimpl
    def stithy_tools():
        return [ToolSpec(name="hello", title="H", description="H", input=Nothing, handler=hello)]

    @hookimpl
    def stithy_routes():
        return [
            Route(method="GET", path="/wait", handler=wait),
            Route(method="GET", path="/held", handler=held, seconds=600),
        ]
"""


@pytest.fixture
def folder(tmp_path):
    """A working directory with a plugin whose route waits for a named pipe."""
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "held.py").write_text(textwrap.dedent(PLUGIN))
    os.mkfifo(tmp_path / "gate")
    return tmp_path


@pytest.fixture
def start(folder):
    """Start a server with that plugin alone."""

    def start_server(*words, **variables):
        own = ("--plugins-dir", "plugins", "--plugin", "held")
        return serving(folder, *own, *words, GATE=str(folder / "gate"), **variables)

    return start_server


def rows(served):
    return [json.loads(line) for line in served.log.splitlines() if line.startswith("{")]


async def check_client(url, http, mode):
    """List and call with the official client of one era, and as a client whose host is known."""
    heard = []

    async def progress(done, total, message):
        heard.append((done, total, message))

    codex = Implementation(name="codex-mcp-client", version="1")
    async with (
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as client,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode, client_info=codex) as host,
    ):
        assert [tool.name for tool in (await client.list_tools()).tools] == ["hello", "list_plugins"]
        answer = await client.call_tool("hello", progress_callback=progress)
        text_alone = (await host.call_tool("hello")).structured_content is None
    assert answer.structured_content == {"text": "hello"}
    assert text_alone == (mode == "auto")  # in the handshake's era a request over HTTP does not name its client
    assert heard == [(1, 2, "half")]


async def test_the_official_client_lists_and_calls_in_both_eras_and_other_methods_are_refused(start):
    """With one server, as it serves clients of both eras."""
    authorization = {"Authorization": f"Bearer {TOKEN}"}
    async with start(STITHY_HTTP_TOKEN=TOKEN) as served:
        async with httpx2.AsyncClient(headers=authorization) as http:
            for mode in ("legacy", "auto"):
                await check_client(served.url, http, mode)
        async with httpx.AsyncClient(base_url=served.url, headers=authorization, timeout=60) as http:
            headers = {"Accept": "text/event-stream"}
            answers = [await http.request(method, "/mcp", headers=headers) for method in ("GET", "DELETE")]
    assert [(answer.status_code, answer.headers["allow"]) for answer in answers] == [(405, "POST")] * 2


async def test_a_server_starts_without_the_framework_and_the_client_of_the_sdk(start):
    """They are a third of what it would import; Python lists what it imports."""
    async with start(PYTHONPROFILEIMPORTTIME="1") as served:
        imported = {line.rpartition("|")[2].strip() for line in served.log.splitlines()}
    assert "mcp.server.streamable_http_manager" in imported
    assert not {"mcp.server.mcpserver.server", "mcp.client.session"} & imported


async def test_requests_in_progress_are_answered_before_the_exit(start, folder):
    (folder / "stithy.toml").write_text("[serve.http]\ndrain_seconds = 600\n")
    async with start() as served, httpx.AsyncClient(base_url=served.url, timeout=300) as http:
        answers = []
        async with anyio.create_task_group() as group:

            async def ask():
                answers.append(await http.get("/wait"))

            group.start_soon(ask)
            gate = await anyio.to_thread.run_sync((folder / "gate").open, "w")  # the route has begun
            served.process.send_signal(signal.SIGTERM)
            while (await http.get("/readyz")).status_code != 503:
                pass
            assert (await http.get("/healthz")).status_code == 200
            served.process.send_signal(signal.SIGTERM)  # nobody waits ten minutes
            with gate:
                gate.write("let go")
        assert [answer.text for answer in answers] == ["let go"]
        assert await served.process.wait() == 0


async def test_a_route_is_cancelled_when_its_client_disconnects(start, folder):
    async with start() as served:
        host, port = served.url.removeprefix("http://").split(":")
        async with await anyio.connect_tcp(host, int(port)) as stream:
            await stream.send(b"GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await anyio.to_thread.run_sync((folder / "gate").read_bytes)  # the route has begun
        assert await anyio.to_thread.run_sync((folder / "gate").read_text) == "cancelled"
        assert await served.end() == 0
    assert [row["status"] for row in rows(served) if row.get("path") == "/held"] == [499]


@pytest.mark.parametrize("seconds", [0, 600], ids=["when its time is over", "when it is forced"])
async def test_a_request_beyond_the_grace_time_is_answered_in_json(start, folder, seconds):
    """The answer says to retry, and not that the server failed."""
    (folder / "stithy.toml").write_text(f"[serve.http]\ngrace_seconds = {seconds}\n")
    async with start() as served, httpx.AsyncClient(base_url=served.url, timeout=60) as http:
        answers = []
        async with anyio.create_task_group() as group:

            async def ask():
                answers.append(await http.get("/held"))

            group.start_soon(ask)
            await anyio.to_thread.run_sync((folder / "gate").read_bytes)  # the route has begun
            group.start_soon(anyio.to_thread.run_sync, (folder / "gate").read_bytes)  # it writes that it was cancelled
            served.process.send_signal(signal.SIGTERM)
            while seconds and not answers:
                await anyio.sleep(0.2)
                if served.process.returncode is None:
                    served.process.send_signal(signal.SIGTERM)
        assert (answers[0].status_code, answers[0].json()["error"]["code"]) == (503, "ending")
        # One signal more than it took finds the handlers gone, and ends the process as usual.
        assert await served.process.wait() in ((0, -signal.SIGTERM) if seconds else (0,))
    assert "Exception in ASGI" not in served.log


async def test_listening_clients_are_notified_of_the_shutdown(start):
    async with start() as served, Client(f"{served.url}/mcp", mode="auto") as client:
        async with client.listen(tools_list_changed=True) as changes:
            served.process.send_signal(signal.SIGTERM)
            assert [change async for change in changes] == []  # an end that was not meant would raise
        assert await served.process.wait() == 0
    assert "timeout graceful shutdown exceeded" not in served.log


async def test_a_request_is_one_log_line_with_its_id_and_a_successful_probe_none(start):
    async with start() as served, httpx.AsyncClient(base_url=served.url, timeout=60) as http:
        assert (await http.get("/healthz")).status_code == 200
        answer = await http.get("/nothing?token=hush", headers={"X-Request-Id": "from.elsewhere-1"})
        odd = await http.get("/nothing", headers={"X-Request-Id": 'a"b'})
        await served.end()
    (row,) = [row for row in rows(served) if row["request_id"] == "from.elsewhere-1"]
    assert answer.headers["x-request-id"] == "from.elsewhere-1"
    assert {name: row[name] for name in ("method", "path", "status", "refused", "level")} == {
        "method": "GET", "path": "/nothing", "status": 404, "refused": "not_found", "level": "info"
    }  # fmt: skip
    assert row["milliseconds"] >= 0
    assert "hush" not in served.log
    assert len(odd.headers["x-request-id"]) == 32
    assert not [row for row in rows(served) if row.get("path") == "/healthz"]


async def test_everything_that_is_logged_is_json(start):
    async with start(STITHY_LOG="info") as served:
        async with Client(f"{served.url}/mcp") as client:
            await client.call_tool("hello")
        await served.end()
    lines = [line for line in served.log.splitlines() if not line.startswith("listening on ")]
    said = [json.loads(line) for line in lines]
    calls = [row for row in said if row["logger"] == "stithy.tools"]
    assert calls[0]["event"].startswith("hello {}: ok in ")
    assert calls[0]["request_id"] in {row["request_id"] for row in said if row["event"] == "request"}


async def test_without_a_token_it_does_not_start_at_a_public_address(start):
    async with start("--http", "0.0.0.0:0") as served:
        assert await served.process.wait() == 2
    assert "STITHY_HTTP_TOKEN" in served.log


async def test_small_answers_are_sent_at_once():
    """Otherwise each request on a kept connection takes the 40 ms of a delayed acknowledgement."""
    with listen("127.0.0.1", 0) as listening:
        ours, theirs = [], anyio.Event()

        class Protocol(asyncio.Protocol):
            def connection_made(self, transport):
                connection = transport.get_extra_info("socket")
                ours.append(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
                transport.close()
                theirs.set()

        server = await asyncio.get_running_loop().create_server(Protocol, sock=listening)
        async with server, await anyio.connect_tcp(*listening.getsockname()):
            await theirs.wait()
    assert ours != [0]


async def test_an_address_in_use_is_an_error(start):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        async with start("--http", address) as served:
            assert await served.process.wait() == 2
    assert address in served.log


HOARDER = """
    import os
    import anyio
    from stithy_core.spi import Service, hookimpl

    STITHY_API = 1

    async def hoard(scope):
        taken = []
        try:
            while True:
                taken.append(os.open("/dev/null", os.O_RDONLY))
        except OSError:
            await anyio.sleep(4)
            raise
        finally:
            for one in taken:
                os.close(one)

    @hookimpl
    def stithy_services():
        return [Service(name="hoard", run=hoard)]
"""


async def test_a_server_without_descriptors_survives_and_warns_once_a_second(folder):
    """All descriptors are in use for the first four seconds, in which the server also frees memory."""
    (folder / "plugins" / "held.py").write_text(textwrap.dedent(HOARDER))
    own = ("--plugins-dir", "plugins", "--plugin", "held")
    async with serving(folder, *own, open_files=256) as served, httpx.AsyncClient(timeout=60) as http:
        assert (await http.get(f"{served.url}/healthz")).text == "ok\n"
        while "hoard" not in (await http.get(f"{served.url}/readyz")).text:  # noqa: ASYNC110 -- no event tells it
            await anyio.sleep(0.1)
        assert await served.end() == 0
    assert 1 <= served.log.count("out of system resource") < 60
    assert "the service hoard failed and starts again in 1 s" in [row["event"] for row in rows(served)]
