"""Answers of their own, and what a token may not read, on GitHub's double."""

import json

import pytest
from github_double.answering import Double
from github_double.requests import GRAPHQL
from readiness_cases import fail_check, merge_pull_request, scene

pytestmark = [pytest.mark.anyio, pytest.mark.contract]

REFUSED = "Resource not accessible by personal access token"


@pytest.fixture
def unread(monkeypatch):
    """Refuse a part of GraphQL's answer, and the REST paths that end so."""
    answer = Double.answer

    def refuse(part, *endings):
        def alter(self, asking):
            status, headers, body = answer(self, asking)
            if asking.path.endswith(endings):
                return 403, {"Content-Type": "application/json"}, json.dumps({"message": REFUSED}).encode()
            if asking.path != GRAPHQL or b"query Readiness" not in asking.body:
                return status, headers, body
            told = json.loads(body)
            told["data"]["repository"]["pullRequest"][part] = None
            error = {"type": "FORBIDDEN", "message": REFUSED, "path": ["repository", "pullRequest", part]}
            return status, headers, json.dumps(told | {"errors": [error]}).encode()

        monkeypatch.setattr(Double, "answer", alter)

    return refuse


async def test_a_merged_pull_request_has_nothing_to_merge(check):
    it = scene()
    merge_pull_request(it)
    answer = await check(it)
    assert (answer.told["pull_state"], answer.ready, "checks" in answer.told) == ("merged", False, False)
    assert answer.blocker("merged")["description"].startswith("The pull request was merged by smith on 2026-01-05 as ")
    assert answer.text.startswith("forge/lab#1 into main: merged; nothing to merge.")


async def test_checks_that_the_token_may_not_read_are_not_taken_for_passed(check, unread):
    """The status of that name has passed; a check run of it may have failed."""
    unread("statusCheckRollup", "/check-runs")
    answer = await check(scene())
    assert (answer.ready, answer.categories) == (False, [])
    assert "the verdict of build is unknown" in answer.unproven
    assert "ci_passing" not in answer.told["checks"]


async def test_visible_checks_are_reported_beside_hidden_ones(check, unread):
    unread("statusCheckRollup", "/check-runs")
    it = scene()
    fail_check(it)
    assert (await check(it)).categories == ["checks_failing"]


@pytest.mark.parametrize("part", ["reviewThreads", "commits"])
async def test_threads_and_commits_that_it_may_not_read_are_no_proof(check, unread, part):
    it = scene()
    it.lab.protections["main"].signatures = True
    for commit in it.world.commits.values():
        commit.signed = True
    assert (await check(it)).ready
    unread(part)
    answer = await check(it)
    assert (answer.ready, answer.categories) == (False, [])
    assert REFUSED in answer.unproven


async def test_the_forges_verdict_on_reviews_counts_where_they_may_not_be_read(check, unread):
    unread("reviews")
    answer = await check(scene())
    assert (answer.ready, answer.told["checks"]["approvals_met"]) == (True, True)
    assert REFUSED in answer.unknown["branch_protection.current_approvals"]


async def test_skipped_and_neutral_checks_passed(check):
    it = scene()
    for number, word in enumerate(("skipped", "neutral")):
        it.world.add_check(it.lab, it.pull.head_sha, f"extra {number}", word)
        it.lab.protections["main"].contexts += (f"extra {number}",)
    answer = await check(it)
    assert (answer.ready, answer.told["checks"]["ci_passing"]) == (True, True)


async def test_that_it_will_merge_by_itself_is_a_note(check):
    it = scene()
    it.pull.auto_merge = True
    fail_check(it)
    assert (await check(it)).told["notes"] == [
        "Auto-merge is enabled: the forge merges the pull request when nothing blocks it."
    ]


async def test_a_fork_that_is_gone_stands_in_nobodys_way(check):
    it = scene()
    fork = it.world.add_fork(it.lab, it.world.other_user)
    it.world.push(fork, "fix", "Fix", {"fix.txt": "fix\n"})
    it.lab.protections.clear()
    it.pull.head_repository, it.pull.head = None, "fix"
    answer = await check(it)
    assert (answer.ready, answer.told["checks"]["up_to_date"]) == (True, True)


async def test_a_code_owner_blocker_names_the_owners(check):
    it = scene()
    it.lab.protections["main"].code_owners = True
    it.pull.reviewers.append(it.world.user)
    it.pull.owners = ("smith",)
    assert (await check(it)).blocker("code_owners")["who"] == ["smith"]
