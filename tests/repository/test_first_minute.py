"""docs/first-minute.md: from an empty machine to the first answer in an agent host, with three commands.

With `STITHY_TRANSCRIPT=1` the test writes the page's transcript; otherwise it compares all but what varies.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from distributions import ROOT
from scripted_model import DONE, serve_script

pytestmark = [pytest.mark.agents, pytest.mark.packages]

PAGE = ROOT / "docs/first-minute.md"
BLOCK = re.compile(r"(?<=```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
VARYING = re.compile(r"(?<=sandbox )\d\S+|(?<=all )\d+(?= operations)")
"""The version, and how many operations there are: other tests know them."""
INSTALL = ("uv", "tool", "install", "stithy[all,sandbox]")
INIT = ("stithy", "init", "--forge", "http://sandbox.invalid", "--kind", "sandbox", "--yes")
ASK = ("claude", "-p", "What is open on smith/anvil#2?", "--allowedTools", "mcp__stithy")
AS_JSON = ("--output-format", "stream-json", "--verbose")
# Else it asks the model after 5 s, with or without the server.
PATIENT = {"MCP_CONNECTION_NONBLOCKING": "0", "MCP_CONNECT_TIMEOUT_MS": "300000", "MCP_TIMEOUT": "300000"}
SCRIPT = [("find_unresolved_comments", {"pr": "smith/anvil#2"})]


@pytest.fixture(scope="module")
def machine(wheels, tmp_path_factory):
    """Return a function that runs a command on a machine with uv, Claude Code, an empty home, and the wheels."""
    home = tmp_path_factory.mktemp("home")
    programs = tmp_path_factory.mktemp("programs")
    here = {"uv": Path(sys.executable).with_name("uv"), "node": shutil.which("node")}
    for name, path in {**here, "claude": ROOT / ".agents/node_modules/.bin/claude"}.items():
        (programs / name).symlink_to(path)
    # How this machine reaches its package index stays; nothing else of its user does.
    kept = ("_CERTS", "_CERT", "_CERT_FILE", "_BUNDLE", "_PROXY", "_proxy", "INDEX_URL", "_DEFAULT_INDEX")
    environ = {name: value for name, value in os.environ.items() if name.endswith(kept)}
    environ |= {"HOME": str(home), "PATH": f"{home}/.local/bin:{programs}:/usr/bin:/bin", "TERM": "dumb"}
    environ |= {"UV_FIND_LINKS": str(wheels), "UV_PYTHON": sys.executable}

    def run(words, **more):
        done = subprocess.run(words, cwd=home, env=environ | more, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.replace(str(home), "/home/ann"), done.stderr.strip()

    assert list(home.iterdir()) == []
    return run


@pytest.fixture(scope="module")
def transcript(machine):
    """Return the lines of the three commands, and their seconds."""
    begun = time.monotonic()
    _, installed = machine(INSTALL)
    shown, _ = machine(INIT)
    with serve_script(SCRIPT) as (url, run):
        model = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "x", "ENABLE_TOOL_SEARCH": "false"}
        told, _ = machine([*ASK, *AS_JSON], **model, **PATIENT)
    seconds = time.monotonic() - begun
    events = [json.loads(line) for line in told.splitlines()]
    (server,) = next(event["mcp_servers"] for event in events if event.get("subtype") == "init")
    assert next(event["result"] for event in events if event["type"] == "result") == DONE
    lines = [
        *('$ uv tool install "stithy[all,sandbox]"', installed.splitlines()[-1]),
        *(f"$ {' '.join(INIT)}", *shown.splitlines()),
        f'$ claude -p "{ASK[2]}" --allowedTools mcp__stithy',
        f"MCP server {server['name']}: {server['status']}",
        *(line for result in run.results for line in result.splitlines()),
    ]
    return lines, seconds


def test_three_commands_lead_to_the_first_answer(transcript):
    """The host says that it is connected, and its model gets the answer of the tool; no file was edited by hand."""
    lines, _ = transcript
    assert sum(line.startswith("$ ") for line in lines) == 3
    assert "MCP server stithy: connected" in lines
    assert any("3 unresolved on smith/anvil#2" in line for line in lines)


def test_the_page_shows_what_they_wrote(transcript):
    lines, seconds = transcript
    text, page = "".join(f"{line}\n" for line in lines), PAGE.read_text()
    if os.environ.get("STITHY_TRANSCRIPT"):
        page = re.sub(r"took \d+ seconds", f"took {seconds:.0f} seconds", BLOCK.sub(lambda _: text, page, count=1))
        PAGE.write_text(page)
    assert VARYING.sub("", BLOCK.search(page)[0]) == VARYING.sub("", text)
