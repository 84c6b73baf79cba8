"""What the sandbox begins with, read through its capabilities."""

import pytest

from stithy_core.spi import IssueRef, RepositoryRef, Verdict

pytestmark = pytest.mark.anyio

ANVIL = RepositoryRef("smith", "anvil")


async def test_issue(forge):
    issue = await forge.issues.get(IssueRef(ANVIL, 1))
    assert (issue.state, issue.author.login) == ("open", "smith")


async def test_pull_request(forge, pr):
    pull = await forge.pull_requests.get(pr)
    assert (pull.ref, pull.base.branch, pull.archived, pull.mergeable) == (pr, "main", False, True)


async def test_comments_oldest_first(forge, pr):
    first, second = await forge.comments.list(pr)
    assert first.created_at < second.created_at


async def test_threads_by_path(forge, pr):
    """One thread waits, and one with an answer is resolved."""
    threads = await forge.threads.list(pr)
    assert [(thread.path, thread.resolved, len(thread.comments)) for thread in threads] == [
        ("anvil/horn.py", False, 1),
        ("anvil/temper.py", True, 2),
    ]


async def test_threads_stand_on_code_that_is_there(forge, pr):
    """A thread's line is a line of the file that it talks about."""
    tree = forge.world.commit(ANVIL, "harden-horn").tree
    lines = [tree[thread.path].splitlines()[thread.line - 1] for thread in await forge.threads.list(pr)]
    assert lines == ["HARDNESS = 60", "DEGREES = 820"]


async def test_reviews_oldest_first(forge, pr):
    assert [review.state for review in await forge.reviews.list(pr)] == ["changes_requested", "approved"]


async def test_files_by_path(forge, pr):
    files = [(file.path, file.status, file.previous_path) for file in await forge.changes.files(pr)]
    assert files == [
        ("anvil/horn.py", "modified", ""),
        ("anvil/temper.py", "renamed", "anvil/heat.py"),
        ("tests/test_horn.py", "added", ""),
    ]


async def test_checks_by_name(forge, pr):
    checks = [(check.name, check.verdict) for check in await forge.checks.list(ANVIL, "harden-horn")]
    assert checks == [("build", Verdict.PASSED), ("publish", Verdict.SKIPPED), ("test", Verdict.FAILED)]


async def test_rules_of_a_branch(forge):
    assert (await forge.rules.get(ANVIL, "main")).required_approvals == 1


async def test_branch_without_rules_demands_nothing(forge):
    rules = await forge.rules.get(ANVIL, "harden-horn")
    assert (rules.required_approvals, rules.required_checks) == (0, ())


async def test_user(forge):
    assert (await forge.identity.me()).login == "apprentice"


async def test_ids_are_unique_numbers(forge, pr):
    threads = await forge.threads.list(pr)
    things = [*await forge.comments.list(pr), *await forge.reviews.list(pr), *threads]
    ids = [thing.id for thing in (*things, *(comment for thread in threads for comment in thread.comments))]
    assert all(made.isdecimal() for made in ids)
    assert len(set(ids)) == len(ids) == 9
