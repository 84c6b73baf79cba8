"""Conversations on a forge where issue 7 and merge request 7 are two things."""

import pytest

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

LAKE = '[forges.lake]\nkind = "lake"\nurl = "https://lake.example"\n'
PLACE = {"repository": "group/team/repo"}


@pytest.fixture
async def client(install_plugin, tmp_path):
    install_plugin("stithy-lake", "STITHY_API = 1\nfrom lake import stithy_forges")
    async with connect(make_app(tmp_path, LAKE)) as connected:
        yield connected


async def read(client, tool, **arguments):
    """Call a tool that succeeds, and return its object and its text."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content[0].text
    return result.structured_content, result.content[0].text


async def refusal(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return result.content[0].text


async def test_same_text_for_both_is_written_twice(client):
    for argument in ("issue_number", "pull_request_number"):
        tool = "issue_comment_create" if argument == "issue_number" else "pr_comment_create"
        await read(client, tool, comment="Hello.", **PLACE, **{argument: 7})
    issue, _ = await read(client, "issue_comment_list", issue_number=7, **PLACE)
    request, _ = await read(client, "pr_comment_list", pull_request_number=7, **PLACE)
    assert (issue["issue"], request["pull_request"]) == ("group/team/repo#7", "group/team/repo!7")
    assert [row["id"] for row in issue["comments"]] != [row["id"] for row in request["comments"]]


async def test_rows_of_a_list_have_the_forges_mark(client):
    found, text = await read(client, "pr_list", **PLACE)
    assert "- !7 Dry the lake" in text
    assert (found["pull_requests"][0]["number"], found["pull_requests"][0]["short"]) == (7, "!7")


@pytest.mark.parametrize(
    "pr",
    [
        "group/team/repo!7",
        "lake:group/team/repo!7",
        "https://lake.example/group/team/repo/-/merge_requests/7/diffs",
    ],
)
async def test_forms_of_a_merge_request(client, pr):
    found, _ = await read(client, "get_pull_request_conversation", pr=pr, include=["issue"])
    assert found["pull_request"] == "group/team/repo!7"


@pytest.mark.parametrize(
    ("pr", "reason"),
    [
        ("group/team/repo#7", "write 'group/team/repo!7' for merge request 7; #7 is an issue"),
        ("https://lake.example/group/team/repo/-/issues/7", "the URL is that of issue 7, not of a merge request"),
    ],
)
async def test_number_of_an_issue_is_refused(client, pr, reason):
    text = await refusal(client, "get_pull_request_conversation", pr=pr)
    assert f"merge request must be in format 'group/repo!123': {reason}" in text


async def test_instructions_name_both_marks(client):
    assert "A merge request of lake is group/repo!7; #7 is an issue." in client.instructions
