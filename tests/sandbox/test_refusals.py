"""What the sandbox refuses, and how it tells one reason from another."""

import pytest

from stithy_core.spi import (
    Archived,
    Forbidden,
    IssueRef,
    Locked,
    Moved,
    NotFound,
    PullRequestRef,
    Rejected,
    RepositoryRef,
)
from stithy_sandbox.world.store import MOST

pytestmark = pytest.mark.anyio

ANVIL = RepositoryRef("smith", "anvil")


@pytest.mark.parametrize(
    ("pr", "text"),
    [
        (PullRequestRef(RepositoryRef("smith", "tongs"), 2), "no repository smith/tongs"),
        (PullRequestRef(ANVIL, 9), "smith/anvil has no pull request 9"),
        (PullRequestRef(ANVIL, 1), "smith/anvil#1 is an issue, not a pull request"),
    ],
)
async def test_absent_pull_request(forge, pr, text):
    with pytest.raises(NotFound, match=text):
        await forge.pull_requests.get(pr)


async def test_absent_issue(forge):
    with pytest.raises(NotFound, match="smith/anvil has no issue 9"):
        await forge.issues.get(IssueRef(ANVIL, 9))


async def test_absent_repository_has_no_rules(forge):
    with pytest.raises(NotFound, match="no repository"):
        await forge.rules.get(RepositoryRef("smith", "tongs"), "main")


@pytest.mark.parametrize("body", ["", " \n\t"])
async def test_blank_comment(forge, pr, body):
    with pytest.raises(Rejected, match="blank"):
        await forge.comments.create(pr, body)


async def test_blank_reply(forge, pr):
    thread, _ = await forge.threads.list(pr)
    with pytest.raises(Rejected, match="blank"):
        await forge.threads.reply(pr, thread.id, " ")


async def test_long_comment(forge, pr):
    with pytest.raises(Rejected, match="at most 65,536"):
        await forge.comments.create(pr, "x" * 65_537)


async def test_full_world(forge, pr):
    """It is bounded, however long the server runs."""
    with pytest.raises(Rejected, match="full"):  # noqa: PT012 -- which of them is the last does not matter
        for _ in range(MOST):
            await forge.comments.create(pr, "One more")
    assert len(await forge.comments.list(pr)) < MOST


async def test_archived_takes_no_comment(forge, pr):
    forge.world.archive(ANVIL)
    with pytest.raises(Archived):
        await forge.comments.create(pr, "Hello")


async def test_archived_threads_cannot_be_resolved(forge, pr):
    thread, _ = await forge.threads.list(pr)
    forge.world.archive(ANVIL)
    with pytest.raises(Archived):
        await forge.threads.resolve(pr, thread.id)


async def test_archived_can_be_read(forge, pr):
    forge.world.archive(ANVIL)
    assert (await forge.pull_requests.get(pr)).archived is True


async def test_locked_for_others(forge, world):
    pr = world.add_pull_request(world.add_repository("smith/anvil", writable=False), "Harden")
    world.lock(pr)
    with pytest.raises(Locked):
        await forge.comments.create(pr, "Hello")


async def test_locked_lets_writers_comment(forge, pr):
    forge.world.lock(pr)
    assert (await forge.comments.create(pr, "Hello")).body == "Hello"


async def test_threads_of_another_author(forge, world):
    """Without write access, users resolve threads of their own pull requests only."""
    anvil = world.add_repository("smith/anvil", writable=False)
    pr = world.add_pull_request(anvil, "Harden", author=world.add_user("smith"))
    thread = world.add_thread(pr, "horn.py", 1, "Why?")
    with pytest.raises(Forbidden, match="apprentice may not resolve"):
        await forge.threads.resolve(pr, thread.id)


@pytest.mark.parametrize("call", ["reply", "resolve"])
async def test_thread_of_another_pull_request(forge, pr, call):
    other = forge.world.add_pull_request(ANVIL, "Another")
    thread = forge.world.add_thread(other, "horn.py", 1, "Why?")
    with pytest.raises(NotFound, match=f"smith/anvil#2 has no thread {thread.id}"):
        await getattr(forge.threads, call)(pr, thread.id, *["Because."] * (call == "reply"))


async def test_former_name_takes_no_write(forge, world):
    pr = world.add_pull_request(world.add_repository("smith/anvil", formerly=["smith/hammer"]), "Harden")
    with pytest.raises(Moved, match="smith/hammer was renamed to smith/anvil"):
        await forge.comments.create(PullRequestRef(RepositoryRef("smith", "hammer"), pr.number), "Hello")
