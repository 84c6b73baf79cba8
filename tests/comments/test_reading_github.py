"""pull_request_read on GitHub: its double answers, or what it answered once."""

import pytest
from following import read_items
from github_double.sample import MANY_REPLIES, sample
from github_double.world import World
from loopback import Server, starting

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

TOOL = "pull_request_read"
REFUSED = {"resource": "PullRequest", "field": "diff", "code": "too_large"}


@pytest.fixture
def made():
    """One of everything that answers of GitHub are known to trip over."""
    return sample()


def reader(call, made):
    async def read(**arguments):
        return await call(TOOL, {"owner": "forge", "repo": "anvil", "pullNumber": made.pull.number} | arguments)

    return read


async def test_a_long_thread_comes_whole_with_the_numbers_that_replies_take(on_github, made):
    """Prevents: what follows the hundredth comment is lost; comments come without ids."""
    async with on_github(made.world) as (call, _):
        rows = await read_items(reader(call, made), "review_comments", method="get_review_comments", limit=100)
    long = [row for row in rows if (row["path"], row.get("line")) == ("horn.py", 5)]
    opening, *replies = [row["id"] for row in long]
    assert [opening, *replies] == [comment.id for comment in made.thread.comments]
    assert len(replies) == MANY_REPLIES
    assert {row.get("in_reply_to_id") for row in long} == {None, opening}


async def test_a_thread_whose_author_was_deleted_keeps_its_page(on_github):
    """Prevents: one null user drops the page."""
    world = World()
    repository = world.add_repository("hello")
    world.push(repository, "greet", "Add hello.py", {"hello.py": "print()\n" * 9})
    pull = world.add_pull(repository, "Greet", "greet")
    world.add_thread(pull, "hello.py", 6, "Why six?", None, outdated=True, resolved_by=world.user)
    world.add_thread(pull, "hello.py", None, "Does this belong here?")
    async with on_github(world) as (call, _):
        given = {"owner": "smith", "repo": "hello", "pullNumber": 1, "method": "get_review_comments"}
        whole, old = (await call(TOOL, given)).structured_content["review_comments"]
    assert (old["author"], old["resolved"], old["outdated"]) == ("ghost", True, True)
    assert "line" not in whole


async def test_the_pull_request_its_files_and_its_diff(on_github, made):
    async with on_github(made.world) as (call, _):
        read = reader(call, made)
        details = (await read(method="get")).structured_content["details"]
        files = (await read(method="get_files")).structured_content["files"]
        diff = (await read(method="get_diff")).structured_content["diff"]
    assert details["head"]["commit"] == made.pull.head_sha
    assert details["changed_files"] == len(files) == 2
    assert [part["path"] for part in diff] == [file["path"] for file in files] == ["horn.py", "temper.py"]
    assert diff[1]["text"].endswith("+heat()\n+cool()\n")


async def test_checks_past_the_first_page_count(on_github, made):
    """Prevents: a status read from the first page of it."""
    async with on_github(made.world) as (call, _):
        read = reader(call, made)
        first = (await read(method="get_status", limit=1)).structured_content
        checks = await read_items(read, "checks", method="get_status", limit=100)
    assert first["status"]["state"] == "failure"
    assert first["total"] == len(checks) == sum(first["status"]["counts"].values())
    assert {check["verdict"] for check in checks} >= {"timed_out", "cancelled", "skipped", "neutral", "passed"}


async def test_reviews_and_comments_keep_their_verdicts_and_authors(on_github, made):
    async with on_github(made.world) as (call, _):
        read = reader(call, made)
        reviews = await read_items(read, "reviews", method="get_reviews")
        comments = await read_items(read, "comments", method="get_comments")
    assert ("changes_requested", "The unit must be said.") in {(row["state"], row["body"]) for row in reviews}
    assert "ghost" in {row["author"] for row in reviews}
    assert comments == []


async def test_a_diff_that_github_does_not_write_out_says_what_has_it(tmp_path):
    """More than 300 files, or 20,000 lines."""
    async with starting() as start:
        server = await start(Server())
        said = {"message": "Sorry, the diff exceeded the maximum number of lines (20000)", "errors": [REFUSED]}
        server.answer("GET /api/v3/repos/smith/anvil/pulls/2", 406, said)
        settings = f'[forges.hub]\nkind = "github"\nurl = "{server.url}"\n'
        async with connect(make_app(tmp_path, settings)) as client:
            given = {"owner": "smith", "repo": "anvil", "pullNumber": 2, "method": "get_diff"}
            result = await client.call_tool(TOOL, given)
    assert "exceeded the maximum number of lines" in result.structured_content["error"]
    assert result.structured_content["suggestion"].startswith("List the changed files with get_files")
