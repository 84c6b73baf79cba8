"""A thread without a place in the code, which GitLab, Gerrit and Azure DevOps have, through every tool and endpoint."""

import pytest
from attrs import evolve
from command_patterns import fill_call

from stithy_core.spi import User

pytestmark = pytest.mark.anyio

BOB = User(login="bob", id="901")


def text(result):
    return result.content[0].text


def open_discussion(here, body="Why at all?", **fields):
    """Open a thread without a place on an otherwise silent pull request."""
    pull = here.world.pull(here.pr)
    for written in (pull.threads, pull.reviews, pull.comments):
        written.clear()
    return here.world.add_thread(here.pr, None, None, body, BOB, **fields)


async def test_it_comes_before_the_threads_of_files(smithy):
    async with smithy() as here:
        thread = here.world.add_thread(here.pr, None, None, "Why at all?", BOB)
        threads = await here.forge.threads.list(here.pr)
    assert (threads[0].id, threads[0].place) == (thread.id, "")


async def test_pull_request_read_lists_it_without_path_line_and_side(smithy):
    async with smithy() as here:
        thread = open_discussion(here)
        here.world.add_reply(here.pr, thread.id, "Because.")
        arguments = {"pull_number": None, "pullNumber": 2, "method": "get_review_comments"}
        result = await here.call("pull_request_read", **arguments)
        whole = await here.call("pull_request_read", id=int(thread.comments[0].id), **arguments)
    first, second = result.structured_content["review_comments"]
    assert not {"path", "line", "side"} & first.keys()
    assert (first["thread_id"], second["in_reply_to_id"]) == (thread.id, first["id"])
    assert f"- [{first['id']}] thread {thread.id} (open), bob, " in text(result)
    assert f"[{first['id']}] bob, " in text(whole)


async def test_one_that_takes_no_replies_is_answered_by_a_comment(smithy):
    """A task of Bitbucket Cloud can only be resolved."""
    async with smithy() as here:
        task = open_discussion(here)
        here.world.pull(here.pr).threads[task.id] = evolve(task, takes_replies=False)
        alone = await here.client.call_tool("find_unresolved_comments", {"pr": str(here.pr)})
        here.world.add_thread(here.pr, "anvil/horn.py", 14, "Why?", BOB)
        both = await here.client.call_tool("find_unresolved_comments", {"pr": str(here.pr)})
    entry = next(row for row in alone.structured_content["comments"] if row["thread_id"] == task.id)
    assert entry["takes_replies"] is False
    assert fill_call(alone.structured_content, entry, "reply")[0] == "pr_comment_create"
    assert "takes no replies" in text(alone)
    assert "To reply to a thread" not in text(alone)
    assert "ONLY after verifying the fix: resolve_review_thread" in text(alone)
    assert "To reply to a thread: reply_to_review_comment" in text(both)


async def test_it_is_resolved_and_reopened(smithy):
    async with smithy() as here:
        thread = open_discussion(here)
        resolved = await here.call("resolve_review_thread", thread_id=thread.id)
        reopened = await here.call("unresolve_review_thread", comment_id=int(thread.comments[0].id))
    assert "path" not in resolved.structured_content
    assert text(resolved).startswith(f"Thread {thread.id} is resolved by apprentice\n")
    assert text(reopened).startswith(f"Thread {thread.id} is not resolved\n")


async def test_it_takes_replies(smithy):
    async with smithy() as here:
        thread = open_discussion(here)
        result = await here.call("reply_to_review_comment", comment_id=int(thread.comments[0].id), body="Because.")
        (found,) = await here.forge.threads.list(here.pr)
    assert [comment.body for comment in found.comments] == ["Why at all?", "Because."]
    assert text(result).startswith("Reply posted.")


async def test_it_is_unresolved_once_and_among_no_file(smithy):
    async with smithy() as here:
        thread = open_discussion(here)
        result = await here.client.call_tool("find_unresolved_comments", {"pr": "smith/anvil#2", "sort": "by_file"})
    (entry,) = result.structured_content["comments"]
    assert (entry["type"], entry["thread_id"]) == ("review_comment", thread.id)
    assert not {"file_path", "line_number"} & entry.keys()
    assert result.structured_content["summary"]["by_file"] == {}
    assert f"- [{entry['id']}] thread {thread.id}, bob, {entry['created_at']}: Why at all?" in text(result)


async def test_the_conversation_has_it_among_the_review_comments(smithy):
    async with smithy() as here:
        thread = open_discussion(here)
        reply = here.world.add_reply(here.pr, thread.id, "Because.")
        arguments = {"pr": "smith/anvil#2", "summarize": "compact"}
        result = await here.client.call_tool("get_pull_request_conversation", arguments)
    rows = result.structured_content["comments"]
    assert [(row["type"], row["id"]) for row in rows] == [("review", thread.comments[0].id), ("review", reply.id)]
    assert not any({"file_path", "line"} & row.keys() for row in rows)
    assert "- open discussion bob, 1 answered" in result.structured_content["summary"]["text"]
    assert "Most commented files" not in result.structured_content["summary"]["text"]
    assert f"- [{reply.id}] review, apprentice, " in text(result)
    assert "None" not in text(result)


async def test_a_thread_that_was_read_in_part_is_named_without_a_path(smithy):
    async with smithy() as here:
        thread = open_discussion(here, cut="one of its pages is missing")
        result = await here.client.call_tool("get_pull_request_conversation", {"pr": "smith/anvil#2"})
    assert f"thread {thread.id}: one of its pages is missing" in result.structured_content["left_out"]


async def test_the_service_lists_it_once(service):
    async with service() as get:
        world, pull = get.world, get.world.pull(get.pr)
        for written in (pull.threads, pull.reviews, pull.comments):
            written.clear()
        thread = world.add_thread(get.pr, None, None, "Why at all?", BOB)
        place = "/forges/play/repos/smith/anvil"
        answers = [await get(f"{place}/{path}") for path in ("pulls/2/comments", "issues/2/comments")]
    (row,), none = (answer[1]["comments"] for answer in answers)
    assert (row["id"], row["type"], none) == (thread.comments[0].id, "review", [])
    assert "file_path" not in row
