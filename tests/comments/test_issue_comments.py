"""issue_comment_create and issue_comment_list (COM-9), on recordings of real servers and on live ones."""

import json

import pytest

from stithy_testing import Tape, connect, make_app, playback

pytestmark = pytest.mark.anyio

ISSUE = {"pull_request_number": None, "issue_number": 2}


def text(result):
    return result.content[0].text


async def test_a_comment_on_an_issue_is_created(lab):
    """The text after the model of COM-3, and its data beside it."""
    result = await lab.call("issue_comment_create", **ISSUE, comment="It bends.")
    comment = result.structured_content["comment"]
    assert set(comment) == {"id", "body", "user", "created_at", "updated_at"}
    assert text(result) == (
        f"Issue comment created successfully. ID: {comment['id']}, Created: {comment['created_at']}\n"
        "Comment body: It bends."
    )
    assert result.structured_content["url"].endswith(f"/issues/2#issuecomment-{comment['id']}")
    assert "changed_by_forge" not in result.structured_content


async def test_the_conversation_of_an_issue_is_listed_oldest_first(lab):
    for body in ("one", "two", "three"):
        lab.comment(body, number=2)
    result = await lab.call("issue_comment_list", **ISSUE)
    rows = result.structured_content["comments"]
    assert [row["body"] for row in rows] == ["one", "two", "three"]
    assert result.structured_content["total"] == 3
    assert text(result).startswith(f"3 of 3 comments on {lab.repository}#2\n")
    assert all(f"- [{row['id']}] {lab.owner}, {row['created_at']}: {row['body']}" in text(result) for row in rows)


async def test_the_conversation_of_an_issue_comes_in_pages(lab):
    for body in ("one", "two", "three"):
        lab.comment(body, number=2)
    first = (await lab.call("issue_comment_list", **ISSUE, limit=2)).structured_content
    rest = (await lab.call("issue_comment_list", **ISSUE, limit=2, cursor=first["nextCursor"])).structured_content
    assert [row["body"] for row in first["comments"] + rest["comments"]] == ["one", "two", "three"]
    assert first["total"] == rest["total"] == 3
    assert "nextCursor" not in rest


async def test_tools_for_issues_refuse_a_pull_request_and_name_the_right_tool(lab):
    pull = {"pull_request_number": None, "issue_number": 1}
    more = {"create": {"comment": "never"}, "edit": {"comment_id": 1, "new_content": "never"}, "list": {}}
    for verb, arguments in more.items():
        result = await lab.call(f"issue_comment_{verb}", **pull, **arguments)
        assert result.is_error
        assert f"{lab.repository}#1 is a pull request, not an issue" in result.structured_content["error"]
        assert result.structured_content["suggestion"] == f"Use pr_comment_{verb}, or another number."
    assert lab.bodies() in (None, [])


async def test_an_issue_that_is_not_there_is_named(lab):
    result = await lab.call("issue_comment_create", pull_request_number=None, issue_number=99, comment="never")
    error = result.structured_content
    assert error["error"] == f"Failed to create issue comment: {lab.repository} has no issue 99"
    assert error["details"]["status"] == 404


async def test_a_dry_run_shows_the_comment_and_posts_none(lab):
    result = await lab.call("issue_comment_create", **ISSUE, comment="Struck.", dry_run=True)
    (request,) = result.structured_content["requests"]
    assert (request["method"], request["body"]) == ("POST", '{"body": "Struck."}')
    assert request["url"].endswith(f"/repos/{lab.repository}/issues/2/comments")
    assert lab.bodies() in (None, [])


async def test_an_issue_that_was_moved_alone_is_named_with_its_new_number(tmp_path):
    """GitHub leads from an issue that was transferred to where it is, under another number."""
    with playback(make_transfer_tape()) as url:
        settings = f'[forges.hub]\nkind = "github"\nurl = "{url}"\ntoken = {{ env = "HUB_TOKEN" }}\n'
        async with connect(make_app(tmp_path, settings, environ={"HUB_TOKEN": "token"})) as client:
            place = {"repository": "smith/anvil", "issue_number": 5}
            result = await client.call_tool("issue_comment_create", place | {"comment": "never"})
    error = result.structured_content
    assert error["error"].endswith(": smith/anvil#5 was moved to smith/forge#12; nothing was written")
    assert error["suggestion"] == "Call again with smith/forge#12."


def make_transfer_tape():
    at = "2026-01-05T09:00:00Z"
    issue = {
        "number": 12,
        "title": "It bends",
        "state": "open",
        "html_url": "https://github.example/smith/forge/issues/12",
    }
    issue |= {"repository_url": "https://github.example/api/v3/repos/smith/forge", "created_at": at, "updated_at": at}
    answers = {
        "/api/v3/repos/smith/anvil/issues/5": (301, {"Location": ["/api/v3/repositories/7/issues/12"]}, {}),
        "/api/v3/repositories/7/issues/12": (200, {}, issue),
    }
    tape = Tape()
    for path, (status, headers, body) in answers.items():
        said = {"headers": headers | {"Content-Type": ["application/json"]}, "body": {"string": json.dumps(body)}}
        tape.add({"method": "GET", "uri": path, "body": ""}, said | {"status": {"code": status}})
    return tape
