"""What changes when something is written, and how worlds are made."""

from datetime import timedelta

import pytest
from attrs import evolve

from stithy_core.spi import CommitCheck, PullRequestRef, RepositoryRef, Threads, Verdict

pytestmark = pytest.mark.anyio


async def test_comment_is_kept_as_given(forge, pr):
    made = await forge.comments.create(pr, " <b>Struck</b>\r\n ")
    assert (made.body, made.author) == (" <b>Struck</b>\r\n ", await forge.identity.me())
    assert (await forge.comments.list(pr))[-1] == made


async def test_comment_updates_its_pull_request(forge, pr):
    made = await forge.comments.create(pr, "Struck.")
    assert (await forge.pull_requests.get(pr)).updated_at == made.created_at


async def test_the_same_calls_give_the_same_answers(forge, pr):
    """Time is the world's own."""
    made = await forge.comments.create(pr, "Struck.")
    assert f"{made.created_at:%Y-%m-%d %Z}" == "2026-01-05 UTC"


async def test_reply_ends_its_thread(forge, pr):
    thread, _ = await forge.threads.list(pr)
    made = await forge.threads.reply(pr, thread.id, "Rockwell.")
    assert (await forge.threads.list(pr))[0].comments == (*thread.comments, made.comment)


async def test_an_equal_reply_of_another_user_does_not_count(forge, pr):
    thread, _ = await forge.threads.list(pr)
    striker = forge.world.add_user("striker")
    theirs = forge.world.add_reply(pr, thread.id, "Rockwell.", striker)
    made = await forge.threads.reply(pr, thread.id, "Rockwell.", unless_since=theirs.created_at)
    assert (made.repeated, made.comment.author.login) == (False, "apprentice")


async def test_an_equal_reply_is_found_by_the_forges_clock(forge, pr):
    """The world has a clock of its own, so a day ago is counted from that."""
    thread, _ = await forge.threads.list(pr)
    first = await forge.threads.reply(pr, thread.id, "Rockwell.")
    again = await forge.threads.reply(pr, thread.id, "Rockwell.", unless_since=forge.now() - timedelta(days=1))
    assert (again.repeated, again.comment) == (True, first.comment)


async def test_no_operation_has_a_shell_command(forge, pr):
    """A world in memory cannot be reached from another process."""
    thread, _ = await forge.threads.list(pr)
    assert await forge.command(Threads.reply, pr, thread=thread, body="Rockwell.") == ""


async def test_resolve_is_idempotent(forge, pr):
    thread, _ = await forge.threads.list(pr)
    first = await forge.threads.resolve(pr, thread.id)
    again = await forge.threads.resolve(pr, thread.id)
    assert (first.resolved, first.unchanged, again.unchanged) == (True, False, True)
    assert evolve(again, unchanged=False) == first == (await forge.threads.list(pr))[0]


async def test_threads_without_a_line_come_first(forge, world):
    pr = world.add_pull_request(world.add_repository("smith/anvil"), "Harden")
    for line in (7, 3, None):
        world.add_thread(pr, "horn.py", line, "Why?")
    assert [thread.line for thread in await forge.threads.list(pr)] == [None, 3, 7]


async def test_latest_attempt_of_a_check(forge, pr):
    head = (await forge.pull_requests.get(pr)).head.commit
    forge.world.add_checks(pr.repository, head, CommitCheck(name="test", verdict=Verdict.PENDING))
    checks = await forge.checks.list(pr.repository, head)
    assert [check.verdict for check in checks if check.name == "test"] == [Verdict.PENDING]


@pytest.mark.parametrize("name", ["hammer", "ANVIL"])
async def test_present_name(forge, world, name):
    """A former name, and one in other letters, lead to the repository under its present name."""
    world.add_pull_request(world.add_repository("smith/anvil", formerly=["smith/hammer"]), "Harden")
    pull = await forge.pull_requests.get(PullRequestRef(RepositoryRef("smith", name), 1))
    assert str(pull.ref) == "smith/anvil#1"


async def test_namespace_of_several_segments(world):
    assert world.add_repository("guild/smiths/anvil") == RepositoryRef("guild/smiths", "anvil")
