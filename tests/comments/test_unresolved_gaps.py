"""What is unresolved where not everything can be read: the rest is given, and what is missing is said."""

import json

import pytest

from stithy_testing import Tape, connect, make_app, playback

pytestmark = pytest.mark.anyio

BASE = "/api/v1/repos/smith/anvil"
REPOSITORY = {"full_name": "smith/anvil"}
TIP = {"ref": "main", "sha": "c" * 40, "repo": REPOSITORY}
NORA = {"id": 7, "login": "nora"}
TIMES = {"created_at": "2026-01-05T09:00:00Z", "updated_at": "2026-01-05T09:00:00Z"}
URL = "https://git.example/smith/anvil/pulls/1"
PULL = {
    "number": 1,
    "requested_reviewers": [NORA],
    "title": "Anvil",
    "state": "open",
    "user": {"id": 1, "login": "smith"},
    "html_url": URL,
}
COMMENT = {"id": 5, "body": "And the tongs?", "user": NORA, "html_url": f"{URL}#issuecomment-5", **TIMES}
ANSWERS = {
    f"{BASE}/pulls/1": PULL | TIMES | {"head": TIP, "base": TIP},
    f"{BASE}/pulls/1/reviews": [],
    f"{BASE}/issues/1/comments": [COMMENT],
    "/api/v1/user": {"id": 1, "login": "smith"},
    "/api/v1/version": {"version": "1.27.0"},
    "/swagger.v1.json": {"paths": {}},
}


@pytest.fixture
def found(tmp_path):
    """Ask a Gitea of which some answers are failures."""

    async def find(*failing):
        tape = Tape()
        for path, body in ANSWERS.items():
            answer = {"message": "out of order"} if path.endswith(failing) else body
            status = {"code": 500 if path.endswith(failing) else 200}
            content = {"headers": {"Content-Type": ["application/json"]}, "body": {"string": json.dumps(answer)}}
            tape.add({"method": "GET", "uri": path, "body": ""}, {"status": status, **content})
        with playback(tape) as url:
            async with connect(make_app(tmp_path, f'[forges.lab]\nkind = "gitea"\nurl = "{url}"\n')) as client:
                return await client.call_tool("find_unresolved_comments", {"pr": "smith/anvil#1"})

    return find


async def test_threads_that_cannot_be_read_leave_the_comments(found):
    result = await found("/reviews")
    answer = result.structured_content
    assert [row["body"] for row in answer["comments"]] == ["And the tongs?"]
    assert "total_unresolved" not in answer
    assert {"total_unresolved", "read.threads", "read.reviews"} <= {row["field"] for row in answer["unknown"]}
    assert result.content[0].text.startswith("At least 1 unresolved on smith/anvil#1")


async def test_comments_that_cannot_be_read_are_no_empty_list(found):
    result = await found("/comments")
    answer = result.structured_content
    assert answer["comments"] == []
    assert "read.general_comments" in {row["field"] for row in answer["unknown"]}
    assert result.content[0].text.startswith("No known unresolved comments on smith/anvil#1")


async def test_without_a_readable_list_the_call_fails(found):
    result = await found("/comments", "/reviews")
    assert result.is_error
    assert result.structured_content["error"].startswith("Failed to find unresolved comments: ")


async def test_the_tokens_user_may_be_unknown(found):
    assert [row["body"] for row in (await found("/user")).structured_content["comments"]] == ["And the tongs?"]
