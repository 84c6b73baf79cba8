"""Some hosts pass on the object alone (Claude Code, Codex, pydantic-ai), others the text alone: each must be enough."""

import json

import pytest
from text_and_object import facts_beyond, lines_beyond

from stithy_testing import connect, make_app

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("patient_documents")]

SETTINGS = '[forges.play]\nkind = "sandbox"\n\n[archdocs]\nroot = "."\n'
PULL = {"pr": "smith/anvil#2"}
TALK = {"repository": "smith/anvil", "pull_request_number": 2}
ISSUE = {"repository": "smith/anvil", "issue_number": 1}
THREAD = {"owner": "smith", "repo": "anvil", "pull_number": 2, "comment_id": 9}
READ = {"owner": "smith", "repo": "anvil", "pullNumber": 2}
CALLS = [
    ("analyze_pr_impact", PULL),
    ("analyze_pr_impact", PULL | {"depth": "detailed"}),
    ("check-adr-alignment", {"decision_description": "Use Kafka for all events"}),
    ("check_architecture_docs", {"graph": True}),
    ("check_merge_readiness", PULL),
    ("detect_merge_conflicts", PULL | {"against_open": True}),
    ("find_unresolved_comments", PULL),
    ("find_unresolved_comments", PULL | {"include_bots": False, "exclude_authors": ["apprentice", "smith"]}),
    ("get_failing_tests", PULL),
    ("get_pull_request_conversation", PULL),
    ("get_review_suggestions", PULL),
    ("issue_comment_create", ISSUE | {"comment": "Good steel."}),
    ("issue_comment_create", ISSUE | {"comment": "Good steel.", "dry_run": True}),
    ("issue_comment_edit", ISSUE | {"comment_id": 4, "new_content": "Which steel is it?"}),
    ("issue_comment_list", ISSUE),
    ("issue_list", {"repository": "smith/anvil"}),
    ("issue_list", {"repository": "smith/anvil", "state": "closed"}),
    ("list_plugins", {}),
    ("pr_comment_create", TALK | {"comment": "Hello."}),
    ("pr_comment_list", TALK),
    ("pr_list", {"repository": "smith/anvil"}),
    ("pr_list", {"repository": "smith/anvil", "state": "closed"}),
    *(
        ("pull_request_read", READ | {"method": f"get{what}"})
        for what in ("", "_diff", "_status", "_files", "_review_comments", "_reviews", "_comments")
    ),
    ("reply_to_review_comment", THREAD | {"body": "It is hardened now."}),
    ("reply_to_review_comment", THREAD | {"body": "It is hardened now."}),
    ("resolve_review_thread", THREAD),
    ("resolve_review_thread", THREAD),
    ("unresolve_review_thread", THREAD),
    ("search-architecture", {"query": "events"}),
]
PATTERN = "# Quiet\n\n```yaml ast-grep\n" + json.dumps(
    {"id": "no-print", "language": "python", "severity": "error", "message": "Log.", "rule": {"pattern": "print($A)"}}
)
WITH_DOCUMENTS = [
    ("check-adr-alignment", {"decision_description": "Paint the horn of the anvil blue"}),
    ("check-adr-alignment", {"decision_description": "Replace Kafka by RabbitMQ for all events"}),
    ("check_architecture_docs", {"graph": True}),
    ("search-architecture", {"query": "kafka"}),
    ("search-architecture", {"query": "zeppelin"}),
    ("validate-against-pattern", {"code": "print(1)\nprint(2)\n", "pattern_name": "quiet", "language": "python"}),
    ("validate-against-pattern", {"code": "print(1)\n" * 600, "pattern_name": "quiet", "language": "python"}),
]
ELSEWHERE = {"manage_stacked_prs", "pr_comment_edit"}
"""Tools that need more than the sandbox has: tests/pulls/stacks/test_steps.py, and the id of a new comment below."""


async def beyond(client, name, arguments):
    answer = await client.call_tool(name, arguments)
    text = answer.content[0].text
    assert not answer.is_error, text
    return lines_beyond(answer.structured_content, text)


async def test_no_text_says_more_than_its_object(tmp_path):
    """Every hint of a text is a field of the object, too, of every tool (FIX-38)."""
    async with connect(make_app(tmp_path, SETTINGS)) as client:
        found = [
            (name, arguments, more) for name, arguments in CALLS if (more := await beyond(client, name, arguments))
        ]
        created = await client.call_tool("pr_comment_create", TALK | {"comment": "Once more."})
        edit = TALK | {"comment_id": created.structured_content["comment"]["id"], "new_content": "Once again."}
        assert not await beyond(client, "pr_comment_edit", edit)
        tools = {tool.name for tool in (await client.list_tools()).tools}
    assert not found
    assert tools - ELSEWHERE - {name for name, _ in CALLS} == {"validate-against-pattern"}


async def test_no_text_about_documents_says_more_than_its_object(tmp_path):
    """The same where there are documents (FIX-38)."""
    files = {
        "mcp/resources/patterns/quiet.md": f"{PATTERN}\n```\n",
        "docs/adr/0007-use-kafka.md": "# 7. Use Kafka\n\n## Status\n\nAccepted\n\n## Decision\n\nKafka for events.\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    async with connect(make_app(tmp_path, SETTINGS)) as client:
        found = [
            (name, arguments, more)
            for name, arguments in WITH_DOCUMENTS
            if (more := await beyond(client, name, arguments))
        ]
    assert not found


MERELY_IN_OBJECT = {
    "check_merge_readiness": {"pull_state", "branch_protection.sources[]"},  # only if it is not open; in blockers
    "get_pull_request_conversation": {"comments[].author.type"},  # bots are marked
}
"""Fields without a fact that a host needs to act, by tool."""


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("check_merge_readiness", PULL),
        ("get_failing_tests", PULL),
        ("get_pull_request_conversation", PULL),
        ("issue_comment_list", ISSUE),
        ("issue_list", {"repository": "smith/anvil"}),
        ("pr_comment_list", TALK),
        ("pr_list", {"repository": "smith/anvil"}),
    ],
)
async def test_a_text_that_is_sent_alone_has_the_facts_of_its_object(tmp_path, name, arguments):
    """Known hosts get no object: ids, times, commits, names of checks and URLs must be in the text."""
    async with connect(make_app(tmp_path, SETTINGS)) as client:
        answer = await client.call_tool(name, arguments)
    assert facts_beyond(answer.structured_content, answer.content[0].text, MERELY_IN_OBJECT.get(name, ())) == {}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("search-architecture", {"query": "events"}),
        ("check-adr-alignment", {"decision_description": "Use Kafka for all events"}),
    ],
)
async def test_an_agent_that_sees_the_object_alone_learns_that_there_are_no_documents(tmp_path, name, arguments):
    """An empty list must not pass for the answer that no rule exists (FIX-38)."""
    async with connect(make_app(tmp_path, SETTINGS)) as client:
        answer = await client.call_tool(name, arguments)
    assert "Set their location in [archdocs]" in answer.structured_content["note"]


@pytest.mark.parametrize(
    ("structured", "text"),
    [
        ({"results": [], "searched": 0}, "The project has no such documents."),
        ({"total": 3}, "4 things stand in the way"),
        ({"pr": "o/r#1", "note": "Ask the owner."}, "Ask the owner now."),
        ({"sha": "0a2c69320b917" + 27 * "0", "outcome": "clean"}, "- 0a2c69320b92 clean"),
    ],
)
def test_a_line_that_says_more_is_found(structured, text):
    """The comparison itself notices what it is for (FIX-38)."""
    assert lines_beyond(structured, text) == [text]


def test_a_sha_may_be_cut_within_a_number():
    """Of one commit in three it was, and the test of stacked pull requests failed by chance (FIX-38)."""
    row = {"sha": "0a2c69320b917" + 27 * "0", "outcome": "clean"}
    assert lines_beyond(row, "- 0a2c69320b91 clean") == []
