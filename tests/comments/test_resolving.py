"""resolve_review_thread and unresolve_review_thread: the state as it is read back, and nothing beside it."""

import pytest
from attrs import evolve

from stithy_core.spi import Unknown
from stithy_sandbox.world import World

pytestmark = pytest.mark.anyio

RESOLVE, UNRESOLVE = "resolve_review_thread", "unresolve_review_thread"
OPEN, RESOLVED = 14, 3


def text(result):
    return result.content[0].text


async def test_a_thread_is_resolved_and_nothing_is_posted(smithy):
    """Prevents: "resolve" posted a reply that said so, and resolved nothing."""
    async with smithy() as here:
        before = await here.thread(OPEN)
        result = await here.call(RESOLVE, thread_id=before.id)
        after = await here.thread(OPEN)
        assert after == evolve(before, resolved=True, resolved_by=here.world.user)
    assert result.structured_content == {
        "thread_id": before.id,
        "resolved": True,
        "path": "anvil/horn.py",
        "line": OPEN,
        "resolved_by": after.resolved_by.login,
        "url": before.comments[0].url,
    }


async def test_the_text_says_the_state_and_where(smithy):
    async with smithy() as here:
        thread = await here.thread(OPEN)
        said = [text(await here.call(tool, thread_id=thread.id)) for tool in (RESOLVE, UNRESOLVE)]
    place = f"Thread {thread.id} at anvil/horn.py:{OPEN}"
    assert said[0] == f"{place} is resolved by apprentice\nURL: {thread.comments[0].url}"
    assert said[1] == f"{place} is not resolved\nURL: {thread.comments[0].url}"


@pytest.mark.parametrize("tool", [RESOLVE, UNRESOLVE])
async def test_a_thread_is_named_by_any_comment_in_it(smithy, tool):
    async with smithy() as here:
        thread = await here.thread(RESOLVED)
        for comment in thread.comments:
            result = await here.call(tool, comment_id=int(comment.id))
            assert result.structured_content["thread_id"] == thread.id
            assert result.structured_content["resolved"] is (tool == RESOLVE)


@pytest.mark.parametrize(("tool", "line"), [(RESOLVE, RESOLVED), (UNRESOLVE, OPEN)])
async def test_a_thread_that_is_so_already_stays_so_and_that_is_said(smithy, tool, line):
    async with smithy() as here:
        before = await here.thread(line)
        result = await here.call(tool, thread_id=before.id)
        assert await here.thread(line) == before
    assert result.structured_content["unchanged"] is True
    assert "; it was already, nothing was changed" in text(result)


async def test_a_thread_about_a_whole_file_has_no_line(smithy):
    async with smithy() as here:
        thread = here.world.add_thread(here.pr, "anvil/horn.py", None, "All of it.")
        result = await here.call(RESOLVE, thread_id=thread.id)
    assert "line" not in result.structured_content
    assert text(result).startswith(f"Thread {thread.id} at anvil/horn.py is resolved")


async def test_a_thread_of_another_pull_request_stays_as_it_is(smithy):
    """Prevents: the thread was resolved, whatever pull request it was said to be of."""
    async with smithy() as here:
        thread = await here.thread(OPEN)
        other = here.world.add_pull_request(here.pr.repository, "Another", branch="another")
        for name in ({"thread_id": thread.id}, {"comment_id": int(thread.comments[0].id)}):
            result = await here.call(RESOLVE, pull_number=other.number, **name)
            assert result.structured_content["details"]["status"] == 404
            assert f"was not found on {other}" in result.structured_content["error"]
        assert (await here.thread(OPEN)).resolved is False


@pytest.mark.parametrize("names", [{}, {"thread_id": "5", "comment_id": 5}])
async def test_a_thread_is_named_by_exactly_one_of_two(smithy, names):
    async with smithy() as here:
        result = await here.call(RESOLVE, **names)
    error = result.structured_content
    assert error["error"] == "Invalid request: pass exactly one of thread_id and comment_id"
    assert error["details"]["errors"][0]["given"] == ("both" if names else "neither")


async def test_resolving_without_permission_is_refused(smithy):
    async with smithy() as here:
        theirs = here.world.add_pull_request(here.pr.repository, "Theirs", branch="t", author=here.world.add_user("w"))
        thread = here.world.add_thread(theirs, "anvil/horn.py", 2, "Why?")
        here.world.repository(theirs.repository).writable = False
        result = await here.call(RESOLVE, pull_number=theirs.number, thread_id=thread.id)
    assert result.structured_content["details"]["status"] == 403
    assert result.structured_content["error"].startswith("Failed to resolve review thread: apprentice may not")


async def test_a_dry_run_settles_nothing(smithy):
    async with smithy() as here:
        before = await here.thread(OPEN)
        result = await here.call(RESOLVE, thread_id=before.id, dry_run=True)
        assert await here.thread(OPEN) == before
    assert "Threads.resolve(smith/anvil#2" in result.structured_content["requests"][0]["operation"]


class Forgetful(World):
    """A world that does not tell whether its threads are resolved."""

    def set_resolved(self, pr, thread, *, resolved, by=None):
        return self.thread(pr, thread)


async def resolve_forgotten(smithy, resolved):
    """Resolve a thread of that world, which is read back as `resolved`."""
    world = Forgetful("http://sandbox.invalid")
    pr = world.add_pull_request(world.add_repository("smith/anvil"), "Harden the horn")
    thread = world.add_thread(pr, "anvil/horn.py", 7, "Why?", resolved=resolved)
    async with smithy() as here:
        here.forge.world = world
        return await here.call(RESOLVE, pull_number=pr.number, thread_id=thread.id)


async def test_a_state_that_is_not_as_wanted_when_it_is_read_back_is_an_error(smithy):
    """Prevents: success was said of what was never read back."""
    error = (await resolve_forgotten(smithy, resolved=False)).structured_content
    assert "was sent, but reading it back shows the old state" in error["error"]
    assert error["category"] == "api"
    assert error["suggestion"].startswith("Read the thread, then repeat the call")


async def test_a_state_that_cannot_be_read_back_is_unknown(smithy):
    """It is taken for neither resolved nor open."""
    result = await resolve_forgotten(smithy, resolved=Unknown("nobody says"))
    assert "resolved" not in result.structured_content
    assert result.structured_content["unknown"] == [{"field": "resolved", "reason": "nobody says"}]
    assert "whether it is resolved could not be read back" in text(result)


async def test_resolving_is_for_after_the_fix(smithy):
    """What an agent reads when it chooses."""
    async with smithy() as here:
        tools = {tool.name: tool for tool in (await here.client.list_tools()).tools}
    assert "only after you verified that what the thread asks for is done" in tools[RESOLVE].description
    for name in (RESOLVE, UNRESOLVE):
        assert tools[name].annotations.idempotent_hint is True
        assert tools[name].input_schema["required"] == ["owner", "repo", "pull_number"]
