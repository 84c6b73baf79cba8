"""Ids other than numbers: hexadecimal on Gerrit, `thread/comment` where a forge counts within each thread."""

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from stithy_comments.text_format import format_id
from stithy_core.spi import User

pytestmark = pytest.mark.anyio

BOB = User(login="bob", id="901")


def with_ids(thread, name, *ids):
    """Return a thread with other ids of its own and of its comments."""
    comments = [evolve(comment, id=id_) for comment, id_ in zip(thread.comments, ids, strict=True)]
    return evolve(thread, id=name, comments=tuple(comments))


def count_within_threads(here, *, unique):
    """Open two threads whose comments are counted from 1 in each."""
    threads = here.world.pull(here.pr).threads
    threads.clear()
    for name in ("7", "8"):
        thread = here.world.add_thread(here.pr, "anvil/horn.py", int(name), f"Thread {name}.", BOB)
        threads[name] = with_ids(threads.pop(thread.id), name, f"{name}/1" if unique else "1")


@given(st.one_of(st.integers(0, 2**70).map(str), st.from_regex(r"\A0?[0-9a-f]{1,40}\Z"), st.text(max_size=5)))
def test_an_id_is_the_same_text_after_it_was_a_number(name):
    shown = format_id(name)
    assert str(shown) == name
    assert isinstance(shown, str) or shown < 2**63


async def test_a_comment_with_a_hexadecimal_id_is_listed_and_edited(smithy):
    async with smithy() as here:
        comments = here.world.pull(here.pr).comments
        mine = here.world.add_comment(here.pr, "Wait.")
        comments[comments.index(mine)] = evolve(mine, id="7d3f_a0")
        place = {"repository": "smith/anvil", "pull_request_number": 2}
        listed = await here.client.call_tool("pr_comment_list", place)
        id_ = listed.structured_content["comments"][-1]["id"]
        edited = await here.client.call_tool("pr_comment_edit", place | {"comment_id": id_, "new_content": "Go on."})
    assert (id_, edited.structured_content["comment"]["id"]) == ("7d3f_a0", "7d3f_a0")
    assert edited.structured_content["comment"]["body"] == "Go on."


@pytest.mark.parametrize("convert", [int, str])
async def test_a_number_is_taken_as_a_number_and_as_text(smithy, convert):
    async with smithy() as here:
        thread = await here.thread(14)
        name = convert(thread.comments[0].id)
        reply = await here.call("reply_to_review_comment", comment_id=name, body="Rockwell.")
        settled = await here.call("resolve_review_thread", comment_id=name)
    assert not reply.is_error
    assert settled.structured_content["thread_id"] == thread.id


async def test_ids_of_thread_and_comment_name_one_comment(smithy):
    async with smithy() as here:
        count_within_threads(here, unique=True)
        arguments = {"pull_number": None, "pullNumber": 2, "method": "get_review_comments"}
        listed = (await here.call("pull_request_read", **arguments)).structured_content["review_comments"]
        whole = await here.call("pull_request_read", id="8/1", **arguments)
        reply = await here.call("reply_to_review_comment", comment_id="8/1", body="Right.")
        settled = await here.call("resolve_review_thread", comment_id="8/1")
        threads = {thread.id: thread for thread in await here.forge.threads.list(here.pr)}
    assert [row["id"] for row in listed] == ["7/1", "8/1"]
    assert whole.structured_content["parts"] == ["Thread 8."]
    assert not reply.is_error
    assert settled.structured_content["thread_id"] == "8"
    assert [len(threads[name].comments) for name in ("7", "8")] == [1, 2]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("reply_to_review_comment", {"comment_id": 1, "body": "Right."}),
        ("resolve_review_thread", {"comment_id": 1}),
        ("pull_request_read", {"pull_number": None, "pullNumber": 2, "method": "get_review_comments", "id": 1}),
    ],
)
async def test_an_id_that_several_threads_have_is_refused(smithy, tool, arguments):
    """Prevents: the first thread with a comment 1 got the reply, or was resolved."""
    async with smithy() as here:
        count_within_threads(here, unique=False)
        before = await here.forge.threads.list(here.pr)
        result = await here.call(tool, **arguments)
        assert list(await here.forge.threads.list(here.pr)) == list(before)
    assert (
        "id '1' is ambiguous: 2 threads of the pull request have it: 7 (anvil/horn.py:7), 8 (anvil/horn.py:8)"
        in (result.structured_content["error"])
    )
