"""What CI has come to: no verdict on partial data, and every conclusion named."""

import pytest
from attrs import evolve
from ci_play import ANVIL, BRANCH, PYTEST, ci_play

from stithy_ci.ci_state.check_verdicts import combine_statuses
from stithy_core.spi import BranchRules, CommitCheck, Unknown, Verdict

pytestmark = pytest.mark.anyio

CAME_TO = [
    (["passed", "skipped", "neutral"], "passed"),
    (["passed", "running"], "running"),
    (["passed", "pending"], "pending"),
    (["failed", "running", "pending"], "failed"),
    (["skipped"], "passed"),
    ([], "unknown"),
    *((["passed", verdict], "failed") for verdict in ("timed_out", "cancelled", "startup_failure", "stale")),
    (["passed", "action_required"], "failed"),
]


def checks(*verdicts):
    return [CommitCheck(name=str(number), verdict=Verdict(word)) for number, word in enumerate(verdicts)]


@pytest.mark.parametrize(("verdicts", "status"), CAME_TO)
def test_verdicts_combine_to_a_status(verdicts, status):
    assert combine_statuses(checks(*verdicts), cut="", missing=()) == status


def test_partially_read_checks_have_not_passed():
    assert combine_statuses(checks("passed"), cut="only 10 of 11 were read", missing=()) == "unknown"


def test_a_failure_among_partially_read_checks_counts():
    assert combine_statuses(checks("passed", "failed"), cut="only 10 of 11 were read", missing=()) == "failed"


def test_an_unknown_verdict_does_not_count_as_success():
    odd = CommitCheck(name="odd", verdict=Unknown("the forge calls it 'banana'"), raw="banana")
    assert combine_statuses([*checks("passed"), odd], cut="", missing=()) == "unknown"


async def test_without_ci_nothing_is_known(tmp_path):
    async with ci_play(tmp_path) as at:
        found = await at.find()
    assert (found["status"], found["message"]) == ("unknown", "No CI checks configured")
    assert (found["failures"], found["checks"]["total"]) == ([], 0)
    assert found["instructions"]["summary"] == "No CI checks configured"


@pytest.mark.parametrize("verdict", ["timed_out", "cancelled", "action_required", "startup_failure", "stale"])
async def test_each_way_not_to_pass_is_named(tmp_path, verdict):
    """Prevents: "All tests passed"."""
    async with ci_play(tmp_path) as at:
        at.checks(build="passed", test=verdict)
        result = await at.call()
    found = result.structured_content
    (entry,) = found["failures"]
    assert found["status"] == "failed"
    assert (entry["check_name"], entry["verdict"], entry["confidence"]) == ("test", verdict, "low")
    assert verdict in result.content[0].text
    assert entry.get("kind") == {"timed_out": "timeout", "cancelled": "cancelled"}.get(verdict)


async def test_skipped_and_neutral_never_fail(tmp_path):
    """Prevents: `unknown`."""
    async with ci_play(tmp_path) as at:
        at.checks(build="passed", publish="skipped", notes="neutral")
        found = await at.find()
    assert (found["status"], found["failures"]) == ("passed", [])
    assert found["instructions"]["summary"] == "1 of 3 checks passed, 1 neutral, 1 skipped"


async def test_one_check_under_way_is_running_with_what_to_do_next(tmp_path):
    """Prevents: running, and "All tests passed"."""
    async with ci_play(tmp_path) as at:
        at.checks(build="passed", test="running")
        result = await at.call()
    found = result.structured_content
    assert found["status"] == "running"
    assert 10 <= found["poll_info"]["retry_after_seconds"] <= 30
    assert "Call get_failing_tests again" in found["poll_info"]["message"]
    assert "passed" not in result.content[0].text


async def test_failing_statuses_of_another_ci_are_failures(tmp_path):
    """Prevents: "No CI checks configured"."""
    async with ci_play(tmp_path) as at:
        status = CommitCheck(
            name="jenkins", verdict=Verdict.FAILED, url="http://ci.invalid/1", summary="3 tests failed"
        )
        at.checks(status)
        (entry,) = (await at.find())["failures"]
    assert (entry["test_name"], entry["log_url"]) == ("jenkins", "http://ci.invalid/1")
    assert entry["error_message"].startswith("the check ended as failed:\n3 tests failed\n")


async def test_a_run_that_waits_to_be_let_has_no_job_and_is_named(tmp_path):
    async with ci_play(tmp_path) as at:
        at.checks(build="passed")
        kept = at.world.run(ANVIL, at.run(name="fork tests"))
        kept.run = evolve(kept.run, verdict=Verdict.ACTION_REQUIRED)
        found = await at.find()
    assert found["status"] == "failed"
    assert [entry["check_name"] for entry in found["failures"]] == ["fork tests"]


async def test_a_run_with_checks_does_not_count_as_a_check(tmp_path):
    async with ci_play(tmp_path) as at:
        at.run(unit=PYTEST, lint="passed")
        found = await at.find()
    assert found["checks"]["by_verdict"] == {"failed": 1, "passed": 1}


async def test_an_unreported_required_check_is_awaited(tmp_path):
    async with ci_play(tmp_path) as at:
        at.demand("build", "test")
        at.checks(build="passed")
        found = await at.find()
    assert (found["status"], found["checks"]["missing"]) == ("pending", ["test"])
    assert found["message"] == "Required checks that were not reported: test"


async def test_required_checks_may_be_patterns(tmp_path):
    async with ci_play(tmp_path) as at:
        at.demand("tests / *", patterns=True)
        at.run(unit="passed")
        assert (await at.find())["status"] == "passed"


async def test_a_failed_check_reports_whether_it_is_required(tmp_path):
    async with ci_play(tmp_path) as at:
        at.demand("test")
        at.checks(test="failed", coverage="failed")
        rows = (await at.find())["checks"]["not_passed"]
    assert {row["name"]: row["required"] for row in rows} == {"coverage": False, "test": True}


async def test_where_every_check_must_pass_each_on_the_commit_is_required(tmp_path):
    async with ci_play(tmp_path) as at:
        at.world.set_rules(ANVIL, "main", BranchRules(required_checks=(), all_checks=True))
        job = CommitCheck(name="unit", verdict=Verdict.FAILED, kind="job", id="2", reported=False)
        at.world.add_checks(ANVIL, BRANCH, CommitCheck(name="build", verdict=Verdict.FAILED, id="1"), job)
        rows = (await at.find())["checks"]["not_passed"]
    assert {row["name"]: row["required"] for row in rows} == {"build": True, "unit": False}


async def test_a_status_of_a_whole_run_is_explained_by_its_jobs(tmp_path):
    """Bitbucket Cloud has one status for a pipeline, and none for its steps."""
    async with ci_play(tmp_path) as at:
        run = at.run(unit=PYTEST)
        whole = CommitCheck(name="Pipeline #1", verdict=Verdict.FAILED, kind="run", id="p1", run=run)
        at.world.add_checks(ANVIL, BRANCH, whole)
        found = await at.find()
        at.world.add_checks(ANVIL, BRANCH, evolve(whole, name="Pipeline #2", id="p2", run="404"))
        alone = await at.find()
    assert [one["check_name"] for one in found["failures"]] == ["tests / unit"]
    assert "incomplete" not in found
    assert [one["check_name"] for one in alone["failures"]] == ["tests / unit", "Pipeline #2"]


async def test_only_the_head_commit_counts(tmp_path):
    async with ci_play(tmp_path) as at:
        at.checks(test="failed")
        at.world.add_commit(ANVIL, BRANCH, "Fix it", {"anvil/temper.py": ""})
        assert (await at.find())["status"] == "unknown"


@pytest.mark.parametrize("verdict", ["failed", "timed_out", "startup_failure", "running", "pending"])
async def test_a_run_that_did_not_pass_vetoes_what_its_checks_say(tmp_path, verdict):
    """The forge may leave checks out, or begin the next job in a moment (FIX-6)."""
    async with ci_play(tmp_path) as at:
        run = at.world.run(ANVIL, at.run(unit="passed"))
        run.run = evolve(run.run, verdict=Verdict(verdict), raw=verdict)
        run.jobs.clear()
        at.checks(CommitCheck(name="unit", verdict=Verdict.PASSED, run=run.run.id))
        found = await at.find()
    assert found["status"] == (verdict if verdict in {"running", "pending"} else "failed")
