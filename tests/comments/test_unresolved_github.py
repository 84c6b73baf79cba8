"""What is unresolved on a pull request of GitHub: its double answers, or what it answered once."""

import pytest
from command_patterns import fill_call
from github_double.world import World

pytestmark = pytest.mark.anyio

PROGRAM = "".join(f"print({number})\n" for number in range(1, 61))
PR = {"pr": "smith/hello#1"}


@pytest.fixture
def world():
    """A repository with a pull request, number 1, that adds a file."""
    made = World()
    made.push(made.add_repository("hello"), "greet", "Add hello.py", {"hello.py": PROGRAM})
    made.add_pull(made.repository("smith/hello"), "Greet", "greet")
    return made


def pull_in(world):
    return world.repository("smith/hello").issues[1]


async def find_unresolved(call, **arguments):
    result = await call("find_unresolved_comments", PR | arguments)
    assert not result.is_error, result.content[0].text
    return result.structured_content


async def test_threads_reviews_and_comments_are_one_list(world, on_github):
    pull, other = pull_in(world), world.other_user
    thread = world.add_thread(pull, "hello.py", 2, "Why?", other)
    world.add_reply(thread, "Because.")
    world.add_thread(pull, "hello.py", 3, "Settled.", other, resolved_by=world.user)
    world.add_review(pull, "CHANGES_REQUESTED", "Say more.", user=other)
    world.add_comment(pull, "And the tests?", user=other)
    async with on_github(world) as (call, _):
        answer = await find_unresolved(call)
    kinds = [(row["type"], row["body"]) for row in answer["comments"]]
    assert kinds == [("review_comment", "Why?"), ("review", "Say more."), ("issue_comment", "And the tests?")]
    first = answer["comments"][0]
    assert (first["replies"], first["last_reply"]["author"]) == (1, "smith")
    assert first["thread_id"].startswith("PRRT_")
    assert answer["total_unresolved"] == 3


@pytest.mark.contract
@pytest.mark.parametrize("token", [None, ""], ids=["token", "no-token"])
async def test_minimized_reviews_are_not_listed(world, on_github, token):
    """Without a token there is no GraphQL, which alone reports what is minimized: then they are listed."""
    pull, other = pull_in(world), world.other_user
    world.add_review(pull, "COMMENTED", "Say more about the tongs.", user=other)
    world.add_review(pull, "COMMENTED", "Off topic.", user=other).minimized = "off-topic"
    async with on_github(world, token=token) as (call, _):
        answer = await find_unresolved(call)
    bodies = [row["body"] for row in answer["comments"]]
    assert bodies == ["Say more about the tongs."] + ["Off topic."] * (token == "")
    assert answer["summary"]["left_out"] == ({"folded_comment": 1} if token is None else {})


@pytest.fixture
def half_resolved(world):
    """The world with one open and two resolved threads, a review and a comment."""
    pull, other = pull_in(world), world.other_user
    world.add_thread(pull, "hello.py", 2, "Why?", other)
    for line in (3, 4):
        world.add_thread(pull, "hello.py", line, "Settled.", other, resolved_by=world.user)
    world.add_review(pull, "CHANGES_REQUESTED", "Say more.", user=other)
    world.add_comment(pull, "And the tests?", user=other)
    return world


async def test_without_a_token_threads_of_unknown_resolution_are_a_list_of_their_own(half_resolved, on_github):
    """Only GraphQL tells what is resolved, and GraphQL takes a token (FIX-13)."""
    async with on_github(half_resolved, token="") as (call, _):
        result = await call("find_unresolved_comments", PR)
    answer, text = result.structured_content, result.content[0].text
    assert [row["type"] for row in answer["comments"]] == ["review", "issue_comment"]
    assert [row["body"] for row in answer["resolution_unknown"]] == ["Why?", "Settled.", "Settled."]
    assert "resolved" not in answer["resolution_unknown"][0]
    assert fill_call(answer, answer["resolution_unknown"][0], "reply")[0] == "reply_to_review_comment"
    unknown = {row["field"]: row for row in answer["unknown"]}
    assert "GraphQL" in unknown["resolution_unknown[*].resolved"]["reason"]
    assert text.count(", resolution unknown: ") == 3


async def test_totals_are_unknown_where_resolution_is_and_text_and_object_agree(half_resolved, on_github):
    """(FIX-13)"""
    async with on_github(half_resolved, token="") as (call, _):
        result = await call("find_unresolved_comments", PR)
    answer, text = result.structured_content, result.content[0].text
    unknown = {row["field"]: row for row in answer["unknown"]}
    assert "total_unresolved" not in answer
    assert "total_comments" not in answer["summary"]
    assert "This page has" not in text
    assert unknown["total_unresolved"]["reason"].startswith("at least 2: 3 threads with unknown resolution")
    assert unknown["total_unresolved"]["remedy"] == "Set a token for this forge."
    assert (answer["summary"]["by_type"], answer["summary"]["resolution_unknown"]) == (
        {"review": 1, "issue_comment": 1},
        3,
    )
    assert text.startswith("At least 2 unresolved on smith/hello#1: 1 review, 1 comment\n")
    assert "In addition, 3 threads with unknown resolution:" in text


async def test_both_lists_are_read_to_their_end_with_one_cursor(world, on_github):
    """(FIX-13)"""
    for number in range(30):
        world.add_thread(pull_in(world), "hello.py", number + 1, f"Why {number}?", world.other_user)
        world.add_comment(pull_in(world), f"How {number}? {'x' * 500}", user=world.other_user)
    found, cursor = {"comments": [], "resolution_unknown": []}, {}
    async with on_github(world, token="") as (call, _):
        while cursor is not None:
            answer = (await call("find_unresolved_comments", PR | cursor)).structured_content
            for name, rows in found.items():
                rows += [row["id"] for row in answer[name]]
            cursor = {"cursor": answer["nextCursor"]} if "nextCursor" in answer else None
    assert [len(set(rows)) for rows in found.values()] == [len(rows) for rows in found.values()] == [30, 30]


async def test_a_bot_is_the_same_in_rest_and_graphql(world, on_github):
    robot = world.add_user("reviewer", "Bot")
    world.add_thread(pull_in(world), "hello.py", 2, "In the diff.", robot)
    world.add_comment(pull_in(world), "In general.", user=robot)
    async with on_github(world) as (call, _):
        assert [row["is_bot"] for row in (await find_unresolved(call))["comments"]] == [True, True]
        without = await find_unresolved(call, exclude_authors=["Reviewer"])
    assert without["comments"] == []
    assert without["summary"]["left_out"] == {"excluded_comment": 2}


async def test_an_outdated_thread_has_its_line_and_says_so(world, on_github):
    world.add_thread(pull_in(world), "hello.py", 7, "Gone?", world.other_user, outdated=True)
    async with on_github(world) as (call, _):
        (entry,) = (await find_unresolved(call))["comments"]
    assert (entry["line_number"], entry["outdated"], entry["file_path"]) == (7, True, "hello.py")


async def test_the_commands_are_our_own_where_gh_has_no_way(world, on_github):
    """It knows no other than HTTPS at the usual port."""
    world.add_thread(pull_in(world), "hello.py", 2, "Why?", world.other_user)
    async with on_github(world) as (call, _):
        commands = (await find_unresolved(call))["action_commands"]["threads"]
    assert commands["reply_command"].startswith("stithy call reply_to_review_comment ")
    assert commands["reply_command"].count("YOUR_RESPONSE_HERE") == commands["reply_command"].count("=ID ") == 1
    assert commands["resolve_command"].endswith(" thread_id=THREAD")
    assert "YOUR_RESPONSE_HERE" not in commands["resolve_command"] + commands["view_in_browser"]
