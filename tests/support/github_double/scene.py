"""The world of the conformance kit, as docs/plugins/recordings-and-tests.md describes it, prepared in memory."""

from attrs import frozen

from github_double.check_records import WorkflowRun
from github_double.records import Issue, Pull, Repository
from github_double.world import World

LINES = {number: f"line {number}\n" for number in range(1, 11)}
TREE = {"README.md": "# Conformance\n", "old.txt": "old\n", "hello.txt": "".join(LINES.values())}
PYTHON = "".join(f"print({number})\n" for number in range(1, 13))
CHANGED = {
    "hello.txt": "".join((LINES | {5: "line five\n"}).values()),
    "old.txt": None,
    "README.md": None,
    "READ.md": TREE["README.md"],
}
LOG = "\ufeff2026-01-05T09:00:00.0000000Z ##[group]Run tests\n2026-01-05T09:00:01.0000000Z \x1b[31m2 failed\x1b[0m\n"
ARCHIVE = b"PK\x05\x06" + bytes(18)  # a zip archive with nothing in it


@frozen(kw_only=True)
class Scene:
    """The prepared records."""

    world: World
    repository: Repository
    issue: Issue
    pull: Pull
    merged: Pull
    draft: Pull
    closed: Issue
    archived: Issue
    run: WorkflowRun


def conformance() -> Scene:
    """Make the world: everything is the user's, and every test finds the same."""
    world = World()
    repository = world.add_repository("conformance", TREE, formerly=("before-conformance",))
    issue = world.add_issue(repository, "It does not greet", "Say hello.")
    world.add_label(issue, "bug", "ee0701")
    world.add_comment(issue, "first", reactions={"heart": 1})
    world.add_comment(issue, "second")
    world.add_comment(issue, "third")
    pull = _pull(world, repository)
    run = _ran(world, repository, pull)
    merged = _add_merged(world, repository)
    world.push(repository, "later", "Add later.txt", {"later.txt": "later\n"}, begin="greet")
    draft = world.add_pull(repository, "WIP: Later", "later", base="greet", draft=True)
    closed = world.add_issue(repository, "It greeted once")
    world.close(closed)
    world.protect(repository, contexts=("build", "test"))
    attic = world.add_repository("attic")
    archived = world.add_issue(attic, "It is dusty")
    attic.archived = True
    return Scene(
        world=world,
        repository=repository,
        issue=issue,
        pull=pull,
        merged=merged,
        draft=draft,
        closed=closed,
        archived=archived,
        run=run,
    )


def _pull(world: World, repository: Repository) -> Pull:
    world.push(repository, "greet", "Add hello.py", {"hello.py": PYTHON})
    head = world.push(repository, "greet", "Change texts", CHANGED).sha
    pull = world.add_pull(repository, "Greet", "greet", body="Closes #1.")
    world.add_comment(pull, "Please look.")
    world.add_thread(pull, "hello.py", 2, "Why print?", review=world.add_review(pull, body="Some remarks."))
    world.add_reply(world.add_thread(pull, "hello.txt", 5, "Spell it out."), "Done.")
    world.add_status(repository, head, "build", "success")
    world.add_status(repository, head, "test", "failure", "2 failed")
    world.add_status(repository, head, "lint", "pending")
    return pull


def _ran(world: World, repository: Repository, pull: Pull) -> WorkflowRun:
    run = world.add_run(repository, pull.head_sha, branch="greet", event="pull_request")
    steps = (("Set up job", "success"), ("Run tests", "failure"))
    world.add_job(repository, run, "unit", "failure", steps=steps, log=LOG.encode())
    world.add_artifact(repository, run, "report", ARCHIVE)
    return run


def _add_merged(world: World, repository: Repository) -> Pull:
    world.push(repository, "before", "Add before.txt", {"before.txt": "before\n"})
    pull = world.add_pull(repository, "Done before", "before")
    world.merge(pull)
    return pull
