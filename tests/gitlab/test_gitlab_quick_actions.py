"""Quick actions through the tools: refused unless the caller allows them, and never what deletes a comment."""

import pytest
from gitlab_double.gitlab_server import NAME
from gitlab_double.gitlab_world import SMITH_TOKEN

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio
PLACE = {"repository": NAME, "pull_request_number": 1}
OWNED = {"owner": "smith/tools", "repo": "anvil", "pull_number": 1}


@pytest.fixture
def merge(server):
    home = server.world.add_project(NAME)
    made = server.world.add_merge_request(home, "Greet", "greet")
    server.world.add_note(made, "First.")
    server.world.add_note(made, "Why?", position=server.world.place(made, "hello.py", 2))
    return made


@pytest.fixture
async def client(server, tmp_path):
    settings = f'[forges.work]\nkind = "gitlab"\nurl = "{server.url}"\ntoken = {{ env = "TOKEN" }}\n'
    async with connect(make_app(tmp_path, settings, environ={"TOKEN": SMITH_TOKEN})) as opened:
        yield opened


def list_writes(server):
    return [one for one in server.requests if not one.startswith("GET") and "graphql" not in one]


def list_bodies(merge):
    return [note["body"] for one in merge["discussions"] for note in one["notes"]]


async def call(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    return result.is_error, result.structured_content, result.content[0].text


async def test_each_tool_that_writes_a_text_refuses_a_quick_action(server, client, merge):
    first, thread = (one["notes"][0]["id"] for one in merge["discussions"])
    for tool, arguments in (
        ("pr_comment_create", PLACE | {"comment": "Fine.\n/close"}),
        ("pr_comment_edit", PLACE | {"comment_id": first, "new_content": "Fine.\n/close"}),
        ("reply_to_review_comment", OWNED | {"comment_id": thread, "body": "/close"}),
    ):
        is_error, _, text = await call(client, tool, **arguments)
        assert is_error
        assert "/close" in text
        assert ("allow_quick_actions=true" in text) is (tool != "pr_comment_edit")
    assert list_writes(server) == []


async def test_an_allowed_quick_action_is_carried_out_and_the_rest_is_stored(server, client, merge):
    is_error, found, text = await call(
        client, "pr_comment_create", **PLACE, comment="Fine.\n/close", allow_quick_actions=True
    )
    assert (is_error, found["comment"]["body"]) == (False, "Fine.")
    assert "The forge changed the text" in text
    assert list_bodies(merge)[-1] == "Fine."


async def test_a_comment_of_quick_actions_alone_has_no_id(server, client, merge):
    is_error, found, text = await call(client, "pr_comment_create", **PLACE, comment="/close", allow_quick_actions=True)
    assert (is_error, found["quick_actions"], found["summary"]) == (False, ["close"], ["Closed this issue."])
    assert "stored no comment" in text


async def test_a_reply_of_quick_actions_alone_has_no_id(client, merge):
    thread = merge["discussions"][1]["notes"][0]["id"]
    is_error, found, _ = await call(
        client, "reply_to_review_comment", **OWNED, comment_id=thread, body="/lock", allow_quick_actions=True
    )
    assert (is_error, found["quick_actions"]) == (False, ["lock"])


async def test_a_merge_is_asked_for_at_the_head_that_was_read(client, merge):
    is_error, found, text = await call(client, "pr_comment_create", **PLACE, comment="/merge", allow_quick_actions=True)
    assert not is_error, text
    assert found["quick_actions"] == ["merge"]


async def test_an_edit_to_a_quick_action_is_never_sent(server, client, merge):
    """GitLab would delete the comment."""
    first = merge["discussions"][0]["notes"][0]["id"]
    is_error, _, text = await call(client, "pr_comment_edit", **PLACE, comment_id=first, new_content="/close")
    assert is_error
    assert "post it as a new comment" in text
    assert (list_writes(server), list_bodies(merge)[0]) == ([], "First.")


async def test_a_quick_action_in_a_code_block_needs_no_permission(client, merge):
    body = "Use\n```\n/close\n```"
    is_error, found, _ = await call(client, "pr_comment_create", **PLACE, comment=body)
    assert (is_error, found["comment"]["body"]) == (False, body)


async def test_a_dry_run_shows_what_would_be_sent(server, client, merge):
    is_error, found, _ = await call(
        client, "pr_comment_create", **PLACE, comment="/close", allow_quick_actions=True, dry_run=True
    )
    assert (is_error, found["dry_run"]) == (False, True)
    assert list_writes(server) == []


async def test_only_tools_that_post_texts_have_the_argument(client):
    tools = (await client.list_tools()).tools
    having = {tool.name for tool in tools if "allow_quick_actions" in tool.input_schema["properties"]}
    assert having >= {"pr_comment_create", "reply_to_review_comment", "issue_comment_create"}
    assert not having & {"pr_comment_edit", "pr_comment_list", "resolve_review_thread", "check_merge_readiness"}


async def test_a_lost_answer_finds_what_was_stored_of_the_text(server, client, merge):
    server.lose_answers = 1
    is_error, found, text = await call(
        client, "pr_comment_create", **PLACE, comment="Fine.\n/close", allow_quick_actions=True
    )
    assert not is_error, text
    assert found["comment"]["body"] == "Fine."
    assert list_bodies(merge).count("Fine.") == 1
