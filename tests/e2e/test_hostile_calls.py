"""Many calls as nobody should send them leave the server as it was.

A short run by default, the same each time; `STITHY_HOSTILE_CALLS=10000` for a long one in each era.
"""

import os
import sys
from pathlib import Path

import pytest
from hostile import LENGTHS, objects
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from wire import start_wire

from stithy_testing import write_plugin

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it reads what Linux says of a process")

CALLS = int(os.environ.get("STITHY_HOSTILE_CALLS", "200"))
AT_ONCE = 8
EACH = 16
"""Calls of each tool before anything is measured, so that what it needs is loaded: modules come at first use."""
GOOD = 100
GROWTH = 0.008
"""The part by which what Python holds may grow in a round of calls: a few caches are still filled."""
ROUNDS = 3
PATIENCE = 90
"""Seconds to wait for what the process gives back."""
MEMORY = 32
"""MB that its process may grow by likewise: what was freed is given back every half minute."""

EVERYTHING = """
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from typing import Annotated, Any, Literal

import gc
import sys

import anyio
from attrs import frozen
from stithy_core.spi import CursorArg, Meta, Page, ToolSpec, hookimpl

STITHY_API = 1

class Colour(Enum):
    RED = "red"
    WHITE = "white"

@frozen
class Iron:
    weight: Annotated[float, Meta("kg", ge=0)]
    colour: Colour = Colour.RED

@frozen
class Everything:
    name: Annotated[str, Meta("A name", min_length=1, max_length=40, pattern="^[a-z/ ]+$")]
    numbers: Annotated[tuple[Annotated[int, Meta("n", ge=1)], ...], Meta("Some", max_length=3)] = ()
    pieces: tuple[Iron, ...] = ()
    state: Literal["open", "closed"] | None = None
    since: datetime | None = None
    either: int | str = 0
    anything: Any = None
    cursor: CursorArg = None

@frozen
class Echo:
    rows: Page[str]
    def render(self):
        yield from self.rows.items

async def echo(ctx, args) -> Echo:
    await ctx.progress(1, 2, str(args.anything)[:1_000])
    await anyio.sleep(0.001)
    return Echo(Page([f"{number} {args!r}"[:5_000] for number in range(20)], key=lambda row: row[:2]))

def thread(worker, args) -> Echo:
    worker.progress(1, 2, str(args.anything)[:1_000])
    return Echo(Page([repr(args)], key=str))

@frozen
class Nothing:
    pass

@frozen
class Held:
    blocks: int
    def render(self):
        yield str(self.blocks)

async def held(ctx, args) -> Held:
    gc.collect()
    return Held(sys.getallocatedblocks())

@hookimpl
def stithy_tools():
    return [
        ToolSpec(name="held", title="T", description="D", input=Nothing, handler=held),
        *(
            ToolSpec(name=name, title="T", description="D", input=Everything, handler=handler)
            for name, handler in {"echo": echo, "thread": thread}.items()
        ),
    ]
"""


@pytest.fixture(params=["legacy", "modern"])
def wire(request, tmp_path):
    """A server with every plugin that is installed, one more that takes everything, and a forge in memory."""
    (tmp_path / "modules").mkdir()
    write_plugin(tmp_path / "modules", "stithy-everything", EVERYTHING)
    # With a list of repositories no host is asked that the settings do not name: nothing goes out into the world.
    (tmp_path / "stithy.toml").write_text('[forges.forge]\nkind = "sandbox"\nrepositories = ["*"]\n')
    # Whoever measures coverage holds more with each line that is first reached.
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("STITHY_", "PYTHON", "COV"))}
    environ["PYTHONPATH"] = str(tmp_path / "modules")
    command = [sys.executable, Path(sys.executable).with_name("stithy"), "serve"]
    log = tmp_path / "log"
    with start_wire(command, request.param, log, cwd=tmp_path, env=environ) as made:
        yield made
    said = log.read_text(errors="replace")
    assert "Traceback" not in said, said[-5_000:]
    assert "failed inside" not in said, said[-5_000:]


def storm(wire, calls):
    """Send calls at once, cancel some, and see that each of the others is answered by its own result or error."""
    waited = []
    for (tool, arguments), is_cancelled in calls:
        number = wire.request("tools/call", f'{{"name": "{tool}", "arguments": {arguments}}}')
        if is_cancelled:
            wire.note("notifications/cancelled", requestId=number)
        else:
            waited.append(number)
    for number, answer in wire.wait(waited).items():
        assert "result" in answer or answer["error"]["code"] in {-32602, -32700}, (number, answer)


def wait_for_memory(wire, most=0.0):
    """Return, after some valid calls, Python's allocated blocks and the process's memory in MB.

    The allocator returns freed memory every half minute: wait until the process has at most `most` MB.
    """
    for _ in range(GOOD):
        assert not wire.ask("tools/call", name="echo", arguments={"name": "anvil"})["isError"]
    if most:
        wire.wait_for_memory(most, PATIENCE)
    return wire.ask("tools/call", name="held", arguments={})["structuredContent"]["blocks"], wire.memory()


def test_hostile_calls_leave_the_server_as_it_was(wire):
    tools = {tool["name"]: tool["inputSchema"] for tool in wire.ask("tools/list")["tools"] if tool["name"] != "held"}
    assert {"echo", "thread", "list_plugins", "pr_comment_create", "pr_comment_list"} <= tools.keys()

    def run(count, names):
        one = st.one_of([st.tuples(st.just(name), objects(tools[name])) for name in names])
        call = st.tuples(one, st.sampled_from([False, False, False, True]))

        @settings(
            max_examples=max(1, count // AT_ONCE),
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(st.lists(call, min_size=AT_ONCE, max_size=AT_ONCE))
        def storms(calls):
            storm(wire, calls)

        storms()

    longest = f'{{"name": "{"x" * max(LENGTHS)}"}}'
    storm(wire, [((name, longest), False) for name in tools])
    for name in tools:
        run(EACH, [name])
    before, descriptors = wait_for_memory(wire), wire.descriptors()
    for _ in range(ROUNDS):  # what is loaded or opened late ends some time; a leak goes on
        blocks, memory = before
        run(CALLS, tools)
        after, opened = wait_for_memory(wire, memory + MEMORY), wire.descriptors() - descriptors
        print(f"{wire.era}: {CALLS} calls; {before} before, {after} after")  # noqa: T201 -- pytest -s
        if after[0] - blocks < GROWTH * blocks and not opened:
            break
        before, descriptors = after, descriptors + opened
    assert after[0] - blocks < GROWTH * blocks
    assert after[1] - memory < MEMORY
    assert not opened
