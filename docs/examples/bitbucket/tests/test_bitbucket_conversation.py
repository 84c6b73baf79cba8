"""The conversation of a pull request on Bitbucket Cloud, through the tools of stithy-comments."""

import pytest
from bitbucket_double import ACCESS_TOKEN, API_TOKEN, BOB, SECRET

pytestmark = pytest.mark.anyio

PR = "smith/anvil#1"
LINE = {"path": "hello.py", "from": None, "to": 2}
PLACE = {"owner": "smith", "repo": "anvil", "pull_number": 1}


def open_conversation(desk):
    """Open a pull request with a general comment, a discussion at a line, and a task; return the discussion."""
    pull = desk.server.add_pull(desk.home, "Greet", "greet")
    desk.server.add_comment(pull, "Please look.", BOB)
    why = desk.server.add_comment(pull, "Why print?", BOB, inline=LINE)
    desk.server.add_comment(pull, "Where else?", parent={"id": why["id"]})
    desk.server.add_task(pull, "Say hello.")
    return why


@pytest.mark.parametrize("token", [API_TOKEN, ACCESS_TOKEN])
async def test_a_conversation_is_read_with_each_kind_of_token(open_desk, token):
    async with open_desk(token) as desk:
        why = open_conversation(desk)
        general = await desk.call("pr_comment_list", repository="smith/anvil", pull_request_number=1)
        threads = await desk.call(
            "pull_request_read", owner="smith", repo="anvil", pullNumber=1, method="get_review_comments"
        )
    assert [row["body"] for row in general["comments"]] == ["Please look."]
    rows = threads["review_comments"]
    assert [row["body"] for row in rows] == ["Say hello.", "Why print?", "Where else?"]
    assert (rows[1]["path"], rows[1]["line"], rows[2]["in_reply_to_id"]) == ("hello.py", 2, why["id"])


async def test_lists_are_read_to_their_last_page(open_desk):
    async with open_desk() as desk:
        pull = desk.server.add_pull(desk.home, "Greet", "greet")
        texts = [f"comment {number}" for number in range(5)]
        for text in texts:
            desk.server.add_comment(pull, text)
        desk.server.page = 2
        found = await desk.call("pr_comment_list", repository="smith/anvil", pull_request_number=1)
    assert [row["body"] for row in found["comments"]] == texts
    assert sum("/comments?" in request for request in desk.server.requests) == 3


async def test_a_reply_lands_in_its_thread_and_is_not_repeated(open_desk):
    async with open_desk() as desk:
        why = open_conversation(desk)
        for _ in range(2):
            await desk.call("reply_to_review_comment", comment_id=why["id"], body="To greet.", **PLACE)
        comments = desk.home.pulls[1]["comments"]
    assert [row["content"]["raw"] for row in comments[3:]] == ["To greet."]
    assert comments[3]["parent"] == {"id": why["id"]}


async def test_threads_and_tasks_are_open_until_they_are_resolved(open_desk):
    async with open_desk() as desk:
        why = open_conversation(desk)
        before = await desk.call("find_unresolved_comments", pr=PR)
        for name in (str(why["id"]), "task:1"):
            await desk.call("resolve_review_thread", thread_id=name, **PLACE)
        after = await desk.call("find_unresolved_comments", pr=PR)
        await desk.call("unresolve_review_thread", thread_id="task:1", **PLACE)
        again = await desk.call("find_unresolved_comments", pr=PR)
    assert [row["body"] for row in before["comments"]] == ["Why print?", "Say hello.", "Please look."]
    assert [row["body"] for row in after["comments"]] == ["Please look."]
    assert [row["body"] for row in again["comments"]] == ["Say hello.", "Please look."]
    assert before["comments"][1]["takes_replies"] is False
    assert before["action_commands"]["bodies"]["reply_call"]["name"] == "pr_comment_create"


async def test_a_task_says_that_it_takes_no_replies(open_desk):
    async with open_desk() as desk:
        open_conversation(desk)
        text = await desk.fail("reply_to_review_comment", comment_id="task:1", body="No.", **PLACE)
    assert "a task has no replies" in text


@pytest.mark.parametrize(
    "name",
    [
        "smith/anvil#1",
        "work:smith/anvil#1",
        "{url}/smith/anvil/pull-requests/1",
        "{url}/smith/anvil/pull-requests/1/diff#comment-7",
    ],
)
async def test_a_pull_request_is_named_in_every_form(open_desk, name):
    async with open_desk() as desk:
        desk.server.add_pull(desk.home, "Greet", "greet")
        found = await desk.call("find_unresolved_comments", pr=name.format(url=desk.server.url))
    assert found["pr"] == PR


@pytest.mark.parametrize(
    "name", ["{url}/smith/anvil.git", "{url}/smith/anvil/src/main/hello.py", "ssh://git@{host}/smith/anvil.git"]
)
async def test_a_repository_is_named_by_its_pages_and_clone_urls(open_desk, name):
    async with open_desk() as desk:
        desk.server.add_pull(desk.home, "Greet", "greet")
        host = desk.server.url.removeprefix("http://").partition(":")[0]
        written = name.format(url=desk.server.url, host=host)
        found = await desk.call("pr_list", repository=written)
    assert [row["title"] for row in found["pull_requests"]] == ["Greet"]


@pytest.mark.parametrize("name", ["smith/anvil!1", "{url}/smith/anvil/issues/1"])
async def test_another_form_is_refused_with_the_right_one(open_desk, name):
    async with open_desk() as desk:
        text = await desk.fail("find_unresolved_comments", pr=name.format(url=desk.server.url))
    assert "pull request must be in format 'workspace/repo#123'" in text


async def test_errors_quote_the_message_of_bitbucket(open_desk):
    async with open_desk() as desk:
        desk.server.add_pull(desk.home, "Greet", "greet")
        no_repository = await desk.fail("find_unresolved_comments", pr="smith/nothing#1")
        no_pull = await desk.fail("find_unresolved_comments", pr="smith/anvil#9")
    assert "repository smith/nothing does not exist" in no_repository
    assert "Repository smith/nothing not found" in no_repository
    assert "pull request smith/anvil#9 does not exist" in no_pull


@pytest.mark.parametrize("token", ["smith@example.com:wrong-secret-0123", "wrong-access-token-0123"])
async def test_a_wrong_token_is_refused_and_never_shown(open_desk, token):
    async with open_desk(token) as desk:
        text = await desk.fail("find_unresolved_comments", pr=PR)
    assert "Token is invalid, expired, or not supported" in text
    assert token.rpartition(":")[2] not in text
    assert SECRET not in text
