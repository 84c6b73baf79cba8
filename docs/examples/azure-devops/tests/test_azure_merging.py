"""What a merge on Azure DevOps depends on, through the tools of stithy-ci and stithy-pulls."""

import os
import subprocess

import pytest
from azure_devops_double import TOKEN, identify
from git_forge import git

from stithy_testing import check_installed

pytestmark = pytest.mark.anyio

PR = "my project/my repo!1"
LOG = (
    "2026-01-05T10:00:00.0000000Z ##[section]Starting: Test\n"
    "2026-01-05T10:00:02.0000000Z =========================== short test summary info ============================\n"
    "2026-01-05T10:00:02.0000000Z FAILED tests/test_app.py::test_line - AssertionError: assert 1 == 2\n"
    "2026-01-05T10:00:02.0000000Z ========================= 1 failed, 3 passed in 0.12s ==========================\n"
    "2026-01-05T10:00:03.0000000Z ##[error]Bash exited with code '1'.\n"
)
CASE = {
    "automatedTestName": "test_slow[1]",
    "automatedTestStorage": "tests.test_app",
    "automatedTestType": "JUnit",
    "outcome": "Failed",
    "errorMessage": "assert 3 == 4",
}


@pytest.fixture
def protected(org):
    """A branch with policies of all kinds; a pull request that meets none, and the ids of the policies by kind."""
    policies = {
        "Minimum number of reviewers": {"minimumApproverCount": 1, "allowDownvotes": False},
        "Comment requirements": {},
        "Build": {"displayName": "CI must pass", "buildDefinitionId": 5},
        "Status": {"statusGenre": "scan", "statusName": "licences"},
        "Work item linking": {},
        "Required reviewers": {"requiredReviewerIds": [identify("legal", group=True)["id"]]},
    }
    return {kind: org.add_policy(kind, **settings) for kind, settings in policies.items()}


def meet(org, policies, **words):
    """Let a pull request meet policies, except those with other words."""
    for kind, policy in policies.items():
        org.evaluate(1, policy, words.get(kind.split()[0].lower(), "approved"))
    org.state["pulls"][1]["reviewers"] = [identify("kim", vote=10), identify("legal", vote=5, group=True)]


async def test_failed_tests_have_the_names_of_the_log_and_of_the_test_report(open_desk, org, protected):
    jobs = {"unit": ("failed", LOG), "lint": ("succeeded", "fine\n")}
    build = org.add_build(1, "CI", jobs, CASE, {**CASE, "automatedTestName": "test_fast", "outcome": "Passed"})
    org.evaluate(1, protected["Build"], "rejected", buildId=build, buildDefinitionName="CI")
    async with open_desk() as desk:
        found = await desk.call("get_failing_tests", pr=PR)
    assert {row["test_name"]: row["source"] for row in found["failures"]} == {
        "tests/test_app.py::test_line": "log",
        "tests.test_app.test_slow[1]": "test_report",
    }
    assert found["status"] == "failed"


async def test_of_a_repeated_build_the_newest_counts(open_desk, org):
    for log in (LOG, LOG.replace("test_line", "test_again")):
        org.add_build(1, "CI", {"unit": ("failed", log)})
    async with open_desk() as desk:
        found = await desk.call("get_failing_tests", pr=PR)
    assert [row["test_name"] for row in found["failures"]] == ["tests/test_app.py::test_again"]


async def test_lists_are_read_to_their_last_page(open_desk, org):
    for number in range(3):  # a page has two builds, and names the next in a header
        org.add_build(1, f"Pipeline {number}", {"unit": ("failed", LOG.replace("line", f"{number}"))})
    for number in range(101):  # a page has a hundred results, and the next begins after them
        org.evaluate(1, org.add_policy("Status", blocking=False, statusName=f"check {number}"), "approved")
    org.evaluate(1, org.state["policies"][100]["id"], "rejected")
    async with open_desk() as desk:
        found = await desk.call("get_failing_tests", pr=PR)
    pipelines = {f"Pipeline {number} / unit" for number in range(3)}
    assert {row["check_name"] for row in found["failures"]} == pipelines | {"check 100"}


async def test_a_pull_request_that_meets_all_policies_is_ready(open_desk, org, protected):
    meet(org, protected)
    org.add_thread(1, "Why?", author="kim", status="closed")
    async with open_desk() as desk:
        found = await desk.call("check_merge_readiness", pr=PR)
    assert (found["verdict"], found["blocking_issues"]) == ("ready", [])


async def test_what_an_optional_policy_demands_is_not_required(open_desk, org):
    org.evaluate(1, org.add_policy("Work item linking", blocking=False), "rejected")
    async with open_desk() as desk:
        found = await desk.call("check_merge_readiness", pr=PR)
    assert found["verdict"] == "ready"


UNMET = [
    ({"minimum": "queued"}, "approvals", "1 approval"),
    ({"build": "rejected"}, "checks_failing", "CI must pass"),
    ({"build": "queued"}, "checks_pending", "CI must pass"),
    ({"status": "rejected"}, "checks_failing", "scan/licences"),
    ({"work": "rejected"}, "protection", "the policy 'Work item linking' is approved"),
    ({"required": "queued"}, "protection", "the policy 'Required reviewers' is approved"),
]


@pytest.mark.parametrize("case", UNMET, ids=str)
async def test_each_policy_that_is_not_met_blocks(open_desk, org, protected, case):
    words, category, text = case
    meet(org, protected, **words)
    if "minimum" in words:
        org.state["pulls"][1]["reviewers"] = []
    async with open_desk() as desk:
        found = await desk.call("check_merge_readiness", pr=PR)
    (issue,) = found["blocking_issues"]
    assert issue["category"] == category
    assert text in issue["description"]


async def test_an_open_thread_blocks_where_comments_must_be_resolved(open_desk, org, protected):
    meet(org, protected, comment="rejected")
    org.add_thread(1, "Why?", author="kim", status="active")
    async with open_desk() as desk:
        found = await desk.call("check_merge_readiness", pr=PR)
    assert [issue["category"] for issue in found["blocking_issues"]] == ["conversations"]


@pytest.mark.parametrize(
    ("vote", "word", "blocked"), [(5, "approved", set()), (-5, "rejected", {"changes_requested", "approvals"})]
)
async def test_a_vote_is_a_review(open_desk, org, vote, word, blocked):
    org.evaluate(1, org.add_policy("Minimum number of reviewers", minimumApproverCount=1), word)
    org.state["pulls"][1]["reviewers"] = [identify("kim", vote=vote)]
    async with open_desk() as desk:
        found = await desk.call("check_merge_readiness", pr=PR)
    assert {issue["category"] for issue in found["blocking_issues"]} == blocked


async def test_who_may_not_contribute_may_not_merge(open_desk, org):
    org.state["readers"] = ["normal"]
    async with open_desk() as desk:
        found = await desk.call("check_merge_readiness", pr=PR)
    assert [issue["category"] for issue in found["blocking_issues"]] == ["permission"]


@pytest.mark.parametrize(("number", "from_fork"), [(4, False), (5, True)])
async def test_a_conflict_is_found_by_git_also_with_a_fork(open_desk, org, number, from_fork):
    """Only the result of a merge has a ref, and there is no result: git reads the source branch, such as the fork's."""
    async with open_desk() as desk:
        found = await desk.call("detect_merge_conflicts", pr=f"my project/my repo!{number}")
    assert (found["has_conflicts"], found["found_by"]) == (True, "git")
    assert [(row["file_path"], row["git_type"]) for row in found["conflicts"]] == [("before.txt", "add/add")]


async def test_the_steps_against_a_conflict_use_the_remote_of_the_clone(open_desk, org, tmp_path):
    """Its URL has the names in another form, and a token that the steps do not know."""
    async with open_desk() as desk:
        found = await desk.call("detect_merge_conflicts", pr="my project/my repo!4")
    clone = tmp_path / "clone"
    git(tmp_path, "init", "-q", str(clone))
    url = org.url.replace("//", f"//me:{TOKEN}@")
    git(clone, "remote", "add", "mine", f"{url}/fabrikam/my%20project/_git/my%20repo")
    line = next(line for line in found["instructions"]["resolution_steps"] if "git fetch" in line)
    subprocess.run(["sh", "-c", line], cwd=clone, check=True, env={**os.environ, "GIT_TERMINAL_PROMPT": "0"})
    assert git(clone, "log", "-1", "--format=%s", "refs/stithy/pull-4") == "Go another way"


async def test_a_stack_is_found(open_desk):
    async with open_desk() as desk:
        found = await desk.call("manage_stacked_prs", base_pr=PR, dependent_pr="my project/my repo!3")
    assert (found["is_stacked"], [row["message"] for row in found["own_commits"]]) == (True, ["Add later.txt"])


def test_everything_that_the_plugin_declares_is_there():
    check_installed("stithy-azure-devops")
