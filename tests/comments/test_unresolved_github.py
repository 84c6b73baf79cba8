"""What is unresolved on a pull request of GitHub: its double answers, or what it answered once."""

import pytest
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


async def found(call, **arguments):
    result = await call("find_unresolved_comments", PR | arguments)
    assert not result.is_error, result.content[0].text
    return result.structured_content


async def test_threads_reviews_and_comments_are_one_list(world, on_github):
    pull, stranger = pull_in(world), world.stranger
    thread = world.add_thread(pull, "hello.py", 2, "Why?", stranger)
    world.add_reply(thread, "Because.")
    world.add_thread(pull, "hello.py", 3, "Settled.", stranger, resolved_by=world.user)
    world.add_review(pull, "CHANGES_REQUESTED", "Say more.", user=stranger)
    world.add_comment(pull, "And the tests?", user=stranger)
    async with on_github(world) as (call, _):
        answer = await found(call)
    kinds = [(row["type"], row["body"]) for row in answer["comments"]]
    assert kinds == [("review_comment", "Why?"), ("review", "Say more."), ("issue_comment", "And the tests?")]
    first = answer["comments"][0]
    assert (first["thread_id"], first["replies"], first["last_speaker"]) == (f"{first['thread_id']}", 1, "smith")
    assert first["thread_id"].startswith("PRRT_")
    assert answer["total_unresolved"] == 3


async def test_what_nobody_knows_to_be_resolved_is_listed_and_said_to_be_unknown(world, on_github):
    """Without GraphQL, which takes a token: never silently open, never silently settled."""
    world.add_thread(pull_in(world), "hello.py", 2, "Why?", world.stranger, resolved_by=world.user)
    async with on_github(world, token="") as (call, _):
        result = await call("find_unresolved_comments", PR)
    (entry,) = result.structured_content["comments"]
    assert "resolved" not in entry
    unknown = {row["field"]: row for row in result.structured_content["unknown"]}
    assert "GraphQL" in unknown["comments[0].resolved"]["reason"]
    assert "maybe resolved" in result.content[0].text


async def test_a_bot_is_the_same_in_rest_and_graphql(world, on_github):
    robot = world.add_user("reviewer", "Bot")
    world.add_thread(pull_in(world), "hello.py", 2, "In the diff.", robot)
    world.add_comment(pull_in(world), "In general.", user=robot)
    async with on_github(world) as (call, _):
        assert [row["is_bot"] for row in (await found(call))["comments"]] == [True, True]
        without = await found(call, exclude_authors=["Reviewer"])
    assert without["comments"] == []
    assert without["summary"]["left_out"] == {"excluded_comment": 2}


async def test_an_outdated_thread_has_its_line_and_says_so(world, on_github):
    world.add_thread(pull_in(world), "hello.py", 7, "Gone?", world.stranger, outdated=True)
    async with on_github(world) as (call, _):
        (entry,) = (await found(call))["comments"]
    assert (entry["line_number"], entry["outdated"], entry["file_path"]) == (7, True, "hello.py")


async def test_the_commands_are_our_own_where_gh_has_no_way(world, on_github):
    """It knows no other than HTTPS at the usual port."""
    world.add_thread(pull_in(world), "hello.py", 2, "Why?", world.stranger)
    async with on_github(world) as (call, _):
        (entry,) = (await found(call))["comments"]
    commands = entry["action_commands"]
    assert commands["reply_command"].startswith("stithy call reply_to_review_comment ")
    assert commands["reply_command"].count("YOUR_RESPONSE_HERE") == 1
    assert entry["thread_id"] in commands["resolve_command"]
    assert "YOUR_RESPONSE_HERE" not in commands["resolve_command"] + commands["view_in_browser"]
