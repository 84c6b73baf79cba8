"""pull_request_read on Gitea: recordings of real servers, and live ones."""

import re

import pytest
from following import read_items, read_pages
from worlds import open_forge, pull_request_of

pytestmark = pytest.mark.anyio

WORLD = "lab-reading"
METHODS = ["get", "get_diff", "get_files", "get_status", "get_comments", "get_reviews", "get_review_comments"]
BODY = "# Heißes Eisen 🔨\r\n\r\n" + "Strike while it is hot.\r\n" * 200
PROGRAM = "".join(f"print({line})  # räkna\r\n" for line in range(600))


def make(lab):
    """Make pull request 1 with all that can be read of one, issue 2, and pull request 3 on which nothing was said."""
    files = [("create", "more.py", PROGRAM), ("create", "with space.py", "print()")]
    lab.commit("main", "Greet", *files, ("create", "hello.py", "print('hello')\n"), new="greet")
    head = lab.pull("Greet", "greet", "main", body="It greets.")["head"]["sha"]
    lab.post("issues", {"title": "It does not greet"})
    lab.commit("main", "Later", ("create", "later.py", "later\n"), new="later")
    lab.pull("Later", "later", "main")
    lab.comment("First.")
    lab.comment(BODY)
    rows = [{"path": "more.py", "body": f"at {line}", "new_position": line} for line in (9, 5)]
    lab.post("pulls/1/reviews", {"event": "COMMENT", "body": "Some remarks.", "comments": rows})
    for context, state in (("build", "success"), ("test", "pending")):
        lab.post(f"statuses/{head}", {"context": context, "state": state})
    lab.until("pulls/1", lambda pull: pull["mergeable"])


@pytest.fixture
async def read(world):
    """Read pull request 1."""
    async with world.connect_agent() as call:

        async def reading(**arguments):
            usual = {"repository": None, "pull_request_number": None, "owner": world.owner, "repo": world.name}
            return await call("pull_request_read", **usual | {"pullNumber": 1} | arguments)

        yield reading


async def test_get_says_what_it_is(world, read):
    details = (await read(method="get")).structured_content["details"]
    assert (details["title"], details["state"], details["author"]) == ("Greet", "open", world.owner)
    assert (details["head"]["branch"], details["head"]["repository"]) == ("greet", world.repository)
    assert re.fullmatch("[0-9a-f]{40}", details["head"]["commit"])
    assert (details["changed_files"], details["mergeable"]) == (3, True)


async def test_get_diff_joined_is_the_diff_to_the_byte(world, read):
    async with open_forge(world) as forge:
        whole = b"".join([chunk async for chunk in forge.changes.diff(pull_request_of(world))])
    pages = await read_pages(read, method="get_diff")
    parts = [part for page in pages for part in page.structured_content["diff"]]
    assert "".join(part["text"] for part in parts).encode() == whole
    assert list(dict.fromkeys(part["path"] for part in parts)) == ["hello.py", "more.py", "with space.py"]
    assert len(pages) > 1


async def test_get_files_lists_them(read):
    files = await read_items(read, "files", method="get_files", limit=2)
    assert [(row["path"], row["status"], row["additions"]) for row in files] == [
        ("hello.py", "added", 1),
        ("more.py", "added", 600),
        ("with space.py", "added", 1),
    ]


async def test_get_status_follows_the_rule(read):
    found = (await read(method="get_status")).structured_content
    assert found["status"]["state"] == "pending"
    assert {(row["name"], row["verdict"]) for row in found["checks"]} == {("build", "passed"), ("test", "pending")}


async def test_get_status_without_checks_is_none(read):
    found = (await read(method="get_status", pullNumber=3)).structured_content
    assert (found["status"]["state"], found["checks"], found["total"]) == ("none", [], 0)


async def test_get_comments_gives_the_conversation(world, read):
    rows = await read_items(read, "comments", method="get_comments")
    assert [row["body"][:6] for row in rows] == ["First.", BODY[:6]]
    assert all(isinstance(row["id"], int) and row["author"] == world.owner for row in rows)


async def test_a_long_comment_is_whole_to_the_character(read):
    rows = await read_items(read, "comments", method="get_comments")
    pages = await read_pages(read, method="get_comments", id=rows[-1]["id"], limit=1)
    assert "".join(part for page in pages for part in page.structured_content["parts"]) == BODY
    assert len(pages) > 1


async def test_reviews_and_their_comments(read):
    """The server gives a review's comments in no order; they come by path and line."""
    reviews = await read_items(read, "reviews", method="get_reviews")
    rows = await read_items(read, "review_comments", method="get_review_comments", limit=1)
    assert [(row["state"], row["body"]) for row in reviews] == [("commented", "Some remarks.")]
    assert [(row["path"], row["line"], row["body"]) for row in rows] == [("more.py", 5, "at 5"), ("more.py", 9, "at 9")]
    assert [row["resolved"] for row in rows] == [False, False]
    assert all(isinstance(row["id"], int) for row in rows)


async def test_a_pull_request_on_which_nothing_was_said_has_empty_lists(read):
    names = {"get_comments": "comments", "get_reviews": "reviews", "get_review_comments": "review_comments"}
    for method, name in names.items():
        found = (await read(method=method, pullNumber=3)).structured_content
        assert (found[name], found["total"]) == ([], 0)


async def test_an_issue_is_no_pull_request(read):
    errors = [(await read(method=method, pullNumber=2)).structured_content["error"] for method in METHODS]
    assert all(error.endswith("#2 is an issue, not a pull request") for error in errors)


async def test_what_is_not_there_is_named(world, read):
    missing = await read(method="get_diff", pullNumber=99)
    elsewhere = await read(method="get", repo="nothing")
    assert missing.structured_content["error"].endswith(f"{world.repository} has no pull request 99")
    assert "has no repository" in elsewhere.structured_content["error"]
