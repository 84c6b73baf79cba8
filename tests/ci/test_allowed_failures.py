"""Checks that are allowed to fail: their failures are listed, and block nothing."""

import pytest
from ci_play import PR, PYTEST, ci_play

from stithy_ci.ci_state.check_verdicts import combine_statuses
from stithy_core.spi import CommitCheck, Verdict

pytestmark = pytest.mark.anyio

NIGHTLY = CommitCheck(name="nightly", verdict=Verdict.FAILED, allowed_to_fail=True, summary="2 failed")


async def test_a_failure_that_is_allowed_is_listed_and_ci_has_passed(tmp_path):
    async with ci_play(tmp_path) as at:
        at.checks(NIGHTLY, build="passed")
        found = await at.find()
        text = (await at.call()).content[0].text
    assert found["status"] == "passed"
    (entry,) = found["failures"]
    assert (entry["test_name"], entry["allowed_to_fail"]) == ("nightly", True)
    (row,) = found["checks"]["not_passed"]
    assert (row["name"], row["verdict"], row["allowed_to_fail"]) == ("nightly", "failed", True)
    assert found["instructions"]["summary"] == "1 of 2 checks passed, 1 failed; 1 failed check is allowed to fail"
    assert found["instructions"]["priority"] == []
    assert "allowed to fail" in text


async def test_it_comes_after_what_blocks(tmp_path):
    async with ci_play(tmp_path) as at:
        at.checks(NIGHTLY)
        at.run(unit=PYTEST)
        found = await at.find()
    assert found["status"] == "failed"
    assert [(one["test_name"], one.get("allowed_to_fail")) for one in found["failures"]] == [
        ("tests/test_auth.py::test_login", None),
        ("nightly", True),
    ]
    assert found["instructions"]["summary"].startswith("1 test failed in 1 of 2 checks, all in tests/test_auth.py")
    assert found["instructions"]["priority"][0]["test"] == "tests/test_auth.py::test_login"


async def test_waiting_does_not_end_with_it(tmp_path):
    async with ci_play(tmp_path, "[ci]\nwait_seconds = 10\n") as at:
        at.checks(NIGHTLY, build="running")
        found = await at.find(wait=True)
    assert (found["status"], found["checks"]["by_verdict"]) == ("running", {"failed": 1, "running": 1})


@pytest.mark.parametrize(("verdict", "status"), [("failed", "passed"), ("running", "running"), ("timed_out", "passed")])
def test_what_is_allowed_to_fail_must_end_but_not_pass(verdict, status):
    checks = [CommitCheck(name="nightly", verdict=Verdict(verdict), allowed_to_fail=True)]
    assert combine_statuses(checks, cut="", missing=()) == status


async def test_the_state_of_the_pull_request_does_not_count_it(tmp_path):
    async with ci_play(tmp_path) as at:
        at.checks(NIGHTLY, build="passed")
        arguments = {"method": "get_status", "owner": "smith", "repo": "anvil"}
        read = await at.client.call_tool("pull_request_read", arguments | {"pullNumber": PR.number})
    assert read.structured_content["status"]["state"] == "success"
    assert read.structured_content["status"]["failing"] == []
    (row,) = [one for one in read.structured_content["checks"] if one["name"] == "nightly"]
    assert row["allowed_to_fail"] is True
    assert "- nightly: failed (allowed to fail): 2 failed" in read.content[0].text
