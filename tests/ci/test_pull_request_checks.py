"""Checks that hang on the pull request, not on its head: every tool that has the pull request finds them."""

import pytest
from ci_play import ANVIL, BRANCH, PR, PYTEST, ci_play
from pull_request_ci import RESULT, MergeResultChecks, OwnRules, create_forge

from stithy_core.spi import BranchRules

pytestmark = pytest.mark.anyio

FORGE = create_forge(MergeResultChecks, OwnRules)


def add_result(at, **jobs):
    """Add the result of the merge, and a run of CI on it."""
    at.world.add_branch(ANVIL, RESULT, at=BRANCH)
    at.world.add_commit(ANVIL, RESULT, "Merge", {"merged.txt": "merged\n"})
    return at.run(commit=RESULT, **jobs)


async def test_a_failure_in_the_result_of_the_merge_is_found(tmp_path):
    """Prevents: "No CI checks configured", while the pipeline failed."""
    async with ci_play(tmp_path, forge=FORGE) as at:
        run = add_result(at, unit=PYTEST)
        found = await at.find()
    assert found["status"] == "failed"
    assert [one["test_name"] for one in found["failures"]] == ["tests/test_auth.py::test_login"]
    assert [one["run_id"] for one in found["runs"]] == [int(run)]


async def test_it_is_waited_for(tmp_path):
    async with ci_play(tmp_path, "[ci]\nwait_seconds = 30", forge=FORGE) as at:
        add_result(at, unit="passed")
        found = await at.find(wait=True)
    assert found["status"] == "passed"


async def test_the_state_of_the_pull_request_is_that_of_its_result(tmp_path):
    async with ci_play(tmp_path, forge=FORGE) as at:
        add_result(at, unit=PYTEST)
        read = await at.client.call_tool(
            "pull_request_read", {"method": "get_status", "owner": "smith", "repo": "anvil", "pullNumber": PR.number}
        )
    assert (read.structured_content["status"]["state"], read.structured_content["status"]["failing"]) == (
        "failure",
        ["tests / unit"],
    )


async def test_a_merge_is_blocked_by_the_result_and_by_rules_of_the_pull_request(tmp_path):
    async with ci_play(tmp_path, forge=FORGE) as at:
        add_result(at, unit=PYTEST)
        at.world.set_rules(ANVIL, "main", BranchRules(required_approvals=0, required_checks=("tests / unit",)))
        told = (await at.client.call_tool("check_merge_readiness", {"pr": str(PR)})).structured_content
    assert {"approvals", "checks_failing"} <= {one["category"] for one in told["blocking_issues"]}
    assert told["branch_protection"]["required_approvals"] == 2
