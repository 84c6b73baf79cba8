"""Work that outlives the call that began it, and that later calls join."""

import anyio
import pytest

from stithy_core.errors import NotFound, Refused
from stithy_core.tools import context as module
from stithy_core.tools.context import Jobs

pytestmark = pytest.mark.anyio

SOON = 60


@pytest.fixture
async def jobs():
    """The jobs of a server that runs."""
    made = Jobs()
    async with anyio.create_task_group() as made.group:
        yield made
        made.group.cancel_scope.cancel()


async def ten(so_far):
    return 10


async def forever(so_far):
    await anyio.sleep_forever()


async def test_a_job_gives_its_result(jobs):
    assert await jobs.join("key", ten, []).within(SOON) == 10


async def test_a_job_that_goes_on_gives_none(jobs):
    assert await jobs.join("key", forever, []).within(0) is None


async def test_partial_results_of_a_running_job_can_be_read(jobs):
    begun = anyio.Event()

    async def gather(so_far):
        so_far.append("first")
        begun.set()
        await anyio.sleep_forever()

    job = jobs.join("key", gather, [])
    await begun.wait()
    assert job.so_far == ["first"]


async def test_the_same_key_joins_the_work_that_is_under_way(jobs):
    begun = []
    assert jobs.join("key", forever, begun) is jobs.join("key", ten, [])


async def test_another_key_is_another_job(jobs):
    assert jobs.join("one", forever, []) is not jobs.join("two", forever, [])


async def test_a_job_that_has_ended_is_kept_for_who_asks_next(jobs):
    await jobs.join("key", ten, []).within(SOON)
    assert await jobs.join("key", forever, []).within(0) == 10


async def test_a_job_that_ended_long_ago_starts_again(jobs, monkeypatch):
    await jobs.join("key", ten, []).within(SOON)
    monkeypatch.setattr(module, "KEPT_SECONDS", -1)
    assert await jobs.join("key", forever, []).within(0) is None


async def test_a_jobs_error_reaches_all_waiters(jobs):
    async def fail(so_far):
        raise NotFound("no such run")

    job = jobs.join("key", fail, [])
    for _ in range(2):
        with pytest.raises(NotFound, match="no such run"):
            await job.within(SOON)


async def test_a_waiter_that_is_cancelled_harms_nobody(jobs):
    go_on = anyio.Event()

    async def wait(so_far):
        await go_on.wait()
        return "done"

    job = jobs.join("key", wait, [])
    with anyio.move_on_after(0.01):
        await job.within(SOON)
    go_on.set()
    assert await job.within(SOON) == "done"


async def test_too_many_jobs_under_way_are_refused(jobs, monkeypatch):
    monkeypatch.setattr(module, "MOST", 2)
    for key in "ab":
        jobs.join(key, forever, [])
    with pytest.raises(Refused, match="2 jobs are under way"):
        jobs.join("c", forever, [])
    jobs.join("a", forever, [])


async def test_ended_jobs_are_evicted_first(jobs, monkeypatch):
    monkeypatch.setattr(module, "MOST", 2)
    running = jobs.join("running", forever, [])
    for number in range(5):
        assert await jobs.join(number, ten, []).within(SOON) == 10
    assert jobs.join("running", ten, []) is running


async def test_no_job_begins_before_the_server_runs():
    with pytest.raises(Refused):
        Jobs().join("key", ten, [])


async def test_one_of_several_callers_cannot_use_up_all_jobs(jobs):
    """Half of them are left to the others (FIX-1)."""
    for number in range(module.MOST_EACH):
        jobs.join(f"ada {number}", forever, [], owner="ada")
    with pytest.raises(Refused, match="50 jobs of yours are under way"):
        jobs.join("one more", forever, [], owner="ada")
    assert jobs.join("bob", forever, [], owner="bob")


async def test_jobs_that_have_ended_count_for_nobody(jobs):
    for number in range(module.MOST_EACH):
        await jobs.join(number, ten, [], owner="ada").within(SOON)
    assert await jobs.join("one more", ten, [], owner="ada").within(SOON) == 10
