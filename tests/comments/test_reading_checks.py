"""pull_request_read get_status: what checks come to, by rule."""

import pytest
from attrs import evolve
from following import read_items

from stithy_comments.pull_request_parts.commit_status import combine_verdicts
from stithy_core.spi import CommitCheck, Listing, Unknown, Verdict
from stithy_sandbox.world import Work

pytestmark = pytest.mark.anyio

ODD = Unknown("nobody knows the word 'melted'")
VERDICTS = (Verdict.PASSED, Verdict.FAILED, Verdict.SKIPPED, Verdict.PASSED)
STATES = {
    (): "none",
    (Verdict.PASSED,): "success",
    (Verdict.PASSED, Verdict.SKIPPED, Verdict.NEUTRAL): "success",
    (Verdict.SKIPPED,): "success",
    (Verdict.PASSED, Verdict.PENDING): "pending",
    (Verdict.RUNNING,): "pending",
    (Verdict.RUNNING, Verdict.FAILED): "failure",
    (Verdict.PASSED, Verdict.CANCELLED): "failure",
    (Verdict.TIMED_OUT,): "failure",
    (Verdict.ACTION_REQUIRED,): "failure",
    (Verdict.STARTUP_FAILURE,): "failure",
    (Verdict.STALE,): "failure",
    (Verdict.FAILED, ODD): "failure",
}


def listing(verdicts, cut=""):
    return Listing(
        tuple(CommitCheck(name=f"c{at}", verdict=one) for at, one in enumerate(verdicts)), total=None, cut=cut
    )


@pytest.mark.parametrize(("verdicts", "state"), STATES.items())
def test_the_state_follows_from_the_verdicts(verdicts, state):
    """Prevents: success plus skipped, timed_out and its like, running and failed."""
    assert combine_verdicts(listing(verdicts)) == state


@pytest.mark.parametrize("verdicts", [(), (Verdict.PASSED,), (Verdict.PENDING,)])
def test_there_is_no_verdict_before_every_check_was_read(verdicts):
    """Prevents: eleven checks, the eleventh failed, and "all passed"."""
    state = combine_verdicts(listing(verdicts, "only the first 10 were read"))
    assert state.shown == "unknown"
    assert "only the first 10 were read" in state.reason


def test_one_that_failed_decides_whatever_else_there_is():
    assert combine_verdicts(listing((Verdict.FAILED,), "only the first 10 were read")) == "failure"


def test_an_unknown_verdict_does_not_count_as_success():
    state = combine_verdicts(listing((Verdict.PASSED, ODD)))
    assert state.shown == "unknown"
    assert "c1" in state.reason


async def read(smithy, *checks, **arguments):
    async with smithy() as here:
        pr = here.world.add_pull_request(here.pr.repository, "Checked")
        here.world.add_checks(here.pr.repository, f"work-{pr.number}", *checks)
        given = {"pull_number": None, "pullNumber": pr.number, "method": "get_status"} | arguments
        return await here.call("pull_request_read", **given)


async def test_a_head_without_checks_has_none_and_no_success(smithy):
    result = await read(smithy)
    assert result.structured_content["status"]["state"] == "none"
    assert result.structured_content["checks"] == []
    assert "none at" in result.content[0].text


async def test_each_check_has_its_verdict_page_and_summary(smithy):
    check = CommitCheck(name="test", verdict=Verdict.FAILED, url="http://ci.invalid/1", summary="2 failed")
    result = await read(smithy, check, evolve(check, name="lint", verdict=Verdict.SKIPPED, summary=""))
    status = result.structured_content["status"]
    assert (status["state"], status["counts"]) == ("failure", {"failed": 1, "skipped": 1})
    assert result.structured_content["checks"][1] == {
        "name": "test",
        "verdict": "failed",
        "url": "http://ci.invalid/1",
        "summary": "2 failed",
    }
    assert "- test: failed: 2 failed http://ci.invalid/1" in result.content[0].text


async def test_a_word_that_nobody_knows_is_given_as_it_is(smithy):
    result = await read(smithy, CommitCheck(name="odd", verdict=ODD, raw="melted"))
    assert result.structured_content["status"]["state"] == "unknown"
    assert result.structured_content["checks"][0]["verdict"] == "melted"
    assert result.structured_content["unknown"][0]["field"] == "status.state"


async def test_the_state_is_of_all_checks_though_the_page_has_one(smithy):
    checks = [CommitCheck(name=f"c{number:02}", verdict=Verdict.PASSED) for number in range(40)]
    result = await read(smithy, *checks, CommitCheck(name="z", verdict=Verdict.FAILED), limit=1)
    assert result.structured_content["status"]["state"] == "failure"
    assert result.structured_content["status"]["failing"] == ["z"]
    assert "failure at" in result.content[0].text
    assert "failed: z" in result.content[0].text
    assert result.structured_content["total"] == 41
    assert len(result.structured_content["checks"]) == 1


async def test_checks_of_one_name_each_come_once(smithy):
    """Two programs may use one name, and neither has a page of its own."""
    async with smithy() as here:
        pr = here.world.add_pull_request(here.pr.repository, "Checked")
        for number in range(4):
            here.world.add_run(here.pr.repository, f"work-{pr.number}", "ci", {"test": Work(VERDICTS[number])})
        for run in here.world.repository(pr.repository).runs.values():
            run.jobs = {name: evolve(job, url="") for name, job in run.jobs.items()}

        async def read(**arguments):
            given = {"pull_number": None, "pullNumber": pr.number, "method": "get_status", "limit": 1} | arguments
            return await here.call("pull_request_read", **given)

        found = await read_items(read, "checks")
    assert [row["verdict"] for row in found] == [verdict.value for verdict in VERDICTS]
