"""First calls are prepared while the client is idle."""

import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from stithy_core.server import tool_requests
from stithy_core.server.tool_requests import IdlePreparation

pytestmark = pytest.mark.anyio

LOG_FOLDER = Path(__file__).parents[3] / "libs" / "ci-failures" / "tests" / "logs"

IDLE = """
import sys, tempfile
from pathlib import Path
import anyio
from stithy_testing import connect, make_app

async def main(folder):
    app = make_app(Path(folder), '[forges.play]\\nkind = "sandbox"\\n')
    async with connect(app) as client:
        await client.list_tools()
        for step in app.contents().preparations():
            step()
        before = set(sys.modules)
        print(*before & {"stithy_pulls.impact.impact_analysis", "stithy_archdocs.validation"})
        result = await client.call_tool("check_merge_readiness", {"pr": "play:smith/anvil#2"})
        assert not result.is_error, result
        # Services of other plugins import what they need in the background.
        needed = ("stithy_core", "stithy_pulls", "stithy_sandbox", "httpx", "jsonschema")
        print(*(name for name in set(sys.modules) - before if name.startswith(needed)))

with tempfile.TemporaryDirectory() as folder:
    anyio.run(main, folder)
"""


def test_after_all_steps_a_first_call_imports_nothing():
    """The steps import nothing for tools that sessions seldom begin with."""
    done = subprocess.run([sys.executable, "-c", IDLE], capture_output=True, text=True, check=False)
    assert (done.stdout.split(), done.returncode) == ([], 0), done.stderr


LOGS = """
import sys, tempfile
from pathlib import Path
from ci_failures import load_parsers, parse
from stithy_testing import make_app

with tempfile.TemporaryDirectory() as folder:
    for step in make_app(Path(folder), '[forges.play]\\nkind = "sandbox"\\n').contents().preparations():
        step()
before = set(sys.modules)
for path in sys.argv[1:]:
    assert parse(Path(path).read_bytes(), parsers=load_parsers()).failures, path
print(*(name for name in set(sys.modules) - before if name.startswith("ci_failures.parsers")))
"""


def test_after_all_steps_a_log_of_a_usual_tool_imports_no_parser():
    logs = [LOG_FOLDER / name for name in ("pytest/9-plain.log", "go/broken.log", "jest/29-ci.log")]
    done = subprocess.run([sys.executable, "-c", LOGS, *logs], capture_output=True, text=True, check=False)
    assert (done.stdout.split(), done.returncode) == ([], 0), done.stderr


def test_the_http_client_does_not_import_the_command_line_of_httpx():
    """Which imports a hundred modules of rich and pygments, where these are installed."""
    code = "import sys, stithy_core.http; print(*{'httpx', 'rich', 'pygments', 'click'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["httpx"]


@pytest.fixture
def taken(monkeypatch):
    """The names of steps that were taken, without the pauses before them."""
    monkeypatch.setattr(tool_requests, "FIRST_PAUSE", 0)
    return []


@pytest.fixture
def prepare(taken):
    """Run steps in the background; the one called `broken` fails."""

    def take(name):
        taken.append(name)
        if name == "broken":
            raise SystemExit(3)

    def create(*names):
        return IdlePreparation(lambda: [lambda name=name: take(name) for name in names])

    return create


async def test_no_step_is_taken_before_the_tools_were_listed(prepare, taken):
    preparation = prepare("one")
    with anyio.move_on_after(0.05):
        await preparation.run()
    assert taken == []
    preparation.allow()
    await preparation.run()
    assert taken == ["one"]


async def test_no_step_is_taken_while_a_call_runs(prepare, taken):
    preparation = prepare("one", "two")
    preparation.allow()
    async with anyio.create_task_group() as group:
        with preparation.suspend():
            with preparation.suspend():
                group.start_soon(preparation.run)
            await anyio.sleep(0.05)
            assert taken == []
    assert taken == ["one", "two"]


async def test_a_step_that_fails_is_left_to_the_call_that_needs_it(prepare, taken):
    preparation = prepare("broken", "two")
    preparation.allow()
    await preparation.run()
    assert taken == ["broken", "two"]
