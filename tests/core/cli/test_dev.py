"""`stithy dev`: the server starts again after each change, and the client keeps its session."""

import re
import subprocess
import sys
from contextlib import asynccontextmanager

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

from stithy_core.cli.dev import find_plugin, format_inspector_line, take_snapshot
from stithy_core.cli.server_process import SessionState
from stithy_core.errors import ConfigError

pytestmark = pytest.mark.anyio

PLUGIN = """
import os
from attrs import frozen
from stithy_core.spi import Context, ToolSpec, hookimpl

STITHY_API = 1

@frozen
class Stroke:
    force: str = "soft"

@frozen
class Struck:
    text: str

    def render(self):
        yield self.text

async def strike(ctx: Context, args: Stroke) -> Struck:
    if args.force == "deadly":
        os._exit(7)
    if args.force == "endless":
        await ctx.thread(os.read, READING, 1)
    if args.force == "wrong":
        raise ValueError("the anvil broke")
    return Struck("WORD")

READING = os.pipe()[0]

@hookimpl
def stithy_tools():
    return [ToolSpec(name="strike", title="S", description="S", input=Stroke, handler=strike)]
"""


@pytest.fixture
def plugin(tmp_path):
    """Write the plugin of a single file, whose tool answers with a word."""
    path = tmp_path / "here" / "stithy_hammer.py"

    def write(word, text=PLUGIN):
        path.write_text(text.replace("WORD", word))
        return path

    write("one")
    return write


@pytest.fixture
def dev(stithy_process, plugin, tmp_path):
    """Connect to `stithy dev`; yield the client, and a function that waits for the next change of the tools."""
    (executable, *program), environ, _ = stithy_process
    words = [*program, "dev", "stithy_hammer.py"]
    send, receive = anyio.create_memory_object_stream(100)

    async def handle(message):
        if getattr(message, "method", "") == "notifications/tools/list_changed":
            send.send_nowait(message)

    @asynccontextmanager
    async def connect_client(mode, *options):
        parameters = StdioServerParameters(command=executable, args=[*words, *options], env=environ)
        with (tmp_path / "log").open("w") as log, send, receive:
            async with Client(stdio_client(parameters, errlog=log), mode=mode, message_handler=handle) as client:
                if mode == "legacy":
                    yield client, receive.receive
                    return
                async with client.listen(tools_list_changed=True) as heard:
                    yield client, heard.__anext__

    return connect_client


async def check_each_change_is_served(client, changed, plugin):
    words = [(await client.call_tool("strike")).structured_content["text"]]
    for word in ("two", "three"):
        plugin(word)
        await changed()
        words.append((await client.call_tool("strike")).structured_content["text"])
    assert words == ["one", "two", "three"]


async def check_a_broken_change_is_reported_and_the_next_one_repairs_it(client, changed, plugin, log):
    plugin("", "import rust_anvil")
    await changed()
    assert "strike" not in [tool.name for tool in (await client.list_tools()).tools]
    text = log.read_text()
    plugin("repaired")
    await changed()
    assert (await client.call_tool("strike")).structured_content == {"text": "repaired"}
    assert "stithy-hammer (file) failed at import: ModuleNotFoundError: No module named 'rust_anvil'" in text
    assert "install the package that provides the module 'rust_anvil'" in text
    assert "stithy dev: stithy_hammer.py changed; starting the server again" in text


async def check_a_call_that_a_change_interrupts_ends_with_an_error(client, changed, plugin):
    failures = []

    async def call():
        with pytest.raises(MCPError) as caught:
            await client.call_tool("strike", {"force": "endless"})
        failures.append(str(caught.value))

    async with anyio.create_task_group() as group:
        group.start_soon(call)
        await anyio.wait_all_tasks_blocked()
        plugin("two")
        await changed()
        assert (await client.call_tool("strike")).structured_content == {"text": "two"}
    assert failures == ["stithy dev: the server was started again during this call; call again"]


async def check_a_plugin_that_ends_the_process_does_not_end_the_session(client, changed, plugin, log):
    for reason in ("the server ended during this call", "the server has ended"):
        with pytest.raises(MCPError, match=reason):
            await client.call_tool("strike", {"force": "deadly"})
    plugin("back")
    await changed()
    assert (await client.call_tool("strike")).structured_content == {"text": "back"}
    assert "the server ended with code 7" in log.read_text()


async def test_one_session_outlives_what_becomes_of_the_plugin_and_ends_with_its_client(
    dev, plugin, stithy_process, tmp_path, mode
):
    """In one session, since each of its servers is a process, as each start of `stithy dev` is."""
    async with dev(mode) as (client, changed):
        await check_each_change_is_served(client, changed, plugin)
        await check_a_broken_change_is_reported_and_the_next_one_repairs_it(client, changed, plugin, tmp_path / "log")
        await check_a_call_that_a_change_interrupts_ends_with_an_error(client, changed, plugin)
        await check_a_plugin_that_ends_the_process_does_not_end_the_session(client, changed, plugin, tmp_path / "log")
    assert stithy_process[2]()


async def test_the_options_of_serving_count(dev):
    """The server that it starts sends the text of answers alone."""
    async with dev("auto", "--answers", "text") as (client, _):
        answer = await client.call_tool("strike")
    assert (answer.content[0].text, answer.structured_content) == ("one", None)


async def test_each_call_is_traced_with_the_traceback_of_the_plugin(dev, tmp_path):
    async with dev("auto") as (client, _):
        await client.call_tool("strike", {"force": "x" * 5_000})
        await client.call_tool("strike", {"force": "wrong"})
    log = (tmp_path / "log").read_text()
    assert "strike {'force': 'xxx" in log
    assert "ms\n" in log
    assert "x" * 1_000 not in log
    assert "stithy_hammer.py" in log
    assert "ValueError: the anvil broke" in log
    assert "npx @modelcontextprotocol/inspector stithy dev stithy_hammer.py\n" in log


async def read_url(process):
    """Return the URL at which the next server listens, from the output."""
    output = b""
    async for chunk in process.stdout:
        output += chunk
        if found := re.search(rb"listening on (\S+)\n", output):
            return found[1].decode()
    raise AssertionError(output.decode())


async def test_a_change_is_served_over_http(stithy_process, plugin):
    (executable, *program), environ, _ = stithy_process
    command = [executable, *program, "dev", str(plugin("one")), "--http", "127.0.0.1:0", "--open", "mcp"]
    async with await anyio.open_process(command, env=environ, stderr=subprocess.STDOUT) as process:
        try:
            words = []
            for word in ("two", "three"):
                async with Client(f"{await read_url(process)}/mcp") as client:
                    words.append((await client.call_tool("strike")).structured_content["text"])
                plugin(word)
        finally:
            process.terminate()
    assert words == ["one", "two"]
    assert process.returncode == 0


# --- The plugin at hand


@pytest.mark.parametrize("target", ["stithy-hut", "stithy_hut", "hut", "site-packages/stithy_hut.py", "site-packages"])
def test_an_installed_plugin_is_found_by_its_names_and_files(install_plugin, tmp_path, monkeypatch, target):
    install_plugin("stithy-hut", "STITHY_API = 1")
    monkeypatch.chdir(tmp_path)
    found = find_plugin(target)
    assert (tmp_path / "site-packages" / "stithy_hut.py") in found.paths
    assert found.options == ()


@pytest.mark.parametrize("neighbour", ["README.md", "pyproject.toml"])
def test_a_file_of_no_package_is_loaded_as_a_plugin(plugin, tmp_path, neighbour):
    path = tmp_path / "here" / "stithy_hammer.py"
    path.with_name(neighbour).write_text("")
    found = find_plugin("stithy_hammer.py")
    assert (found.paths, found.options) == ((path,), ("--plugins-dir", str(path)))


def test_plugins_in_an_environment_below_the_folder_are_not_watched(install_plugin, tmp_path, monkeypatch):
    install_plugin("stithy-hut", "STITHY_API = 1")
    monkeypatch.chdir(tmp_path / "here")
    assert find_plugin("..").options == ("--plugins-dir", str(tmp_path))


@pytest.mark.parametrize("target", [".", "src", "src/stithy_hut/forge.py"])
def test_a_distribution_that_is_not_installed_is_an_error_with_the_command(tmp_path, target):
    package = tmp_path / "here" / "src" / "stithy_hut"
    package.mkdir(parents=True)
    for name in ("__init__.py", "forge.py"):
        (package / name).write_text("")
    (tmp_path / "here" / "pyproject.toml").write_text("")
    with pytest.raises(ConfigError) as caught:
        find_plugin(target)
    assert caught.value.message == f"no plugin of '{tmp_path / 'here'}' is installed"
    assert caught.value.suggestion == f"Run: {sys.executable} -m pip install --editable {tmp_path / 'here'}"


def test_a_target_that_does_not_exist_is_an_error_with_the_installed_plugins(run):
    result = run("dev", "stithy-nowhere")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Error: no plugin, file or folder 'stithy-nowhere'\nInstalled plugins: stithy-")


def test_open_requires_http(run):
    assert "--open requires --http" in run("dev", "--open", "mcp").stderr


def test_the_inspector_line_has_the_address():
    line = "npx @modelcontextprotocol/inspector --transport http --server-url http://127.0.0.1:8080/mcp"
    assert format_inspector_line(".", ("127.0.0.1", 8080)) == line


def test_generated_and_hidden_files_are_not_watched(tmp_path):
    for name in ("a.py", "deep/b.py", "__pycache__/a.pyc", ".git/index", ".swp"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    assert {path.name for path in take_snapshot([tmp_path])} == {"a.py", "b.py"}


# --- What a new server is told


def request(number, method, **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def notice(method, **params):
    return {"jsonrpc": "2.0", "method": method, "params": params}


def send(state, *messages):
    for message in messages:
        state.record_sent(message)
    return state


def test_the_handshake_and_subscriptions_are_repeated_and_their_answers_dropped():
    handshake = [request(0, "initialize"), notice("notifications/initialized")]
    subscriptions = [request(number, "resources/subscribe", uri=f"notes://{number}") for number in (1, 2)]
    state = send(SessionState(), *handshake, *subscriptions, request(3, "resources/unsubscribe", uri="notes://1"))
    for number in range(4):
        assert state.record_received({"jsonrpc": "2.0", "id": number, "result": {}})
    repeated = list(state.iterate_repetitions())
    assert [message["method"] for message in repeated] == [
        "initialize",
        "notifications/initialized",
        "resources/subscribe",
    ]
    answers = [{"jsonrpc": "2.0", "id": message["id"], "result": {}} for message in repeated if "id" in message]
    assert not any(state.record_received(answer) for answer in answers)


def test_requests_without_an_answer_are_repeated_but_for_calls():
    first, call = request(0, "initialize"), request("a", "tools/call", name="strike")
    state = send(SessionState(), first, request(1, "tools/list"), call, request(2, "ping"))
    state.record_received({"jsonrpc": "2.0", "id": 2, "result": {}})
    assert state.take_calls() == [call]
    assert [message["id"] for message in state.iterate_repetitions()] == [0, 1]


def test_a_listening_client_is_acknowledged_once_and_notified_of_what_it_asked_for():
    listen = request(5, "subscriptions/listen", notifications={"toolsListChanged": True})
    state = send(SessionState(), listen)
    key = "io.modelcontextprotocol/subscriptionId"
    acknowledged = notice("notifications/subscriptions/acknowledged", _meta={key: 5}, notifications={})
    assert state.record_received(acknowledged)
    assert list(state.iterate_repetitions()) == [listen]
    assert not state.record_received(acknowledged)
    assert list(state.iterate_changes()) == [notice("notifications/tools/list_changed", _meta={key: 5})]
    send(state, notice("notifications/cancelled", requestId=5))
    assert not list(state.iterate_changes())
