"""What a merge on Bitbucket Cloud depends on, through the tools of stithy-ci and stithy-pulls."""

from base64 import b64decode

import pytest
from bitbucket_double import ACCESS_TOKEN, API_TOKEN, BOB, SECRET, create_step, create_user

from stithy_testing import check_installed

pytestmark = pytest.mark.anyio

PR = "smith/anvil#1"
LOG = (
    "=========================== short test summary info ============================\n"
    "FAILED tests/test_slow.py::test_cool - AssertionError: assert 3 == 2\n"
    "========================= 1 failed, 3 passed in 0.12s ==========================\n"
)
CASES = [
    {
        "name": "test_login[admin]",
        "class": "tests.test_auth.TestLogin",
        "status": "FAILED",
        "message": "assert 401 == 200",
    },
    {"name": "test_ok", "class": "tests.test_auth", "status": "SUCCESSFUL", "message": ""},
]


async def test_failed_tests_have_the_names_of_the_report_and_of_the_log(open_desk):
    async with open_desk() as desk:
        desk.server.add_pull(desk.home, "Greet", "greet")
        steps = create_step("Unit", cases=CASES), create_step("Slow", log=LOG), create_step("Lint", "SUCCESSFUL")
        desk.server.add_pipeline(desk.home, desk.home.find_commit("greet"), *steps)
        found = await desk.call("get_failing_tests", pr=PR)
        stored = desk.server.stored
    failures = {row["check_name"]: (row["test_name"], row["source"]) for row in found["failures"]}
    assert failures == {
        "Slow": ("tests/test_slow.py::test_cool", "log"),
        "Unit": ("tests.test_auth.TestLogin.test_login[admin]", "test_report"),
    }
    assert found["status"] == "failed"
    assert stored  # the logs are on another host, which gets no token
    assert set(stored) == {""}


def protect(desk):
    """Restrict merges into `main` in every way that the plugin evaluates, and open a pull request."""
    desk.home.restrict("require_approvals_to_merge", 1)
    desk.home.restrict("require_passing_builds_to_merge", 2)
    desk.home.restrict("require_default_reviewer_approvals_to_merge", 1)
    desk.home.restrict("require_tasks_to_be_completed")
    desk.home.restrict("require_no_changes_requested")
    desk.home.restrict("require_commits_behind", 0, pattern="release/*")
    desk.home.default_reviewers.append(BOB)
    return desk.server.add_pull(desk.home, "Greet", "greet", reviewers=[BOB])


async def test_a_pull_request_is_blocked_by_each_restriction_that_it_does_not_meet(open_desk):
    async with open_desk() as desk:
        pull = protect(desk)
        desk.server.add_task(pull, "Say hello.")
        desk.server.add_verdict(pull, create_user("eve", nickname="bob"), "changes_requested")
        desk.server.add_status(desk.home, pull["source"]["sha"], "unit", "FAILED")
        found = await desk.call("check_merge_readiness", pr=PR)
    texts = {row["category"]: row["description"] for row in found["blocking_issues"]}
    assert texts.keys() == {"changes_requested", "approvals", "checks_failing", "protection"}
    rules = [row["description"] for row in found["blocking_issues"] if row["category"] == "protection"]
    assert rules == [
        "A rule of main is not met: default reviewers approved: at least 1.",
        "A rule of main is not met: builds passed: at least 2.",
        "A rule of main is not met: all tasks are resolved.",
    ]


async def test_a_pull_request_that_meets_all_restrictions_is_ready(open_desk):
    async with open_desk() as desk:
        pull = protect(desk)
        desk.server.add_verdict(pull, BOB, "approved")
        for name in ("unit", "lint"):
            desk.server.add_status(desk.home, pull["source"]["sha"], name, "SUCCESSFUL")
        found = await desk.call("check_merge_readiness", pr=PR)
    assert (found["verdict"], found["blocking_issues"]) == ("ready", [])


async def test_a_pull_request_in_the_merge_queue_waits_for_it(open_desk):
    async with open_desk() as desk:
        desk.server.add_pull(desk.home, "Greet", "greet", queued=True)
        found = await desk.call("check_merge_readiness", pr=PR)
    assert [row["description"] for row in found["blocking_issues"]] == [
        "The pull request is in the merge queue (queued)."
    ]


@pytest.mark.parametrize(("permission", "verdict"), [("read", "blocked"), ("write", "unproven"), ("admin", "ready")])
async def test_who_may_merge_is_never_guessed(open_desk, permission, verdict):
    """Only administrators can read branch restrictions."""
    async with open_desk() as desk:
        desk.server.add_pull(desk.home, "Greet", "greet")
        desk.home.permission = permission
        found = await desk.call("check_merge_readiness", pr=PR)
    assert found["verdict"] == verdict


@pytest.mark.parametrize(("users", "groups", "verdict"), [([BOB], [], "blocked"), ([], ["smiths"], "unproven")])
async def test_a_restriction_of_merges_to_others_counts(open_desk, users, groups, verdict):
    async with open_desk() as desk:
        desk.server.add_pull(desk.home, "Greet", "greet")
        desk.home.restrict("restrict_merges", users=users, groups=groups)
        found = await desk.call("check_merge_readiness", pr=PR)
    assert found["verdict"] == verdict


@pytest.mark.parametrize("token", [API_TOKEN, ACCESS_TOKEN])
async def test_a_conflict_with_a_branch_of_a_fork_is_found(open_desk, token):
    """There are no refs of pull requests: git reads the branch of the fork, with the user for the kind of token."""
    async with open_desk(token) as desk:
        desk.server.token = token.rpartition(":")[2]
        fork = desk.server.add_repository("bob/anvil", parent=desk.home)
        desk.server.add_pull(desk.home, "Clash", "clash", source=fork)
        found = await desk.call("detect_merge_conflicts", pr=PR)
        users = {
            b64decode(one.removeprefix("Basic ")).decode().partition(":")[0] for one in desk.server.authorized if one
        }
    assert (found["has_conflicts"], found["found_by"]) == (True, "git")
    assert [(row["file_path"], row["git_type"]) for row in found["conflicts"]] == [("before.txt", "add/add")]
    assert any("bob/anvil.git" in step for step in found["instructions"]["resolution_steps"])
    assert SECRET not in str(found)
    assert users == {"x-bitbucket-api-token-auth" if token == API_TOKEN else "x-token-auth"}


async def test_a_stack_is_found(open_desk):
    async with open_desk() as desk:
        desk.server.add_pull(desk.home, "Greet", "greet")
        desk.server.add_pull(desk.home, "Later", "later", "greet")
        found = await desk.call("manage_stacked_prs", base_pr=PR, dependent_pr="smith/anvil#2")
    assert (found["is_stacked"], [row["message"] for row in found["own_commits"]]) == (True, ["Add later.txt"])


def test_everything_that_the_plugin_declares_is_there():
    check_installed("stithy-bitbucket")
