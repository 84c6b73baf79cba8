"""Waiting for CI: bounded polling by a script in place of the clock; nothing here really waits."""

from datetime import timedelta
from inspect import isawaitable

import anyio
import pytest
from attrs import evolve
from ci_play import ANVIL, BRANCH, PR, PYTEST, ci_play

import stithy_ci.ci_waiting as module
from stithy_core.spi import CommitCheck, RateLimited, Unavailable, Unknown, Verdict

pytestmark = pytest.mark.anyio


class Script:
    """What happens in the world while a poll is waited for, one step a pause; after the last it waits for ever."""

    def __init__(self, *steps):
        self.steps = list(steps)
        self.pauses = []

    async def sleep(self, seconds):
        self.pauses.append(seconds)
        if not self.steps:
            await anyio.sleep_forever()
        done = self.steps.pop(0)()
        if isawaitable(done):
            await done
        await anyio.lowlevel.checkpoint()


@pytest.fixture
def script(monkeypatch):
    def write(*steps):
        written = Script(*steps)
        monkeypatch.setattr(module, "sleep", written.sleep)
        return written

    return write


def nothing():
    pass


def breaking(world, error, times):
    """Let the next readings of a pull request fail."""
    left = iter(range(times))

    def pull(ref):
        if next(left, None) is not None:
            raise error
        return type(world).pull(world, ref)

    world.pull = pull


async def test_the_first_failure_ends_the_waiting(tmp_path, script):
    async with ci_play(tmp_path) as at:
        run = at.run(unit="running", slow="running")
        polls = script(nothing, lambda: at.end(run, "unit", "failed", PYTEST), nothing)
        found = await at.find(wait=True)
    assert found["status"] == "failed"
    assert [entry["test_name"] for entry in found["failures"]] == ["tests/test_auth.py::test_login"]
    assert len(polls.steps) == 1
    assert "1 of 2 checks have to end" in found["poll_info"]["message"]


async def test_a_failure_that_is_there_is_not_waited_for(tmp_path, script):
    """Prevents: `running`, no failures."""
    async with ci_play(tmp_path) as at:
        at.run(unit=PYTEST, slow="running")
        polls = script(nothing)
        found = await at.find(wait=True)
    assert len(found["failures"]) == 1
    assert polls.pauses == []


async def test_without_bail_it_waits_for_the_end(tmp_path, script):
    async with ci_play(tmp_path) as at:
        run = at.run(unit=PYTEST, slow="running")
        script(nothing, lambda: at.end(run, "slow", "failed", PYTEST.replace("test_auth", "test_slow")))
        found = await at.find(wait=True, bail_on_first=False)
    assert len(found["failures"]) == 2
    assert "poll_info" not in found


async def test_a_wait_ends_with_a_passed_run(tmp_path, script):
    async with ci_play(tmp_path) as at:
        run = at.run(unit="pending")
        script(lambda: at.end(run, "unit", "running"), lambda: at.end(run, "unit", "passed"))
        assert (await at.find(wait=True))["status"] == "passed"


async def test_pauses_are_of_ten_to_thirty_seconds(tmp_path, script):
    async with ci_play(tmp_path) as at:
        run = at.run(unit="running", slow="running")
        steps = [nothing] * 4, lambda: at.end(run, "slow", "passed"), nothing, lambda: at.end(run, "unit", "passed")
        polls = script(*steps[0], *steps[1:])
        await at.find(wait=True)
    assert polls.pauses == [10, 15, 22.5, 30, 30, 10, 15]


async def test_it_gives_up_after_thirty_minutes(tmp_path, script, monkeypatch):
    async with ci_play(tmp_path) as at:
        at.run(unit="running")
        polls = script(*[nothing] * 100)
        monkeypatch.setattr(module, "current_time", lambda: sum(polls.pauses))
        found = await at.find(wait=True)
    assert found["status"] == "running"
    assert sum(polls.pauses) <= 1_800
    assert len(polls.steps) > 30


async def test_a_call_that_may_not_wait_so_long_says_how_to_go_on(tmp_path, script, monkeypatch):
    monkeypatch.setattr(module, "SPARE", 1_800)
    async with ci_play(tmp_path) as at:
        run = at.run(unit="running")
        polls = script()
        found = await at.find(wait=True)
        assert found["poll_info"]["retry_after_seconds"] == 30
        at.end(run, "unit", "failed", PYTEST)
        assert len((await at.find(wait=True))["failures"]) == 1
    assert len(polls.pauses) <= 1


async def test_two_calls_share_the_polls(tmp_path, script):
    """The second one comes while the first one waits."""
    joined = anyio.Event()

    async def hear(done, total, message):
        joined.set()

    async with ci_play(tmp_path) as at:
        run = at.run(unit="running")
        polls = script(joined.wait, lambda: at.end(run, "unit", "passed"))
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: at.find(wait=True))
            while not polls.pauses:
                await anyio.lowlevel.checkpoint()
            arguments = {"pr": "smith/anvil#2", "wait": True}
            group.start_soon(lambda: at.client.call_tool("get_failing_tests", arguments, progress_callback=hear))
            group.start_soon(at.find)
    assert polls.pauses == [10, 15]


async def test_ci_that_started_again_is_waited_for_again(tmp_path, script):
    """The job of the first call has ended, and is not taken for the second one's."""
    async with ci_play(tmp_path) as at:
        run = at.run(unit="running")
        script(lambda: at.end(run, "unit", "failed", PYTEST))
        assert (await at.find(wait=True))["status"] == "failed"
        at.end(run, "unit", "running")
        script(lambda: at.end(run, "unit", "passed"))
        assert (await at.find(wait=True))["status"] == "passed"


async def test_changes_are_reported(tmp_path, script):
    """Those that come too fast for a host are left out, the last one never."""
    heard = []

    async def hear(done, total, message):
        heard.append((done, total, message))

    async with ci_play(tmp_path) as at:
        run = at.run(unit="running", slow="running")
        script(lambda: at.end(run, "slow", "passed"), nothing, lambda: at.end(run, "unit", "passed"))
        arguments = {"pr": "smith/anvil#2", "wait": True}
        await at.client.call_tool("get_failing_tests", arguments, progress_callback=hear)
    assert heard[0] == (0, 2, "0 checks have ended, 0 of them failed")
    assert (2, 2, "2 checks have ended, 0 of them failed") in heard


async def test_a_push_meanwhile_is_followed(tmp_path, script):
    async with ci_play(tmp_path) as at:
        at.run(unit="running")

        def push():
            at.world.add_commit(ANVIL, BRANCH, "Fix it", {"anvil/temper.py": ""})
            at.run(unit="passed")

        script(push)
        found = await at.find(wait=True)
        head = at.world.commit(ANVIL, BRANCH).sha
    assert (found["status"], found["commit"]) == ("passed", head)


@pytest.mark.parametrize("error", [Unavailable("no answer"), RateLimited("too many", retry_after=120)])
async def test_a_poll_that_fails_is_tried_again(tmp_path, script, error):
    async with ci_play(tmp_path) as at:
        run = at.run(unit="running")
        polls = script(lambda: breaking(at.world, error, times=1), nothing, lambda: at.end(run, "unit", "passed"))
        assert (await at.find(wait=True))["status"] == "passed"
    assert polls.pauses[:2] == [10, error.retry_after or 30]


async def test_a_silent_forge_is_reported(tmp_path, script):
    async with ci_play(tmp_path) as at:
        at.run(unit="running")
        polls = script(lambda: breaking(at.world, Unavailable("no answer"), times=99), *[nothing] * 9)
        result = await at.call(wait=True)
    assert result.structured_content["error"] == "Failed to get failing tests: no answer"
    assert len(polls.pauses) == module.FAULTS


async def test_a_fresh_push_is_awaited_for_its_checks(tmp_path, script):
    async with ci_play(tmp_path) as at:
        at.world.add_commit(ANVIL, BRANCH, "Fix it", {"anvil/temper.py": ""})
        pushed = at.world.pull(PR).subject.updated_at
        at.forge.now = lambda: pushed
        script(lambda: at.run(unit="passed"))
        assert (await at.find(wait=True))["status"] == "passed"


async def test_without_ci_there_is_no_wait(tmp_path, script):
    async with ci_play(tmp_path) as at:
        polls = script(nothing)
        at.forge.now = lambda: at.world.pull(PR).subject.updated_at + 2 * module.YOUNG
        assert (await at.find(wait=True))["status"] == "unknown"
    assert polls.pauses == []


async def test_a_forge_without_times_of_changes_counts_from_the_creation(tmp_path, script):
    """Azure DevOps does not report when a pull request changed last."""
    async with ci_play(tmp_path) as at:
        pull = at.world.pull(PR)
        pull.subject = evolve(pull.subject, updated_at=Unknown("the forge does not say"))
        created = pull.subject.created_at
        at.forge.now = lambda: created + module.YOUNG / 2
        script(lambda: at.run(unit="passed"))
        assert (await at.find(wait=True))["status"] == "passed"


async def test_the_end_is_estimated_from_earlier_runs_of_the_workflow(tmp_path):
    async with ci_play(tmp_path) as at:
        before = at.world.run(ANVIL, at.run(commit="main", unit="passed")).run
        at.world.run(ANVIL, before.id).run = end_run(before, minutes=90)
        now = at.world.run(ANVIL, at.run(unit="running")).run.started_at
        found = await at.find()
    assert found["poll_info"]["estimated_completion"] == stamp(now, minutes=90)


async def test_a_runs_end_is_that_of_its_jobs(tmp_path):
    """As on GitHub; what was cancelled says nothing, and each run is asked once."""
    asked = []
    async with ci_play(tmp_path) as at:
        before = at.world.run(ANVIL, at.run(commit="main", unit="passed", lint="passed"))
        for job, minutes in zip(list(before.jobs.values()), (70, 95), strict=True):
            moment = before.run.started_at + timedelta(minutes=minutes)
            before.jobs[job.id] = evolve(job, completed_at=moment)
        before.run = evolve(before.run, completed_at=None)
        cancelled = at.world.run(ANVIL, at.run(commit="main", unit="cancelled"))
        cancelled.run = evolve(cancelled.run, completed_at=None)
        now, jobs = at.world.run(ANVIL, at.run(unit="running")).run.started_at, at.forge.checks.jobs

        def ask(repository, run):
            asked.append(run)
            return jobs(repository, run)

        at.forge.checks.jobs = ask
        for _ in range(2):
            assert (await at.find())["poll_info"]["estimated_completion"] == stamp(now, minutes=95)
    assert asked.count(before.run.id) == 1
    assert cancelled.run.id not in asked


async def test_a_call_that_is_cancelled_while_it_waits_harms_no_later_one(tmp_path, script):
    async with ci_play(tmp_path) as at:
        run = at.run(unit="running")
        polls = script(nothing)
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: at.find(wait=True))
            while len(polls.pauses) < 2:
                await anyio.lowlevel.checkpoint()
            group.cancel_scope.cancel()
        at.end(run, "unit", "failed", PYTEST)
        assert len((await at.find(wait=True))["failures"]) == 1


async def test_without_earlier_runs_nothing_is_estimated(tmp_path):
    async with ci_play(tmp_path) as at:
        at.run(unit="running")
        at.checks(CommitCheck(name="other", verdict=Verdict.RUNNING))
        assert "estimated_completion" not in (await at.find())["poll_info"]


def end_run(run, minutes):
    return evolve(run, completed_at=run.started_at + timedelta(minutes=minutes))


def stamp(moment, minutes):
    return (moment + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")
