"""What a plugin raises or blocks never ends a server; what its user does, does."""

import asyncio
import signal
import threading
import time
from functools import partial
from types import ModuleType

import anyio
import pytest
from attrs import frozen

from stithy_core.app.background_tasks import LONGEST_HOLD, SAMPLE_SECONDS, LoopWatchdog, Usage, measure_hold
from stithy_core.app.doctor import examine
from stithy_core.event_loop import ServerLoop, loop_options
from stithy_core.plugins import Entry, Loaded, load_plugins
from stithy_core.spi import (
    Check,
    Context,
    Contribution,
    Finding,
    Job,
    ResourceProvider,
    Resources,
    ToolSpec,
    hookimpl,
    map_concurrently,
)
from stithy_core.spi.faults import ends_caller
from stithy_testing import connect, make_app

ENDINGS = [KeyboardInterrupt, SystemExit, GeneratorExit]
ENOUGH = LONGEST_HOLD + 4 * SAMPLE_SECONDS


@frozen
class Nothing:
    pass


@frozen
class Said:
    def render(self):
        yield "well"


def serve(tmp_path, plugin, handler, **offers):
    tool = ToolSpec(name="use", title="T", description="D", input=Nothing, handler=handler)
    return make_app(tmp_path, entries=[plugin("stithy-odd", stithy_tools=[tool], **offers)])


async def call(app):
    """Call the tool, and then another: the server is still there."""
    async with connect(app) as client:
        answer = await client.call_tool("use", {})
        rows = (await client.call_tool("list_plugins", {})).structured_content["plugins"]
    return answer, rows


def run(work):
    """Run as a server does, on a loop of its own."""
    return anyio.run(work, backend_options=loop_options())


async def raise_in_handler(ending, ctx: Context, args: Nothing) -> Said:
    raise ending


async def raise_in_children(ending, ctx: Context, args: Nothing) -> Said:
    async def child(_):
        raise ending

    await map_concurrently([1, 2], child)
    return Said()


async def raise_in_task(ending, ctx: Context, args: Nothing) -> Said:
    async def child():
        raise ending

    await asyncio.create_task(child())
    return Said()


async def raise_in_job(ending, ctx: Context, args: Nothing) -> Said:
    async def work(so_far):
        raise ending

    job: Job = ctx.job("key", work, None)
    await job.within(30)
    return Said()


def raise_in_thread(ending, worker, args: Nothing) -> Said:
    raise ending


async def raise_in_render(ending, ctx: Context, args: Nothing) -> Said:
    @frozen
    class Ending(Said):
        def render(self):
            raise ending

    return Ending()


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    "handler",
    [raise_in_handler, raise_in_children, raise_in_task, raise_in_job, raise_in_thread, raise_in_render],
    ids=lambda handler: handler.__name__,
)
def test_no_handler_ends_the_server(tmp_path, plugin, handler, ending):
    """KeyboardInterrupt, GeneratorExit and SystemExit of a plugin are faults of one call (FIX-21)."""

    if (handler, ending) == (raise_in_task, GeneratorExit):
        pytest.skip("asyncio closes whatever awaits a task that raised GeneratorExit")

    async def main():
        answer, rows = await call(serve(tmp_path, plugin, partial(handler, ending)))
        assert "use failed inside stithy-odd 1.0" in answer.structured_content["error"]
        assert ending.__name__ in str(rows)

    run(main)


@pytest.mark.parametrize("ending", ENDINGS)
def test_no_provider_ends_the_server(tmp_path, plugin, ending):
    """The documents of the others are listed, and the server goes on (FIX-21)."""

    class Odd(ResourceProvider):
        async def list(self):
            raise ending

    async def main():
        offers = {"stithy_resources": [Resources(prefix="odd://", provider=Odd)]}
        async with connect(serve(tmp_path, plugin, partial(raise_in_handler, ending), **offers)) as client:
            assert not [row for row in (await client.list_resources()).resources if str(row.uri).startswith("odd:")]
            assert (await client.list_tools()).tools

    run(main)


@pytest.mark.parametrize("ending", ENDINGS)
def test_no_import_or_hook_ends_the_start(plugin, ending):
    """The plugin has failed, and the others are loaded (FIX-21)."""

    def fail():
        raise ending

    def hook():
        raise ending

    odd = plugin("stithy-hook")
    odd.load().stithy_tools = hookimpl(hook)
    broken = Entry(Contribution("stithy-import", "1.0", "import"), load=fail)
    found = load_plugins([broken, odd, plugin("stithy-fine")])
    assert [failed.origin.distribution for failed in found.failed] == ["stithy-import", "stithy-hook"]
    assert [loaded.origin.distribution for loaded in found.loaded] == ["stithy-fine"]


@pytest.fixture
def interruptible():
    """Python's own handler of SIGINT, also where the tests are run with the signal ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_during_an_import_is_the_users(plugin):
    """A real interrupt ends the start (FIX-21)."""
    entry = Entry(Contribution("stithy-slow", "1.0", "slow"), load=lambda: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        load_plugins([entry])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_while_serving_ends_the_server(tmp_path, plugin):
    """A real interrupt ends a call that is under way (FIX-21)."""

    async def wait(ctx: Context, args: Nothing) -> Said:
        signal.raise_signal(signal.SIGINT)
        await anyio.sleep(60)
        return Said()

    with pytest.raises(KeyboardInterrupt):
        run(lambda: call(serve(tmp_path, plugin, wait)))


@pytest.mark.usefixtures("interruptible")
def test_a_second_ctrl_c_ends_a_handler_that_blocks(tmp_path, plugin):
    """The first cancels the main task, which a blocked loop does not notice; the second is raised at once (FIX-21)."""

    async def block(ctx: Context, args: Nothing) -> Said:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        return Said()

    with pytest.raises(KeyboardInterrupt):
        run(lambda: call(serve(tmp_path, plugin, block)))


def test_a_coroutine_that_is_closed_ends():
    """GeneratorExit is passed on where a coroutine is closed, or Python complains (FIX-21)."""
    seen = []

    async def caller():
        try:
            await asyncio.Future(loop=loop)
        except BaseException as error:
            seen.append(ends_caller(error))
            raise

    loop = asyncio.new_event_loop()
    waiting = caller()
    waiting.send(None)
    waiting.close()
    loop.close()
    assert seen == [True]


# --- Who holds the loop


@pytest.mark.parametrize("block", ["doze", "spin"])
def test_a_handler_that_holds_the_loop_is_named(tmp_path, plugin, caplog, block):
    """The log and list_plugins name it, and what it should do (FIX-21)."""

    async def hold(ctx: Context, args: Nothing) -> Said:
        {"doze": doze, "spin": spin}[block]()
        return Said()

    app = serve(tmp_path, plugin, hold)
    watch(app, hold)

    async def main():
        answer, rows = await call(app)
        assert not answer.is_error
        (row,) = [row for row in rows if row["distribution"] == "stithy-odd"]
        assert row["state"] == "loaded"
        assert "it held the event loop for" in row["notes"][0]
        assert "(test_endings.py:" in row["notes"][0]

    run(main)
    assert any("stithy-odd 1.0 holds the event loop" in record.getMessage() for record in caplog.records)


def test_a_check_that_holds_the_loop_is_named_by_doctor(tmp_path, plugin):
    """`stithy doctor` runs the checks of plugins, and names the one that blocks (FIX-21)."""

    async def check(scope):
        doze()
        return [Finding("ok", "done")]

    app = serve(tmp_path, plugin, partial(raise_in_handler, ValueError), stithy_checks=[Check(name="c", run=check)])
    watch(app, check)

    async def main():
        return [row.text async for about, row in examine(app) if about == "plugin" and row.level == "warning"]

    (text,) = run(main)
    assert text.startswith("stithy-odd 1.0: it held the event loop for")


def test_an_awaiting_handler_is_not_reported_as_blocking(tmp_path, plugin):
    """A handler that only awaits holds nobody up (FIX-21)."""

    async def wait(ctx: Context, args: Nothing) -> Said:
        await anyio.sleep(ENOUGH)
        return Said()

    app = serve(tmp_path, plugin, wait)
    watch(app, wait)

    async def main():
        await call(app)
        assert app.watchdog.holds == {}

    run(main)


@pytest.mark.parametrize(
    ("own", "process", "is_blocked", "held"),
    [
        (0.2, 0.2, False, 0.2),
        (0.01, 0.01, False, 0.01),
        (0.0, 0.0, True, 0.2),
        (0.01, 0.2, True, 0.01),
    ],
    ids=["computes", "is ready, and the machine is busy", "sleeps", "waits for another thread's interpreter lock"],
)
def test_a_busy_machine_puts_no_blame_on_a_callback(own, process, is_blocked, held):
    """The CPU time counts where the thread was not asleep by itself (FIX-21)."""
    before = Usage(10.0, 1.0, 5.0, is_blocked=False)
    after = Usage(10.2, 1.0 + own, 5.0 + process, is_blocked=is_blocked)
    assert measure_hold(before, after) == pytest.approx(held)


def test_a_stopped_process_puts_no_blame_on_a_callback():
    """A laptop that slept, or a SIGSTOP, does not count as a hold of a plugin (FIX-21)."""
    before, after = (Usage(wall, 1.0, 5.0, is_blocked=True) for wall in (10.0, 3_000.0))
    assert measure_hold(before, after) < LONGEST_HOLD


def test_plugins_of_one_namespace_are_told_apart():
    """The package that two plugins share names neither (FIX-21)."""
    first, second = (Contribution(f"company-{name}", "1", name) for name in ("a", "b"))
    modules = [("company.a", first), ("company.b", second)]
    watchdog = LoopWatchdog([Loaded(origin=origin, module=ModuleType(name)) for name, origin in modules])
    assert watchdog._modules == {"company.a": first, "company.b": second}


def doze():
    """Hold the thread without computing."""
    threading.Event().wait(ENOUGH)


def spin():
    ends = time.thread_time() + ENOUGH
    while time.thread_time() < ends:
        pass


def watch(app, function):
    """Let the watchdog take this module for the plugin's, whose handlers are written here."""
    loaded = app.plugins.loaded[-1]
    app.watchdog._modules = {function.__module__: loaded.origin}


def test_a_loop_of_ours_is_used():
    """Where it is not, nothing is watched (FIX-21)."""

    async def main():
        assert isinstance(asyncio.get_running_loop(), ServerLoop)

    run(main)
