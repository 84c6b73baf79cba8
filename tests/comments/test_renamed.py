"""A repository that has another name now: every reading tool follows to it, and no writing tool does (ADR 5)."""

import pytest

pytestmark = pytest.mark.anyio

FORMER, PRESENT = "smith/stone", "smith/block"
AT_FORMER = {"repository": FORMER, "pull_request_number": 1}
READS = {
    "pr_comment_list": AT_FORMER,
    "issue_comment_list": {"repository": FORMER, "issue_number": 2},
    "pr_list": {"repository": FORMER},
    "issue_list": {"repository": FORMER},
    "pull_request_read": {"owner": "smith", "repo": "stone", "pullNumber": 1, "method": "get"},
    "find_unresolved_comments": {"pr": f"{FORMER}#1"},
    "check_merge_readiness": {"pr": f"{FORMER}#1"},
    "detect_merge_conflicts": {"pr": f"{FORMER}#1"},
    "get_failing_tests": {"pr": f"{FORMER}#1"},
}
WRITES = {
    "pr_comment_create": AT_FORMER | {"comment": "never"},
    "pr_comment_edit": AT_FORMER | {"comment_id": 1, "new_content": "never"},
    "issue_comment_create": {"repository": FORMER, "issue_number": 2, "comment": "never"},
    "issue_comment_edit": {"repository": FORMER, "issue_number": 2, "comment_id": 1, "new_content": "never"},
}


@pytest.fixture
async def call(smithy):
    """Call a tool in a world whose repository was renamed."""
    async with smithy() as here:
        block = here.world.add_repository(PRESENT, formerly=(FORMER,))
        here.world.add_pull_request(block, "Harden it")
        here.world.add_issue(block, "It is soft")
        yield here.client.call_tool


@pytest.mark.parametrize("tool", READS)
async def test_a_tool_that_reads_follows(call, tool):
    """Reading comments was refused, and all other reading tools followed (FIX-42)."""
    result = await call(tool, READS[tool])
    assert not result.is_error, result.content[0].text


@pytest.mark.parametrize(("tool", "key"), [("pr_comment_list", "pull_request"), ("issue_comment_list", "issue")])
async def test_the_answer_has_the_present_name(call, tool, key):
    """It says of which repository it is (FIX-42)."""
    assert (await call(tool, READS[tool])).structured_content[key].startswith(f"{PRESENT}#")


@pytest.mark.parametrize("tool", WRITES)
async def test_a_tool_that_writes_names_the_present_name(call, tool):
    """Nothing is written where nobody meant it (FIX-42)."""
    result = await call(tool, WRITES[tool])
    assert result.is_error
    assert f"{FORMER} was renamed to {PRESENT}; nothing was written" in result.content[0].text
    assert result.structured_content["suggestion"] == f"Call again with {PRESENT}."
