"""GitHub is held to the suite that every forge is held to, on the contract double."""

import pytest
from github_double.server import running
from github_double.world import World

from stithy_core.spi import IssueRef, PullRequestRef, RepositoryRef
from stithy_core.testing.conformance import ForgeConformance, Stage

HELLO = "".join(f"line {number}\n" for number in range(1, 11))
PROGRAM = "".join(f"print({number})\n" for number in range(1, 13))
BEGIN = {"README.md": "# Conformance\n", "old.txt": "old\n", "hello.txt": HELLO}
TEXTS = {
    "hello.txt": HELLO.replace("line 5\n", "line five\n"),
    "old.txt": None,
    "README.md": None,
    "READ.md": "# Conformance\n",
}


def prepared():
    """Make the world of the suite, and say what is where in it."""
    world = World()
    repository = world.add_repository("conformance", BEGIN, formerly=["before"])
    world.protect(repository, approvals=1, contexts=("build", "test"))
    issue = add_issue(world, repository)
    pull = add_pull(world, repository)
    world.push(repository, "before", "Add before.txt", {"before.txt": "before\n"})
    merged = world.add_pull(repository, "Done before", "before")
    world.merge(merged)
    draft = add_draft(world, repository)
    closed = world.add_issue(repository, "It greeted once")
    closed.state, closed.closed_at = "closed", world.add_event(closed, "closed").created_at
    archive = world.add_repository("archive")
    old = world.add_issue(archive, "It was never greeted")
    archive.archived = True
    ref = RepositoryRef(world.user.login, "conformance")
    return world, {
        "author": world.user.login,
        "repository": ref,
        "issue": IssueRef(ref, issue.number),
        "pr": PullRequestRef(ref, pull.number),
        "merged": PullRequestRef(ref, merged.number),
        "draft": PullRequestRef(ref, draft.number),
        "closed": IssueRef(ref, closed.number),
        "absent": RepositoryRef(world.user.login, "absent"),
        "former": RepositoryRef(world.user.login, "before"),
        "archived": IssueRef(RepositoryRef(world.user.login, "archive"), old.number),
        "run": str(add_run(world, repository).id),
        "token": world.token,
    }


def add_issue(world, repository):
    issue = world.add_issue(repository, "It does not greet", "Say hello.")
    world.add_label(issue, "bug", "ee0701")
    first, *_ = [world.add_comment(issue, body) for body in ("first", "second", "third")]
    first.reactions["heart"] = 1
    return issue


def add_pull(world, repository):
    world.push(repository, "greet", "Add hello.py", {"hello.py": PROGRAM})
    head = world.push(repository, "greet", "Change texts", TEXTS)
    pull = world.add_pull(repository, "Greet", "greet", body="Closes #1.")
    world.add_comment(pull, "Please look.")
    review = world.add_review(pull, body="Some remarks.")
    world.add_thread(pull, "hello.py", 2, "Why print?", review=review)
    thread = world.add_thread(pull, "hello.txt", 5, "Spell it out.")
    world.add_reply(thread, "Done.")
    world.add_status(repository, head.sha, "build", "success")
    world.add_status(repository, head.sha, "test", "failure", "2 failed")
    world.add_status(repository, head.sha, "lint", "pending")
    return pull


def add_draft(world, repository):
    repository.branches["later"] = repository.branches["greet"]
    world.push(repository, "later", "Add later.txt", {"later.txt": "later\n"})
    return world.add_pull(repository, "WIP: Later", "later", base="greet", draft=True)


def add_run(world, repository):
    run = world.add_run(repository, repository.branches["greet"], branch="greet", name="tests", event="pull_request")
    world.add_job(repository, run, "unit", log=b"Set up\nall passed\n", steps=(("Set up", "success"),))
    world.add_artifact(repository, run, "report", b"PK")
    return run


class TestGitHub(ForgeConformance):
    @pytest.fixture
    async def stage(self, github):
        world, places = prepared()
        with running(world) as double:
            async with github(double.url, token=world.token) as forge:
                yield Stage(forge=forge, **places)
