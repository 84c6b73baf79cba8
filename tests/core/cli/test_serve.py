"""`stithy serve`, as a host starts it: a process of its own, with the official client at the other end."""

import json
import subprocess
import textwrap
from contextlib import asynccontextmanager

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

pytestmark = pytest.mark.anyio

LAZY = """
    from attrs import frozen
    from stithy_core.spi import ToolSpec, hookimpl

    STITHY_API = 1

    @frozen
    class Nothing:
        pass

    @hookimpl
    def stithy_tools():
        return [ToolSpec(name="lazy", title="L", description="L", input=Nothing, handler="stithy_lazy_work:work")]
"""
WORK = """
    import os, sys
    from attrs import frozen

    @frozen
    class Done:
        text: str

        def render(self):
            yield self.text

    async def work(ctx, args) -> Done:
        print("noise")
        os.system("echo more noise")
        return Done("worked")
"""
ABSENT = {
    "httpx",
    "jsonschema",
    "mcp.client",
    "mcp.server.mcpserver",
    "opentelemetry.sdk",
    "prometheus_client",
    "redis",
    "uvicorn",
    "sqlite3",
    "stithy_comments.conversation_handlers",
    "stithy_core.http",
    "stithy_http",
    "stithy_core.spi.routes",
    "stithy_gitea.forge",
    "stithy_lazy_work",
    "structlog",
    "yaml",
}


@pytest.fixture
def lazy(install_plugin, tmp_path):
    """A plugin whose handler stands in a module of its own, and prints."""
    (tmp_path / "site-packages" / "stithy_lazy_work.py").write_text(textwrap.dedent(WORK))
    return install_plugin("stithy-lazy", LAZY)


@pytest.fixture
def serve(stithy_process, settings, tmp_path):
    """Start a server whose forge is down and which has no token, and connect to it."""
    settings('[forges.work]\nkind = "gitea"\nurl = "http://127.0.0.1:1"\n')
    (executable, *program), environ, _ = stithy_process
    parameters = StdioServerParameters(command=executable, args=[*program, "serve"], env=environ)

    @asynccontextmanager
    async def connect_client(mode):
        with (tmp_path / "log").open("w") as log:
            async with Client(stdio_client(parameters, errlog=log), mode=mode) as client:
                yield client

    return connect_client


@pytest.mark.usefixtures("lazy", "broken")
async def test_a_server_with_a_broken_plugin_lists_and_calls(serve, mode):
    async with serve(mode) as client:
        assert "lazy" in [tool.name for tool in (await client.list_tools()).tools]
        assert (await client.call_tool("lazy")).structured_content == {"text": "worked"}
        report = (await client.call_tool("list_plugins")).structured_content
    assert "stithy-broken" in [row["distribution"] for row in report["plugins"] if row["state"] == "failed"]


@pytest.mark.usefixtures("lazy")
async def test_printed_output_stays_off_the_protocol(serve, tmp_path):
    async with serve("auto") as client:
        await client.call_tool("lazy")
        assert not (await client.call_tool("lazy")).is_error
    assert (tmp_path / "log").read_text().count("noise") == 4


@pytest.fixture
def unprepared(stithy_process):
    """Let the server prepare no calls: on a slow machine it begins with that before its client is gone."""
    words = stithy_process[0]
    words[-1] = f"import anyio; anyio.sleep = lambda _: anyio.sleep_forever(); {words[-1]}"


@pytest.mark.usefixtures("lazy", "unprepared")
async def test_listing_tools_loads_no_more_than_it_needs(serve, stithy_process, mode):
    async with serve(mode) as client:
        await client.list_tools()
    loaded = stithy_process[2]()
    assert "stithy_core.server" in loaded
    assert sorted(loaded & ABSENT) == []


async def test_the_server_ends_when_its_client_closes(serve, stithy_process, mode):
    """It is not killed: what it does as it ends was done."""
    async with serve(mode):
        pass
    assert stithy_process[2]()


async def test_a_request_of_a_wrong_shape_is_answered(stithy_process):
    """(FIX-18)"""
    (executable, *program), environ, _ = stithy_process
    lines = ['{"jsonrpc":"2.0","id":5,"method":"tools/list","params":[1]}', '{"jsonrpc":"2.0","id":null,"method":"x"}']
    async with await anyio.open_process([executable, *program, "serve"], env=environ, stderr=None) as process:
        await process.stdin.send("\n".join([*lines, ""]).encode())
        received = b""
        while received.count(b"\n") < 2:
            received += await process.stdout.receive()
        await process.stdin.aclose()
    answers = [json.loads(line) for line in received.splitlines()]
    assert [(answer["id"], answer["error"]["code"]) for answer in answers] == [(5, -32600), (None, -32600)]


def test_a_client_that_vanishes_leaves_one_line(stithy_process):
    """It closes the end that it reads, and later the other one (FIX-15)."""
    (executable, *program), environ, _ = stithy_process
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([executable, *program, "serve"], env=environ, **pipes) as process:
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"x","params":[1]}\n')
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b'{"jsonrpc":"2.0","id":2,"method":"x","params":[1]}\n' * 100)
        _, said = process.communicate()
    assert process.returncode == 0
    assert [line.rpartition(": ")[2] for line in said.decode().splitlines()] == [
        "the client closed the connection before it had read all answers; the server ends"
    ]
