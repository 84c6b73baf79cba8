"""The chapters on tools: each example is installed and called."""

import subprocess
import sys
import zipfile

import anyio
import pytest

from stithy_core.spi import (
    PullRequestRef,
    RepositoryRef,
)
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

PAGE = "plugins"
SANDBOX = '[forges.play]\nkind = "sandbox"\n'


def text(result):
    return result.content[0].text


@pytest.fixture
def greet(blocks, tmp_path):
    """The wheel that the two files of the smallest plugin become, unpacked."""
    files = {block.name: block.text for block in blocks("plugins/first-tool.md")}
    for name in ("pyproject.toml", "stithy_greet.py"):
        (tmp_path / name).write_text(files[name])
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", tmp_path, tmp_path]
    subprocess.run(pip, check=True, capture_output=True)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        wheel.extractall(tmp_path / "site")
    return tmp_path / "site"


def test_the_smallest_plugin_builds_and_says_hello(greet, blocks, run):
    shown = next(block.text for block in blocks(PAGE, "console") if "greet" in block.text)
    _, command, output = shown.splitlines()
    assert run(command.removeprefix("$ "), PYTHONPATH=str(greet)) == (0, f"{output}\n")


def test_the_smallest_plugin_is_loaded_from_a_folder(blocks, run, tmp_path):
    source = next(block.text for block in blocks(PAGE) if block.name == "stithy_greet.py")
    (tmp_path / "stithy_greet.py").write_text(source)
    example = next(block.text for block in blocks(PAGE, "console") if "--plugins-dir" in block.text)
    command, shown = example.removeprefix("$ ").split("\n", 1)
    assert run(command) == (0, shown)


async def test_the_tools_arguments_are_checked(plugins, tmp_path):
    plugins("stithy-greet")
    async with connect(make_app(tmp_path)) as client:
        result = await client.call_tool("greet", {"name": "x" * 81})
    assert text(result).startswith("Invalid request: name must be at most 80 characters long")


async def test_waiting_threads_are_listed_on_the_sandbox(plugins, tmp_path):
    plugins("stithy-waiting")
    async with connect(make_app(tmp_path, SANDBOX)) as client:
        result = await client.call_tool("waiting_threads", {"pr": "smith/anvil#2"})
    assert text(result).startswith("1 threads wait on smith/anvil#2\n- ")
    assert result.structured_content["threads"][0]["place"] == "anvil/horn.py:14"


async def test_waiting_threads_report_progress(plugins, tmp_path):
    plugins("stithy-waiting")
    reports = []

    async def hear(done, total, message):
        reports.append((done, total, message))

    async with connect(make_app(tmp_path, SANDBOX)) as client:
        await client.call_tool("waiting_threads", {"pr": "smith/anvil#2"}, progress_callback=hear)
    assert reports[-1] == (2, 2, "anvil/temper.py")


async def test_a_page_over_its_budget_is_cut_and_goes_on(source, install_plugin, tmp_path):
    """With a budget of one byte, one thread is sent whole and a cursor gives the other."""
    install_plugin("stithy-waiting", source("stithy_waiting.py").replace("needs=[", "budget=1, needs=["))
    app = make_app(tmp_path, SANDBOX)
    app.forges.forge("play").world.add_thread(PullRequestRef(RepositoryRef("smith", "anvil"), 2), "z.py", 1, "Why?")
    async with connect(app) as client:
        first = (await client.call_tool("waiting_threads", {"pr": "smith/anvil#2"})).structured_content
        rest = {"pr": "smith/anvil#2", "cursor": first["nextCursor"]}
        second = (await client.call_tool("waiting_threads", rest)).structured_content
    assert [row["place"] for row in first["threads"]] == ["anvil/horn.py:14"]
    assert [row["place"] for row in second["threads"]] == ["z.py:1"]


async def test_a_plain_handler_counts_in_a_thread(plugins, tmp_path):
    plugins("stithy-lines")
    (tmp_path / "a.ore").write_text("one\ntwo\n")
    async with connect(make_app(tmp_path)) as client:
        result = await client.call_tool("lines", {"path": str(tmp_path), "suffix": ".ore"})
    assert text(result) == "2 lines in 1 files"


async def test_the_message_of_a_note_and_an_error_of_a_handler_are_answered(plugins, tmp_path):
    plugins("stithy-lines")
    async with connect(make_app(tmp_path)) as client:
        empty = await client.call_tool("lines", {"path": ""})
        missing = await client.call_tool("lines", {"path": "/no/such/folder"})
    assert text(empty).startswith("Invalid request: path must not be empty")
    assert text(missing) == "Invalid request: folder '/no/such/folder' does not exist\nPass the path of a folder."


async def test_work_outlives_the_call_that_began_it(plugins, tmp_path, monkeypatch):
    """While the forge is slow the tool says what it has; the same call, made again, gets the rest."""
    plugins("stithy-lines")
    app = make_app(tmp_path, SANDBOX)
    gate = slow(app)
    monkeypatch.setattr("stithy_core.tools.context.CallContext.remaining", lambda _: 1.5)
    async with connect(app) as client:
        first = await client.call_tool("talks", {"prs": ["smith/anvil#2"]})
        gate.set()
        second = await client.call_tool("talks", {"prs": ["smith/anvil#2"]})
    assert text(first).startswith("Not complete")
    assert text(second) == "- smith/anvil#2: 2 comments"


def slow(app):
    """Let the sandbox wait with its comments; setting what is returned lets it go on."""
    comments, gate = app.forges.forge("play").comments, anyio.Event()
    answer = comments.list

    async def late(subject):
        await gate.wait()
        return await answer(subject)

    comments.list = late
    return gate
