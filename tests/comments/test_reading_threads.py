"""pull_request_read with get_thread: one thread whole in one call."""

from contextlib import asynccontextmanager

import pytest
from following import read_pages
from github_double.rest.routing import node
from github_double.world import World

from stithy_core.spi import BYTE_BUDGET, User

pytestmark = pytest.mark.anyio

BOB = User(login="bob", id="901")
HUNK = "@@ -1,2 +1,3 @@\n def strike():\n+    raise Wrong"
BODY = "Why?\n- [1] smith, 2026-01-05T09:08:00Z:\n\n```python\nstrike()\n```"


def reader(here):
    async def read(name, **arguments):
        given = {"pull_number": None, "pullNumber": 2, "method": "get_thread", "id": name} | arguments
        return await here.call("pull_request_read", **given)

    return read


async def test_a_thread_has_its_place_state_hunk_and_all_its_comments_by_the_id_of_each(smithy):
    async with smithy() as here:
        thread = here.world.add_thread(here.pr, "anvil/horn.py", 9, BODY, BOB, hunk=HUNK, start_line=7, resolved=True)
        reply = here.world.add_reply(here.pr, thread.id, "word " * 200)
        by_thread, by_reply = [await reader(here)(name) for name in (thread.id, reply.id)]
    found, text = by_thread.structured_content, by_thread.content[0].text
    assert by_reply.structured_content == found
    wanted = {"thread_id": thread.id, "path": "anvil/horn.py", "line": 9, "start_line": 7, "resolved": True}
    assert found["thread"].items() >= (wanted | {"hunk": HUNK}).items()
    first, second = found["thread_comments"]
    assert (first["id"], first["author"], first["body"]) == (int(thread.comments[0].id), "bob", BODY)
    assert (second["created_at"], second["body"], found["total"]) == ("2026-01-05T09:18:00Z", "word " * 200, 2)
    assert f"Thread {thread.id} at anvil/horn.py:7-9: resolved" in text
    assert [line for line in text.splitlines() if line.startswith("- [1]")] == []
    assert {"  | +    raise Wrong", "  | strike()", f"  | {'word ' * 200}"} <= set(text.splitlines())


async def test_comments_beyond_the_budget_follow_on_pages(smithy):
    async with smithy() as here:
        thread = here.world.add_thread(here.pr, "anvil/horn.py", 9, "x" * 3_000, BOB)
        for number in range(1, 20):
            here.world.add_reply(here.pr, thread.id, f"{number} {'x' * 3_000}")
        pages = await read_pages(reader(here), name=thread.id, limit=100)
    bodies = [row["body"] for page in pages for row in page.structured_content["thread_comments"]]
    assert bodies == ["x" * 3_000, *(f"{number} {'x' * 3_000}" for number in range(1, 20))]
    assert len(pages) >= 20 * 3_000 // BYTE_BUDGET
    assert all(page.structured_content["thread"]["thread_id"] == thread.id for page in pages)


async def test_what_is_no_thread_is_an_error(smithy):
    async with smithy() as here:
        errors = [(await reader(here)(name)).structured_content["error"] for name in (None, "nowhere", 6)]
    assert errors == [
        "Invalid request: method get_thread needs an id",
        "Failed to read pull request: smith/anvil#2 has no thread nowhere",
        "Failed to read pull request: smith/anvil#2 has no thread 6",
    ]


@asynccontextmanager
async def asking_github(on_github, **options):
    world = World()
    world.push(world.add_repository("hello"), "greet", "Add hello.py", {"hello.py": "print()\n" * 9})
    pull = world.add_pull(world.repository("smith/hello"), "Greet", "greet")
    threads = [world.add_thread(pull, "hello.py", line, f"line {line}", world.other_user) for line in (2, 3)]
    for number in range(120):
        world.add_reply(threads[1], f"reply {number}")
    async with on_github(world, **options) as (call, served):

        async def read(name):
            given = {"owner": "smith", "repo": "hello", "pullNumber": 1, "method": "get_thread", "limit": 100}
            return await call("pull_request_read", given | {"id": name})

        yield threads, read, served


async def test_a_thread_of_github_is_two_requests_for_two_pages_of_comments(on_github):
    async with asking_github(on_github) as (threads, read, served):
        found = (await read(node("PRRT", threads[1].id))).structured_content
        requests = len(served.double.asked) if served.double else 2
    assert (found["total"], found["thread"]["resolved"], requests) == (121, False, 2)


async def test_a_comment_of_github_leads_to_its_thread(on_github):
    async with asking_github(on_github) as (threads, read, _):
        found = (await read(threads[1].comments[5].id)).structured_content
    assert (found["total"], found["thread_comments"][0]["body"]) == (121, "line 3")


async def test_without_a_token_a_comment_of_github_leads_to_its_thread(on_github):
    async with asking_github(on_github, token="") as (threads, read, _):
        found = (await read(threads[0].comments[0].id)).structured_content
    assert [row["body"] for row in found["thread_comments"]] == ["line 2"]
    assert "thread.resolved" in {row["field"] for row in found["unknown"]}
