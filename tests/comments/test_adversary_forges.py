"""What an agent is told by forges that fail in the midst of a reading, and what two calls at once do on them."""

import asyncio
import threading

import anyio
import pytest
from github_double.answering import Double
from github_double.world import World
from loopback import Server, starting

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

BASE = "/api/v1/repos/smith/anvil"
TIP = {"ref": "main", "sha": "c" * 40, "repo": {"full_name": "smith/anvil"}}
TIMES = {"created_at": "2026-01-05T09:00:00Z", "updated_at": "2026-01-05T09:00:00Z"}
URL = "https://git.example/smith/anvil/pulls/1"
PULL = {"number": 1, "title": "Anvil", "state": "open", "user": {"id": 1, "login": "smith"}, "html_url": URL}
SAID = {"id": 5, "body": "And the tongs?", "user": {"id": 7, "login": "nora"}, "html_url": f"{URL}#issuecomment-5"}
ANSWERS = {
    f"{BASE}/pulls/1": PULL | TIMES | {"head": TIP, "base": TIP},
    f"{BASE}/pulls/1/reviews": [],
    f"{BASE}/issues/1/comments": [SAID | TIMES],
    "/api/v1/user": {"id": 1, "login": "smith"},
    "/api/v1/version": {"version": "1.27.0"},
    "/swagger.v1.json": {"paths": {}},
}
REVIEWS, COMMENTS = f"GET {BASE}/pulls/1/reviews", f"GET {BASE}/issues/1/comments"
FIND, GET = "find_unresolved_comments", "get_pull_request_conversation"
PROGRAM = "".join(f"print({number})\n" for number in range(1, 61))


@pytest.fixture
async def gitea(tmp_path):
    """Serve a Gitea with one comment; give the server, and what calls a tool for its pull request."""
    async with starting() as start:
        server = Server()
        for path, body in ANSWERS.items():
            server.answer(f"GET {path}", 200, body)
        await start(server)
        async with connect(make_app(tmp_path, f'[forges.lab]\nkind = "gitea"\nurl = "{server.url}"\n')) as client:
            yield server, lambda tool: client.call_tool(tool, {"pr": "smith/anvil#1"})


def remedy(result, field):
    return {row["field"]: row.get("remedy") for row in result.structured_content["unknown"]}[field]


@pytest.mark.parametrize("tool", [FIND, GET])
async def test_a_token_that_expires_between_two_readings_leaves_what_was_read(gitea, tool):
    server, call = gitea
    server.answer(REVIEWS, 401, {"message": "token is expired"})
    result = await call(tool)
    assert [row["body"] for row in result.structured_content["comments"]] == ["And the tongs?"]
    assert remedy(result, "read.reviews").startswith("Check the token of this forge")


async def test_the_totals_remedy_is_that_of_its_list(gitea):
    """To ask again later, as it was said once, does not help against a token that has expired."""
    server, call = gitea
    server.answer(REVIEWS, 401, {"message": "token is expired"})
    assert remedy(await call(FIND), "total_unresolved").startswith("Check the token of this forge")


async def test_one_list_that_is_too_much_says_when_to_come_again(gitea):
    """The seconds are in the text, too: the rest of the answer is there, so that it has no `retry_after`."""
    server, call = gitea
    server.answer(COMMENTS, 429, {"message": "slow down"}, retry_after=37)
    result = await call(FIND)
    assert not result.is_error
    reason = "read.general_comments: lab answered 429: slow down (Repeat the call after 37 s, not sooner.)"
    assert reason in result.content[0].text


async def test_an_unreadable_list_is_not_reported_as_empty(gitea):
    server, call = gitea
    server.answer(COMMENTS, 403, {"message": "no"})
    assert (await call(GET)).content[0].text.startswith("0 of an unknown number of items on smith/anvil#1")


async def test_a_list_that_is_slow_is_waited_for(gitea):
    server, call = gitea
    free = server.hold(COMMENTS, 200, [SAID | TIMES])
    found = []

    async def find():
        found.append(await call(FIND))

    async with anyio.create_task_group() as group:
        group.start_soon(find)
        await server.wait_for(3)
        free.set()
    assert found[0].structured_content["total_unresolved"] == 1


@pytest.fixture
def hello():
    """A repository with a pull request, number 1, and a thread on it."""
    world = World()
    repository = world.add_repository("hello")
    world.push(repository, "greet", "Add hello.py", {"hello.py": PROGRAM})
    world.add_thread(world.add_pull(repository, "Greet", "greet"), "hello.py", 2, "Why print?", world.other_user)
    return world


def reply(world, body="Because."):
    thread = world.repository("smith/hello").issues[1].threads[0]
    place = {"owner": "smith", "repo": "hello", "pull_number": 1, "comment_id": thread.comments[0].id, "body": body}
    return thread, place


@pytest.mark.contract
async def test_one_reply_given_at_once_is_one_comment_on_github(hello, on_github):
    thread, given = reply(hello)
    found = []
    async with on_github(hello) as (call, _):

        async def answer():
            found.append(await call("reply_to_review_comment", given))

        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(answer)
    assert [comment.body for comment in thread.comments] == ["Why print?", "Because."]
    assert len({result.structured_content["id"] for result in found}) == 1


@pytest.mark.contract
async def test_a_reply_that_was_cancelled_after_it_was_sent_is_found_when_it_is_repeated(hello, on_github, monkeypatch):
    thread, given = reply(hello)
    answer, loop = Double.answer, asyncio.get_running_loop()
    scope, cancelled = anyio.CancelScope(), threading.Event()

    def cancelling(self, asked):
        said = answer(self, asked)
        if asked.path.endswith("/replies") and not cancelled.is_set():
            loop.call_soon_threadsafe(scope.cancel)
            cancelled.wait()
        return said

    monkeypatch.setattr(Double, "answer", cancelling)
    async with on_github(hello) as (call, _):
        with scope:
            await call("reply_to_review_comment", given)
        cancelled.set()
        again = await call("reply_to_review_comment", given)
    assert scope.cancelled_caught
    assert not again.is_error
    assert [comment.body for comment in thread.comments] == ["Why print?", "Because."]
