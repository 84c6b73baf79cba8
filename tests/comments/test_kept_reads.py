"""Pages of one list are made from one reading, as long as the forge confirms it (ADR 46)."""

import re

import pytest
from attrs import evolve
from github_double.world import World
from streams import PULL, START, comment_fields, thread

from stithy_comments.kept_reads import CHANGED, KeptRead, measure
from stithy_core.spi import Listing, Unknown

pytestmark = [pytest.mark.anyio, pytest.mark.contract]

PR = {"pr": "smith/hello#1"}
PLACE = {"repository": "smith/hello", "pull_request_number": 1}
READ = {"owner": "smith", "repo": "hello", "pullNumber": 1}
LONG = "word " * 150
LISTS = {
    "find_unresolved_comments": PR,
    "get_pull_request_conversation": PR,
    "pr_comment_list": PLACE,
    "pull_request_read": READ | {"method": "get_comments"},
}


@pytest.fixture
def world():
    """A repository with a pull request of 330 long comments, and a thread."""
    made = World()
    made.push(made.add_repository("hello"), "greet", "Add hello.py", {"hello.py": "print(1)\nprint(2)\n"})
    made.add_pull(made.repository("smith/hello"), "Greet", "greet")
    pull = pull_in(made)
    made.add_thread(pull, "hello.py", 2, "Why?", made.other_user)
    for number in range(330):
        made.add_comment(pull, f"Remark {number}: {LONG}", made.other_user)
    return made


def pull_in(world):
    return world.repository("smith/hello").issues[1]


async def call_page(call, served, tool, cursor=None):
    """Return the object of a page, and the requests that it took."""
    served.double.asked.clear()
    result = await call(tool, LISTS[tool] | ({"cursor": cursor} if cursor else {}))
    assert not result.is_error, result.content[0].text
    return result.structured_content, len(served.double.asked)


@pytest.mark.parametrize("tool", LISTS)
async def test_following_pages_take_two_requests_at_most(world, on_github, tool):
    bodies, requests = [], []
    async with on_github(world) as (call, served):
        page, _ = await call_page(call, served, tool)
        bodies += [row["body"] for row in page["comments"]]
        while cursor := page.get("nextCursor"):
            page, count = await call_page(call, served, tool, cursor)
            bodies += [row["body"] for row in page["comments"]]
            requests.append(count)
    remarks = [int(found[1]) for body in bodies if (found := re.match(r"Remark (\d+)", body))]
    assert len(requests) > 3
    assert max(requests) <= 2
    assert sorted(remarks) == list(range(330))


@pytest.mark.parametrize("tool", LISTS)
async def test_a_change_is_read_and_said(world, on_github, tool):
    async with on_github(world) as (call, served):
        page, _ = await call_page(call, served, tool)
        world.add_comment(pull_in(world), "Meanwhile.", world.other_user)
        changed, _ = await call_page(call, served, tool, page["nextCursor"])
        again, _ = await call_page(call, served, tool, changed["nextCursor"])
    assert "changed" not in page
    assert changed["changed"] is True
    assert "changed" not in again


async def test_a_change_is_said_in_the_text(world, on_github):
    async with on_github(world) as (call, served):
        page, _ = await call_page(call, served, "pr_comment_list")
        world.add_comment(pull_in(world), "Meanwhile.", world.other_user)
        texts = [(await call("pr_comment_list", PLACE | {"cursor": page["nextCursor"]})).content[0].text for _ in "12"]
    assert [CHANGED in text for text in texts] == [True, False]


async def test_pages_of_two_pull_requests_are_kept_apart(world, on_github):
    world.push(world.repository("smith/hello"), "part", "Add part.py", {"part.py": "print(3)\n"})
    other = world.add_pull(world.repository("smith/hello"), "Part", "part")
    for number in range(50):
        world.add_comment(other, f"Elsewhere {number}: {LONG}", world.other_user)
    async with on_github(world) as (call, served):
        page, _ = await call_page(call, served, "pr_comment_list")
        await call("pr_comment_list", PLACE | {"pull_request_number": other.number})
        following, _ = await call_page(call, served, "pr_comment_list", page["nextCursor"])
    assert "changed" not in following
    assert all(row["body"].startswith("Remark ") for row in following["comments"])


def test_what_has_no_time_of_change_is_never_taken_for_current():
    subject = evolve(PULL, updated_at=Unknown("the forge does not report it"))
    assert not KeptRead("", subject, START, expires_at=0, size=0).is_current(subject)


def test_the_size_of_a_thread_counts_its_comments():
    talk = thread("hello.py", 1, comment_fields(1, "x" * 5_000), comment_fields(2, "x" * 7_000))
    assert measure([Listing((talk, talk))]) > 24_000


async def test_a_thread_that_this_server_resolved_is_read_again(world, on_github):
    for line in (1, 2):
        world.add_thread(pull_in(world), "hello.py", line, "Really?", world.other_user)
    async with on_github(world) as (call, served):
        page, _ = await call_page(call, served, "find_unresolved_comments")
        name = page["comments"][0]["thread_id"]
        arguments = {"owner": "smith", "repo": "hello", "pull_number": 1, "thread_id": name}
        assert not (await call("resolve_review_thread", arguments)).is_error
        later, _ = await call_page(call, served, "find_unresolved_comments", page["nextCursor"])
    assert later["summary"]["by_type"]["review_comment"] == page["summary"]["by_type"]["review_comment"] - 1


async def test_the_first_page_is_always_read_again(world, on_github):
    async with on_github(world) as (call, served):
        _, first = await call_page(call, served, "pr_comment_list")
        _, again = await call_page(call, served, "pr_comment_list")
    assert again == first
