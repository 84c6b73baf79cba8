"""Hosts that hold tools back find the right one among five by what people ask."""

import pytest
from tool_search import rank_by_bm25, rank_by_keywords

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

SETTINGS = '[forges.play]\nkind = "sandbox"\n'
AMONG = 5
QUESTIONS = {
    "open review threads on PR": "find_unresolved_comments",
    "github pull request": "pull_request_read",
    "unresolved comments pull request": "find_unresolved_comments",
    "what do reviewers still want": "find_unresolved_comments",
    "can this PR be merged": "check_merge_readiness",
    "what blocks merging": "check_merge_readiness",
    "required checks and approvals missing": "check_merge_readiness",
    "merge conflicts with main": "detect_merge_conflicts",
    "which files conflict": "detect_merge_conflicts",
    "why did CI fail": "get_failing_tests",
    "failing tests of pull request": "get_failing_tests",
    "build is red": "get_failing_tests",
    "diff of a pull request": "pull_request_read",
    "reply to reviewer": "reply_to_review_comment",
    "mark thread resolved": "resolve_review_thread",
    "reopen review thread": "unresolve_review_thread",
    "comment on issue": "issue_comment_create",
    "list open issues": "issue_list",
    "list open pull requests": "pr_list",
    "post a comment on the PR": "pr_comment_create",
    "catch up on the discussion": "get_pull_request_conversation",
    "who should review this change": "analyze_pr_impact",
    "review the diff for security risks": "get_review_suggestions",
    "rebase stacked branches": "manage_stacked_prs",
    "search ADR architecture decisions": "search-architecture",
    "does this proposal contradict a decision record": "check-adr-alignment",
}


async def list_entries(folder):
    """Return the entries of `tools/list`."""
    async with connect(make_app(folder, SETTINGS)) as client:
        tools = (await client.list_tools()).tools
    return [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]


@pytest.mark.parametrize("rank", [rank_by_keywords, rank_by_bm25])
async def test_the_right_tool_is_among_five(tmp_path, rank):
    listed = await list_entries(tmp_path)
    found = {question: rank(question, listed)[:AMONG] for question in QUESTIONS}
    assert {question: names for question, names in found.items() if QUESTIONS[question] not in names} == {}
