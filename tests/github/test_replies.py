"""Replies in threads: few requests, the right thread, and no repetition unless it is wanted."""

from datetime import timedelta

import anyio
import pytest
from github_double.world import World

from stithy_core.spi import Conflict, NotFound, PullRequestRef, RepositoryRef, Unclear

pytestmark = pytest.mark.anyio

PR = PullRequestRef(RepositoryRef("smith", "hello"), 1)
OTHER = PullRequestRef(PR.repository, 2)
PULL = "/repos/smith/hello/pulls/1"
DAY = timedelta(days=1)
MADE = "2026-01-05T09:30:00Z"
ROW = {
    "id": 1,
    "body": "Why?",
    "user": {"login": "smith", "id": 7, "type": "User"},
    "created_at": MADE,
    "updated_at": MADE,
    "html_url": "https://github.example/smith/hello/pull/1#discussion_r1",
    "pull_request_url": f"https://github.example/api/v3{PULL}",
}
ANSWER = ROW | {"id": 2, "body": "Because.", "in_reply_to_id": 1}


@pytest.fixture
def world():
    """A repository with two pull requests, 1 and 2."""
    made = World()
    repository = made.add_repository("hello")
    for branch in ("greet", "later"):
        made.push(repository, branch, f"Add {branch}.py", {f"{branch}.py": "print()\n"})
        made.add_pull(repository, branch, branch)
    return made


@pytest.fixture
def thread(world):
    """A thread on the first one, by another user."""
    return world.add_thread(world.repository("smith/hello").issues[1], "greet.py", 1, "Why?", world.other_user)


def get_root_id(thread):
    return str(thread.comments[0].id)


@pytest.mark.contract
async def test_a_reply_to_a_comment_takes_two_requests(world, thread, asked, in_world):
    second = world.add_reply(thread, "Tell.", world.other_user)
    async with in_world(world) as forge:
        reply = await forge.threads.reply(PR, str(second.id), "Because.")
    assert asked == [f"/repos/smith/hello/pulls/comments/{second.id}", f"{PULL}/comments/{get_root_id(thread)}/replies"]
    assert (reply.thread, reply.repeated) == (get_root_id(thread), False)


@pytest.mark.contract
async def test_a_reply_to_a_thread_takes_two_requests(world, thread, asked, in_world):
    name = f"PRRT_kwDO{thread.id:010x}"
    async with in_world(world) as forge:
        reply = await forge.threads.reply(PR, name, "Because.")
    assert asked == ["query Root", f"{PULL}/comments/{get_root_id(thread)}/replies"]
    assert (reply.thread, thread.comments[-1].body) == (name, "Because.")


async def test_the_same_reply_is_not_sent_twice(world, thread, in_world):
    async with in_world(world) as forge:
        since = world.now - DAY
        first = await forge.threads.reply(PR, get_root_id(thread), "Because.", unless_since=since)
        again = await forge.threads.reply(PR, get_root_id(thread), "Because.\r\n", unless_since=since)
        (found,) = await forge.threads.list(PR)
    assert (first.repeated, again.repeated, again.comment) == (False, True, first.comment)
    assert [comment.body for comment in found.comments] == ["Why?", "Because."]


async def test_the_same_reply_is_sent_once_by_concurrent_calls(world, thread, in_world):
    replies = []
    async with in_world(world) as forge:

        async def reply():
            replies.append(await forge.threads.reply(PR, get_root_id(thread), "Because.", unless_since=world.now - DAY))

        async with anyio.create_task_group() as group:
            for _ in range(2):
                group.start_soon(reply)
        (found,) = await forge.threads.list(PR)
    assert sorted(one.repeated for one in replies) == [False, True]
    assert [comment.body for comment in found.comments] == ["Why?", "Because."]


@pytest.mark.parametrize("case", ["another's", "another thread's", "an older one", "another text", "not asked for"])
async def test_another_reply_does_not_count_as_the_same(world, thread, in_world, case):
    pull = thread.pull
    place = world.add_thread(pull, "greet.py", 1, "And?") if case == "another thread's" else thread
    text = "Because it is." if case == "another text" else "Because."
    world.add_reply(place, text, world.other_user if case == "another's" else world.user)
    since = world.now + timedelta(seconds=1) if case == "an older one" else world.now - DAY
    async with in_world(world) as forge:
        asked = {} if case == "not asked for" else {"unless_since": since}
        reply = await forge.threads.reply(PR, get_root_id(thread), "Because.", **asked)
    assert (reply.repeated, reply.comment.body) == (False, "Because.")


async def test_earlier_replies_are_read_by_the_same_url_within_an_hour(hub, github):
    """The URL repeats, so that unchanged pages are only revalidated."""
    hub.answers = {
        "GET /repos/smith/hello/pulls/comments/1": ROW,
        f"GET {PULL}/comments": [ANSWER],
        "GET /user": ROW["user"],
    }
    async with github(hub.url) as forge:
        for seconds in (0, 1700):
            since = forge.now().replace(minute=30, second=0) - DAY + timedelta(seconds=seconds)
            with pytest.raises(NotFound):
                await forge.threads.reply(PR, "1", "Because.", unless_since=since)
    asked = [given["since"] for name, given, _ in hub.asked if name == f"GET {PULL}/comments"]
    assert asked[0] == asked[1]
    assert asked[0].endswith(":00:00Z")


async def test_the_error_of_a_foreign_thread_names_its_pull_request(world, thread, in_world):
    async with in_world(world) as forge:
        for name in (get_root_id(thread), f"PRRT_kwDO{thread.id:010x}"):
            with pytest.raises(
                NotFound, match=f"#2 has no thread {name}: .* {name} belongs to smith/hello#1"
            ) as caught:
                await forge.threads.reply(OTHER, name, "Because.")
            assert caught.value.details["status"] == 404
    assert len(thread.comments) == 1


async def test_the_error_of_a_missing_thread_keeps_githubs_answer(world, in_world):
    async with in_world(world) as forge:
        with pytest.raises(NotFound, match="#1 has no thread 5") as caught:
            await forge.threads.reply(PR, "5", "Because.")
    assert (caught.value.details["status"], caught.value.details["message"]) == (404, "Not Found")


async def test_the_conflict_of_a_pending_review_has_githubs_message(world, thread, in_world):
    world.add_review(thread.pull, "PENDING")
    async with in_world(world) as forge:
        with pytest.raises(Conflict, match="can only have one pending review per pull request") as caught:
            await forge.threads.reply(PR, get_root_id(thread), "Because.")
    assert "Submit or discard the pending review" in caught.value.suggestion
    assert caught.value.details["status"] == 422


@pytest.mark.parametrize("place", [{}, {"in_reply_to_id": 9}], ids=["in none", "in another"])
async def test_a_misplaced_reply_is_unclear(hub, github, place):
    answer = {name: value for name, value in ANSWER.items() if name != "in_reply_to_id"} | place
    hub.answers = {
        "GET /repos/smith/hello/pulls/comments/1": ROW,
        f"POST {PULL}/comments/1/replies": (201, {}, answer),
    }
    async with github(hub.url) as forge:
        with pytest.raises(Unclear, match="created comment 2, and did not put it in the thread") as caught:
            await forge.threads.reply(PR, "1", "Because.")
    assert caught.value.suggestion.startswith("Do not send it again")
    assert caught.value.details["comment"] == "2"
