"""The programs of agent hosts read what `stithy init` wrote, and run a task against a model that follows a script.

The model is on the loopback interface; the forge is in memory, and another one sees which token arrives.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from gitea_account import TOKEN, serve_account
from scripted_model import DONE, serve_script

from stithy_testing import connect, make_app

pytestmark = pytest.mark.agents

PROGRAMS = Path(__file__).parents[2] / ".agents/node_modules/.bin"
PROGRAM = str(Path(sys.executable).with_name("stithy"))
SECONDS = 300
SETTINGS = """
[forges.play]
kind = "sandbox"

[forges.work]
kind = "gitea"
url = "{url}"
token = {{ env = "WORK_TOKEN" }}
"""
FILES = {
    ".gemini/settings.json": '{"security": {"auth": {"selectedType": "gemini-api-key"}}}\n',
    ".config/opencode/opencode.jsonc": '{\n  // of the tests\n  "model": "anthropic/claude-sonnet-4-5",\n}\n',
}
"""What two hosts need for the model, in the files that `stithy init` changes."""
PR = "play:smith/anvil#2"
THREAD = {"owner": "play:smith", "repo": "anvil", "pull_number": 2}
SCRIPT = [
    ("find_unresolved_comments", {"pr": PR}),
    ("reply_to_review_comment", {**THREAD, "comment_id": 8, "body": "Rockwell."}),
    ("resolve_review_thread", {**THREAD, "thread_id": "9"}),
    ("find_unresolved_comments", {"pr": PR}),
    ("pr_list", {"repository": "work:smith/anvil"}),
]


class Machine:
    """A home where the hosts know their model and, by `stithy init`, the server."""

    def __init__(self, folder, forge):
        self.home, self.project = folder / "home", folder / "home/project"
        (self.project / ".git").mkdir(parents=True)
        (self.project / "stithy.toml").write_text(SETTINGS.format(url=forge.url))
        for path, text in FILES.items():
            (self.home / path).parent.mkdir(parents=True)
            (self.home / path).write_text(text)
        node = Path(shutil.which("node")).parent
        self.environ = {
            "HOME": str(self.home),
            "PATH": f"{Path(sys.executable).parent}:{PROGRAMS}:{node}:/usr/bin:/bin",
            "TERM": "dumb",
            "WORK_TOKEN": TOKEN,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        }
        if "COVERAGE_PROCESS_START" in os.environ:
            self.environ["COVERAGE_PROCESS_START"] = os.environ["COVERAGE_PROCESS_START"]

    def run(self, *words, **environ):
        command = [str(word) for word in words]
        return subprocess.run(
            command,
            cwd=self.project,
            env=self.environ | environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )


@pytest.fixture(scope="module")
def forge():
    with serve_account() as server:
        yield server


@pytest.fixture(scope="module")
def machine(tmp_path_factory, forge):
    """All hosts are found by their programs, and set up by one command."""
    machine = Machine(tmp_path_factory.mktemp("machine"), forge)
    ran = machine.run("stithy", "init", "--yes")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert TOKEN not in ran.stdout
    assert ran.stdout.count(" will be set up in ") == len(LISTS)
    return machine


LISTS = {
    "claude": "✔ Connected",
    "codex": "enabled",
    "gemini": "Connected",
    "copilot": "stithy (local)",
    "opencode": "connected",
    "qwen": "Connected",
}


@pytest.mark.parametrize("program", LISTS)
def test_a_host_lists_the_server(machine, program):
    """Most of them start it for that."""
    ran = machine.run(program, "mcp", "list")
    line = next(line for line in (ran.stdout + ran.stderr).splitlines() if "stithy" in line)
    assert LISTS[program] in line
    assert TOKEN not in ran.stdout


def run_claude(machine, url):
    return machine.run(
        *("claude", "-p", "Go.", "--allowedTools", "mcp__stithy"),
        ANTHROPIC_BASE_URL=url,
        ANTHROPIC_API_KEY="x",
        ENABLE_TOOL_SEARCH="false",  # else it offers names only, and the script would have to search
        MCP_CONNECTION_NONBLOCKING="0",
        MCP_CONNECT_TIMEOUT_MS=f"{SECONDS}000",  # else it asks the model after 5 s, with or without the server
        MCP_TIMEOUT=f"{SECONDS}000",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
    )


def run_codex(machine, url):
    provider = f'model_providers.scripted={{name="scripted",base_url="{url}/v1",env_key="KEY",wire_api="responses"}}'
    words = ("-c", "model_provider=scripted", "-c", provider, "-c", "model=scripted")
    unsafe = "--dangerously-bypass-approvals-and-sandbox"  # else it asks a person before it writes
    return machine.run("codex", "exec", unsafe, *words, "Go.", KEY="x")


def run_gemini(machine, url):
    words = ("gemini", "-p", "Go.", "--approval-mode", "yolo", "-m", "gemini-2.5-flash")
    return machine.run(*words, GOOGLE_GEMINI_BASE_URL=url, GEMINI_API_KEY="x")


def run_opencode(machine, url):
    own = f'{{"provider": {{"anthropic": {{"options": {{"baseURL": "{url}/v1", "apiKey": "x"}}}}}}}}'
    return machine.run("opencode", "run", "Go.", OPENCODE_CONFIG_CONTENT=own, OPENCODE_DISABLE_AUTOUPDATE="1")


RUNS = {
    "claude": (run_claude, "mcp__stithy__{}", ()),
    "codex": (run_codex, "{}", ()),
    "gemini": (run_gemini, "mcp_stithy_{}", ("wait_for_previous",)),
    "opencode": (run_opencode, "stithy_{}", ()),
}
MOST_BYTES = 200
"""Bytes that a host may put around a text."""
MOST_TOOL_BYTES = 30_000
"""Bytes of all tools as a host offers them: 17 to 19 thousand, and 24 in Gemini CLI, which adds an argument to each."""


@pytest.fixture(scope="module")
def expected(machine):
    """The tools of this server with their arguments, and the text of the first call."""
    app = make_app(machine.project, (machine.project / "stithy.toml").read_text(), environ={})

    async def find():
        async with connect(app) as client:
            return (await client.call_tool(*SCRIPT[0])).content[0].text

    tools = app.executor.registry.tools
    return {name: set(tool.published["properties"]) for name, tool in tools.items()}, anyio.run(find)


@pytest.mark.parametrize("program", RUNS)
def test_a_host_finds_replies_and_resolves(machine, forge, expected, program):
    """Every tool reaches the model with all of its arguments, and every answer as text, whole and without an object."""
    start, form, added = RUNS[program]
    tools, text = expected
    forge.authorizations.clear()
    with serve_script(SCRIPT) as (url, run):
        ran = start(machine, url)
    assert DONE in ran.stdout, ran.stdout + ran.stderr
    names = {name: form.format(name.replace("-", "_") if program == "codex" else name) for name in tools}
    offered = {tool.name: set(tool.schema["properties"]) for tool in run.offers}
    assert offered == {names[name]: arguments.union(added) for name, arguments in tools.items()}
    assert sum(tool.size for tool in run.offers) < MOST_TOOL_BYTES
    found, reply, resolved, again, refused = run.results
    assert text in found
    assert len(found.encode()) - len(text.encode()) < MOST_BYTES
    assert "Invalid request" not in reply + resolved
    assert "2 unresolved on smith/anvil#2" in again
    assert "structuredContent" not in "".join(run.results)
    assert refused
    # The token came to the server by the name that `stithy init` wrote, and went to its own forge.
    assert {header.rpartition(" ")[2] for header in forge.authorizations} == {TOKEN}
    assert TOKEN not in "".join(run.results)


def test_undo_leaves_what_the_hosts_wrote(machine):
    """It comes last: the hosts have added to their files."""
    ran = machine.run("stithy", "init", "--undo")
    assert ran.returncode == 0, ran.stdout
    files = [path for path in machine.home.rglob("*") if path.is_file() and path.suffix in {".json", ".jsonc", ".toml"}]
    mine = [path for path in files if ".local" not in path.parts and ".cache" not in path.parts]
    assert mine
    assert [path for path in mine if PROGRAM in path.read_text()] == []
    for path, before in FILES.items():
        text = (machine.home / path).read_text()
        assert [line for line in before.splitlines() if line not in text] == []
