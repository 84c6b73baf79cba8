"""The matrix of broken plugins: whatever one does, the rest is served, and everyone who asks is told."""

import json
import sys

import anyio
import pytest
from broken_plugins import BROKEN, CALLED, CALLS, SOUND, TOKEN

from stithy_core.tools.executor import THREADS
from stithy_core.tools.registry import DURATIONS
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio


@pytest.fixture(params=BROKEN)
def broken(request, install_plugin):
    """A broken plugin beside one that works; gives what is to be said of it."""
    case = BROKEN[request.param]
    for name in filter(None, ("stithy-broken", case.also)):
        install_plugin(name, case.source, version="1.5", **case.options)
    install_plugin("stithy-sound", SOUND)
    return case


def first(rows):
    """Return the first row of the broken plugin: failed offers come before loaded plugins."""
    return next(row for row in rows if row["distribution"] == "stithy-broken")


def check(broken, row):
    """Hold a row of the list of plugins to what is to be said."""
    assert (row["version"], row["state"], row["stage"]) == ("1.5", "failed", broken.stage)
    assert broken.cause in row["cause"]
    assert broken.remedy in row["remedy"]
    assert row.get("offer", "") == broken.offer


async def test_the_rest_is_served_and_an_agent_is_told(broken, tmp_path):
    async with connect(make_app(tmp_path)) as client:
        assert (await client.call_tool("sound")).structured_content == {"text": "said"}
        rows = (await client.call_tool("list_plugins")).structured_content["plugins"]
    check(broken, first(rows))


def test_stithy_plugins_shows_it(broken, run):
    check(broken, first(json.loads(run("plugins", "--json").stdout)))
    shown = run("plugins").stdout
    assert "failed  stithy-broken 1.5\n" in shown
    assert f"at {broken.stage}: " in shown


def test_doctor_shows_it(broken, run):
    done = run("doctor", "--json")
    assert done.exit_code == 1
    text, remedy = next(
        (row["text"], row["remedy"]) for row in json.loads(done.stdout) if row["text"].startswith("stithy-broken 1.5: ")
    )
    assert f"{broken.offer or 'the plugin'} failed at {broken.stage}: " in text
    assert broken.cause in text
    assert broken.remedy in remedy


def test_a_strict_start_ends_with_its_code(broken, run):
    done = run("tools", "--strict-plugins")
    assert (done.exit_code, done.stdout) == (3, "")
    assert "stithy-broken 1.5" in done.stderr
    assert broken.remedy in done.stderr


def test_every_fault_of_one_start_is_told(run, install_plugin):
    for number, case in enumerate(BROKEN.values()):
        install_plugin(
            f"stithy-broken{number:02}", case.source, version="1.5", requires=case.options.get("requires", ())
        )
    install_plugin("stithy-sound", SOUND)
    rows = json.loads(run("plugins", "--json").stdout)
    failed = {row["distribution"] for row in rows if row["state"] == "failed"}
    assert len([name for name in failed if name.startswith("stithy-broken")]) == len(BROKEN)
    assert "stithy-sound" in {row["distribution"] for row in rows if row["state"] == "loaded"}


def test_no_token_is_shown(run, install_plugin, monkeypatch):
    monkeypatch.setenv("RUSTY_TOKEN", "a-shape-that-nobody-knows")
    install_plugin("stithy-broken", BROKEN["a token in what it raises"].source)
    install_plugin("stithy-open", "import os; raise RuntimeError(os.environ['RUSTY_TOKEN'])")
    shown = "".join(done.output for done in (run("plugins"), run("doctor"), run("tools", "--strict-plugins")))
    assert "RuntimeError: bad credentials" in shown
    assert "RuntimeError: [redacted]" in shown
    assert TOKEN[:12] not in shown
    assert "a-shape" not in shown


@pytest.fixture
def calls(install_plugin, monkeypatch, tmp_path):
    """A server with a plugin whose tools break when they are called, and one that works."""
    monkeypatch.setitem(DURATIONS, "slow", 0.05)  # those that hang; the others have time
    install_plugin("stithy-broken", CALLS)
    install_plugin("stithy-sound", SOUND)
    yield make_app(tmp_path)
    sys.modules["stithy_broken"].held.set()


def test_doctor_loads_what_a_call_would_and_says_what_cannot_be(run, install_plugin):
    install_plugin("stithy-broken", CALLS.replace("def odd(ctx, args) -> Said", "def odd(ctx, args)"))
    shown = run("doctor").stdout
    assert f"stithy-broken 1.0: tool lost failed at call: {CALLED['lost']}\n    correct the reference\n" in shown
    assert "tool odd failed at call: the handler of odd has no return annotation\n    annotate it\n" in shown
    assert "tool misfit" not in shown


async def test_handlers_that_hang_leave_other_plugins_their_threads(calls, install_plugin, tmp_path):
    install_plugin("stithy-plain", SOUND.replace("async def", "def").replace('"sound"', '"plain"'))
    async with connect(make_app(tmp_path)) as client:
        async with anyio.create_task_group() as group:
            for _ in range(THREADS):
                group.start_soon(client.call_tool, "block")
        answer = await client.call_tool("plain")
    assert answer.structured_content == {"text": "said"}


@pytest.mark.parametrize("tool", CALLED)
async def test_a_call_that_breaks_is_named_and_leaves_the_rest(calls, tool):
    async with connect(calls) as client:
        answer = await client.call_tool(tool)
        assert (await client.call_tool("sound")).structured_content == {"text": "said"}
        row = first((await client.call_tool("list_plugins")).structured_content["plugins"])
    assert answer.is_error
    assert (row["version"], row["stage"], row["offer"]) == ("1.0", "call", f"tool {tool}")
    assert row["cause"] == CALLED[tool]
    assert row["remedy"]
    assert TOKEN[:12] not in f"{answer} {row}"


POND = """
    from stithy_core.spi import ForgeKind, hookimpl

    STITHY_API = 1

    def address(url):
        raise ValueError("no such pond")

    @hookimpl
    def stithy_forges():
        return [ForgeKind(name="pond", title="Pond", forge="stithy_pond:Pond", address=address)]
"""


def test_a_kind_that_cannot_tell_an_address_leaves_the_server(run, install_plugin, settings):
    install_plugin("stithy-pond", POND)
    install_plugin("stithy-sound", SOUND)
    settings('[forges.work]\nkind = "pond"\nurl = "http://pond.example"\n')
    assert run("call", "sound").stdout == "said\n"
    assert "offer:  forge kind pond\n        at offers: the address of forge work: ValueError" in run("plugins").stdout
