"""Services and jobs live as long as the server."""

import anyio
import pytest

from stithy_core.app import background_tasks
from stithy_core.errors import Refused
from stithy_core.spi import Changed, Service
from stithy_testing import browse, connect

pytestmark = pytest.mark.anyio


class Watch:
    """A service that says when it started and when it stopped."""

    def __init__(self):
        self.started, self.stopped = anyio.Event(), anyio.Event()

    async def run(self, scope):
        self.started.set()
        try:
            await anyio.sleep_forever()
        finally:
            self.stopped.set()


async def breaks(scope):
    raise RuntimeError("it broke")


async def leaves(scope):
    raise SystemExit(3)


@pytest.fixture
def watch():
    return Watch()


async def test_a_service_starts_and_stops_with_the_server(make, plugin, watch, mode):
    app = make(plugin("stithy-a", stithy_services=[Service(name="watch", run=watch.run)]))
    async with connect(app, mode=mode):
        with anyio.fail_after(60):
            await watch.started.wait()
        assert not watch.stopped.is_set()
    assert watch.stopped.is_set()


@pytest.mark.parametrize("broken", [breaks, leaves, "no.where:run"])
async def test_a_broken_service_does_not_stop_the_others(make, plugin, watch, caplog, broken):
    services = [Service(name="bad", run=broken), Service(name="watch", run=watch.run)]
    async with connect(make(plugin("stithy-a", stithy_services=services))) as client:
        with anyio.fail_after(60):
            await watch.started.wait()
        assert (await client.list_tools()).tools
        assert not watch.stopped.is_set()
    assert "the service bad failed and starts again in 1 s" in caplog.text


@pytest.fixture
def flaky(monkeypatch):
    """A service that fails twice and then runs; there are no pauses between."""
    monkeypatch.setattr(background_tasks, "FIRST_PAUSE", 0.0)
    watch, starts = Watch(), []

    async def run(scope):
        starts.append(scope)
        if len(starts) < 3:
            raise OSError(24, "Too many open files")
        await watch.run(scope)

    return Service(name="flaky", run=run), watch


async def test_a_service_that_failed_starts_again(make, plugin, flaky):
    service, watch = flaky
    async with connect(make(plugin("stithy-a", stithy_services=[service]))) as client:
        with anyio.fail_after(30):
            await watch.started.wait()
        answer = await client.call_tool("list_plugins")
    assert answer.structured_content["plugins"][0]["state"] == "loaded"
    assert watch.stopped.is_set()


async def test_a_service_that_does_not_run_is_named(make, plugin):
    """By the tool and by the probe."""
    app = make(plugin("stithy-a", stithy_services=[Service(name="bad", run=breaks)]))
    async with connect(app) as client, browse(app) as ask:
        with anyio.fail_after(30):
            while b"service bad failed" not in (await ask("GET", "/readyz")).body:  # noqa: ASYNC110 -- no event tells it
                await anyio.sleep(0.01)
        row = (await client.call_tool("list_plugins")).structured_content["plugins"][0]
    assert (row["offer"], row["stage"], row["cause"]) == ("service bad", "run", "RuntimeError: it broke")


async def test_pauses_grow_and_have_an_end(make, plugin):
    (service,) = make(plugin("stithy-a", stithy_services=[Service(name="bad", run=breaks)])).make_services()
    pauses = []
    for failures in (1, 2, 3, 10_000):
        service.failures = failures
        pauses.append(service.pause)
    assert pauses == [1, 2, 4, 60]


async def test_a_service_tells_what_changed(make, plugin):
    go = anyio.Event()

    async def tells(scope):
        await go.wait()
        await scope.changed(Changed("tools"))

    app = make(plugin("stithy-a", stithy_services=[Service(name="a", run=tells)]))
    async with connect(app) as client, client.listen(tools_list_changed=True) as heard:
        go.set()
        with anyio.fail_after(60):
            assert type(await anext(heard)).__name__ == "ToolsListChanged"


async def test_a_job_outlives_the_call_that_began_it(make, plugin, tool, said, mode):
    finish = anyio.Event()

    async def work(so_far):
        await finish.wait()
        return "all of it"

    async def handler(ctx, args) -> said:
        return said(await ctx.job("work", work, []).within(5 if finish.is_set() else 0) or "under way")

    async with connect(make(plugin("stithy-a", stithy_tools=[tool("a", handler)])), mode=mode) as client:
        assert (await client.call_tool("a")).content[0].text == "under way"
        finish.set()
        assert (await client.call_tool("a")).content[0].text == "all of it"


async def test_the_server_stops_though_a_job_is_under_way(make, plugin, tool, said):
    stopped = anyio.Event()

    async def work(so_far):
        try:
            await anyio.sleep_forever()
        finally:
            stopped.set()

    async def handler(ctx, args) -> said:
        await ctx.job("work", work, []).within(0)
        return said()

    with anyio.fail_after(60):
        async with connect(make(plugin("stithy-a", stithy_tools=[tool("a", handler)]))) as client:
            await client.call_tool("a")
    assert stopped.is_set()


async def test_after_the_server_stopped_no_job_begins(make):
    app = make()
    async with connect(app):
        pass
    with pytest.raises(Refused):
        app.jobs.join("key", breaks, None)
