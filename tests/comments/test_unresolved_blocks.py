"""General comments that are read by blocks: the newest first, and no further than a page needs (ADR 46)."""

import pytest
from github_double.world import World

from stithy_comments.unresolved import unresolved_handler

pytestmark = [pytest.mark.anyio, pytest.mark.contract]

PR = {"pr": "smith/hello#1"}


@pytest.fixture
def world():
    """A repository with a pull request, number 1, that adds a file."""
    made = World()
    made.push(made.add_repository("hello"), "greet", "Add hello.py", {"hello.py": "print(1)\nprint(2)\n"})
    made.add_pull(made.repository("smith/hello"), "Greet", "greet")
    return made


def pull_in(world):
    return world.repository("smith/hello").issues[1]


async def find_unresolved(call, **arguments):
    result = await call("find_unresolved_comments", PR | arguments)
    assert not result.is_error, result.content[0].text
    return result.structured_content, result.content[0].text


async def list_all(call, **arguments):
    """Return the entries of all pages."""
    page, _ = await find_unresolved(call, **arguments)
    rows = page["comments"]
    while cursor := page.get("nextCursor"):
        page, _ = await find_unresolved(call, cursor=cursor, **arguments)
        rows += page["comments"]
    return rows


async def test_an_ordinary_pull_request_takes_two_requests(world, on_github):
    pull, other = pull_in(world), world.other_user
    world.add_reply(world.add_thread(pull, "hello.py", 2, "Why?", other), "Because.")
    world.add_review(pull, "CHANGES_REQUESTED", "Say more.", user=other)
    world.add_comment(pull, "And the tests?", user=other, reactions={"+1": 2})
    async with on_github(world) as (call, served):
        page, _ = await find_unresolved(call)
        asked = [(one.method, one.path.rpartition("/repos")[2] or one.path) for one in served.double.asked]
    assert page["total_unresolved"] == 3
    assert page["comments"][2]["reactions"]["+1"] == 2
    assert len(asked) == 2, asked


async def test_a_page_says_how_many_comments_are_not_read_yet(world, on_github):
    pull, other = pull_in(world), world.other_user
    world.add_thread(pull, "hello.py", 2, "Why?", other)
    for number in range(250):
        world.add_comment(pull, f"Remark {number}", other)
    async with on_github(world) as (call, _):
        page, text = await find_unresolved(call)
    assert page["comments"][0]["body"] == "Why?"
    assert page["unread_comments"] == 150
    assert "150 older comments not read yet" in text
    assert "total_unresolved" in {row["field"] for row in page["unknown"]}


async def test_blocks_come_newest_first_and_are_chronological_in_themselves(world, on_github):
    for number in range(250):
        world.add_comment(pull_in(world), f"Remark {number}", world.other_user)
    async with on_github(world) as (call, _):
        rows = await list_all(call)
    assert [int(row["body"].split()[1]) for row in rows] == [*range(150, 250), *range(50, 150), *range(50)]


async def test_a_comment_that_was_answered_in_a_later_block_is_not_listed(world, on_github):
    pull, other = pull_in(world), world.other_user
    asked = world.add_comment(pull, "What is this for?", other)
    for number in range(120):
        world.add_comment(pull, f"Remark {number}", other)
    page = f"smith/hello/pull/1#issuecomment-{asked.id}"
    async with on_github(world) as (call, served):
        world.add_comment(pull, f"For this: {served.url}/{page}")
        rows = await list_all(call)
    assert len(rows) == 120
    assert all(row["id"] != asked.id for row in rows)


async def test_minimized_comments_of_an_older_block_are_not_listed(world, on_github):
    pull, other = pull_in(world), world.other_user
    world.add_comment(pull, "Buy this!", other, minimized="SPAM")
    for number in range(120):
        world.add_comment(pull, f"Remark {number}", other)
    async with on_github(world) as (call, _):
        rows = await list_all(call)
    assert len(rows) == 120


async def test_kinds_without_comments_read_no_further_block(world, on_github):
    for number in range(250):
        world.add_comment(pull_in(world), f"Remark {number}", world.other_user)
    world.add_thread(pull_in(world), "hello.py", 2, "Why?", world.other_user)
    async with on_github(world) as (call, served):
        page, _ = await find_unresolved(call, kinds=["threads", "reviews"])
        count = len(served.double.asked)
    assert [row["body"] for row in page["comments"]] == ["Why?"]
    assert count == 2
    assert "nextCursor" not in page


async def test_more_than_a_hundred_threads_and_reviews_are_read_together(world, on_github):
    pull, other = pull_in(world), world.other_user
    for number in range(120):
        world.add_thread(pull, "hello.py", 1 + number % 2, f"Why {number}?", other)
    async with on_github(world) as (call, served):
        page, _ = await find_unresolved(call)
        count = len(served.double.asked)
    assert page["summary"]["by_type"]["review_comment"] == 120
    assert page["read"] == {"threads": 120, "reviews": 120, "general_comments": 0}
    assert count == 3


async def test_without_graphql_each_list_is_read_by_itself(world, on_github):
    world.add_comment(pull_in(world), "And the tests?", user=world.other_user)
    async with on_github(world, token="") as (call, _):
        page, _ = await find_unresolved(call)
    assert [row["body"] for row in page["comments"]] == ["And the tests?"]


async def test_the_number_of_threads_is_known_though_older_comments_are_not_read(world, on_github):
    pull, other = pull_in(world), world.other_user
    world.add_thread(pull, "hello.py", 2, "Why?", other)
    for number in range(150):
        world.add_comment(pull, f"Remark {number}", other)
    async with on_github(world) as (call, _):
        page, text = await find_unresolved(call, kinds=["threads"])
    assert page["total_unresolved"] == page["summary"]["total_comments"] == 1
    assert text.startswith("1 unresolved on smith/hello#1: 1 thread")


async def test_unread_comments_may_answer_reviews_so_that_fewer_may_be_left(world, on_github):
    pull, other = pull_in(world), world.other_user
    world.add_review(pull, "COMMENTED", "Say more about the tongs.", user=other)
    for number in range(150):
        world.add_comment(pull, f"Remark {number}", other)
    async with on_github(world) as (call, _):
        page, text = await find_unresolved(call, kinds=["reviews"])
    (unknown,) = [row for row in page["unknown"] if row["field"] == "total_unresolved"]
    assert unknown["reason"].startswith("at most 1: ")
    assert unknown["remedy"].startswith("Read the rest on its page: ")
    assert text.startswith("At most 1 unresolved on smith/hello#1")


async def test_a_call_ends_though_no_comment_of_many_is_unresolved(world, on_github, monkeypatch):
    monkeypatch.setattr(unresolved_handler, "MOST_BLOCKS", 2)
    pull = pull_in(world)
    world.add_comment(pull, "What is this for?", world.other_user)
    for number in range(400):
        world.add_comment(pull, f"My own remark {number}")
    async with on_github(world) as (call, served):
        page, text = await find_unresolved(call)
        asked = len(served.double.asked)
    assert (page["comments"], page["unread_comments"], asked) == ([], 101, 4)
    assert "nextCursor" not in page
    assert "This page has no comments; 101 older comments not read\n" in text
    (unknown,) = [row for row in page["unknown"] if row["field"] == "total_unresolved"]
    assert unknown["remedy"].startswith("Read the rest on its page: ")


async def test_a_page_whose_last_item_is_gone_reads_one_block_more(world, on_github):
    pull, other = pull_in(world), world.other_user
    comments = [world.add_comment(pull, f"Remark {number} {'long ' * 150}", other) for number in range(600)]
    async with on_github(world) as (call, served):
        first, _ = await find_unresolved(call)
        last = first["comments"][-1]
        gone = next(comment for comment in comments if comment.id == last["id"])
        gone.minimized = "resolved"
        _, pull.updated_at = world.stamp()
        before = len(served.double.asked)
        page, _ = await find_unresolved(call, cursor=first["nextCursor"])
        asked = len(served.double.asked) - before
    assert page["comments"]
    assert last["id"] not in {row["id"] for row in page["comments"]}
    assert asked <= 4


async def test_a_block_that_cannot_be_read_leaves_what_was_found(world, on_github):
    pull, other = pull_in(world), world.other_user
    for number in range(150):
        world.add_comment(pull, f"My own remark {number}")
    world.add_comment(pull, "And the tests?", other)
    async with on_github(world) as (call, served):
        served.double.drops = lambda _: len(served.double.asked) > 2
        page, _ = await find_unresolved(call)
    assert [row["body"] for row in page["comments"]] == ["And the tests?"]
    assert page["nextCursor"]
    assert page["unread_comments"] == 51
