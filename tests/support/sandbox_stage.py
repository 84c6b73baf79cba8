"""The world of the conformance suite, made in a sandbox."""

import functools
import pickle
from typing import Any

from stithy_core.spi import (
    BranchRules,
    CommitCheck,
    ForgeConfig,
    IssueRef,
    Label,
    RepositoryRef,
    TestCase,
    TestReport,
    TestStatus,
    Verdict,
)
from stithy_sandbox import URL
from stithy_sandbox.sandbox_forge import Sandbox
from stithy_sandbox.world import Work, World
from stithy_sandbox.world import World as SandboxWorld
from stithy_testing.conformance import Stage

BUG = Label(name="bug", colour="ee0701")
HELLO = "".join(f"line {number}\n" for number in range(1, 11))
PROGRAM = "".join(f"print({number})\n" for number in range(1, 13))
BEGIN = {"README.md": "# Conformance\n", "old.txt": "old\n", "hello.txt": HELLO}
TEXTS = {
    "hello.txt": HELLO.replace("line 5\n", "line five\n"),
    "old.txt": None,
    "README.md": None,
    "READ.md": "# Conformance\n",
}


def sandbox_stage(cls: type[Sandbox] = Sandbox) -> Stage:
    """Prepare a sandbox, or a forge that is made of one."""
    http: Any = None  # a sandbox sends nothing
    forge = cls(ForgeConfig(alias="play", kind="sandbox", url=URL), http)
    forge.world, repository, archived, run = pickle.loads(prepare_world())
    return Stage(
        forge=forge,
        author="apprentice",
        repository=repository,
        former=RepositoryRef("apprentice", "before"),
        archived=archived,
        run=run,
    )


@functools.cache
def prepare_world() -> bytes:
    """Prepare the world, its repository, the archived issue and the run: reading a copy takes a fifth of the time."""
    world = World()
    repository = world.add_repository("apprentice/conformance", formerly=["apprentice/before"], tree=BEGIN)
    add_issue(world, repository)
    add_pull_request(world, repository)
    add_merged(world, repository)
    add_draft(world, repository)
    world.close(world.add_issue(repository, "It greeted once"))
    archived = add_archive(world)
    return pickle.dumps((world, repository, archived, add_run(world, repository)))


def add_issue(world: SandboxWorld, repository: RepositoryRef) -> None:
    world.set_rules(repository, "main", BranchRules(required_approvals=1, required_checks=("build", "test")))
    issue = world.add_issue(repository, "It does not greet", body="Say hello.", labels=(BUG,))
    first, *_ = [world.add_comment(issue, body) for body in ("first", "second", "third")]
    world.react(issue, first.id, "heart")


def add_pull_request(world: SandboxWorld, repository: RepositoryRef) -> None:
    world.add_branch(repository, "greet")
    world.add_commit(repository, "greet", "Add hello.py", {"hello.py": PROGRAM})
    world.add_commit(repository, "greet", "Change texts", TEXTS)
    pr = world.add_pull_request(repository, "Greet", body="Closes #1.", branch="greet")
    world.add_comment(pr, "Please look.")
    first = world.add_review(pr, "commented", "Some remarks.")
    world.add_thread(pr, "hello.py", 2, "Why print?", review=first.id)
    second = world.add_review(pr, "commented", "")
    thread = world.add_thread(pr, "hello.txt", 5, "Spell it out.", review=second.id)
    world.add_reply(pr, thread.id, "Done.")
    world.add_checks(
        repository,
        "greet",
        CommitCheck(name="test", verdict=Verdict.FAILED, summary="2 failed"),
        CommitCheck(name="build", verdict=Verdict.PASSED),
        CommitCheck(name="lint", verdict=Verdict.PENDING),
    )


def add_merged(world: SandboxWorld, repository: RepositoryRef) -> None:
    world.add_branch(repository, "before")
    world.add_commit(repository, "before", "Add before.txt", {"before.txt": "before\n"})
    merged = world.add_pull_request(repository, "Done before", branch="before")
    world.merge(merged)


def add_draft(world: SandboxWorld, repository: RepositoryRef) -> None:
    world.add_branch(repository, "later", at="greet")
    world.add_commit(repository, "later", "Add later.txt", {"later.txt": "later\n"})
    world.add_pull_request(repository, "WIP: Later", branch="later", into="greet", draft=True)


def add_archive(world: SandboxWorld) -> IssueRef:
    archive = world.add_repository("apprentice/archive")
    issue = world.add_issue(archive, "It was never greeted")
    world.archive(archive)
    return issue


def add_run(world: SandboxWorld, repository: RepositoryRef) -> str:
    jobs = {"unit": Work(Verdict.PASSED, "Set up\nall passed\n", steps=("Set up", "Test"))}
    run = world.add_run(repository, "greet", "tests", jobs, {"report": {"report.txt": b"all passed\n"}})
    case = TestCase(name="test_greet", status=TestStatus.PASSED, class_name="tests.test_hello", suite="unit")
    world.set_test_report(repository, run, TestReport(cases=(case,), total=1, passed=1, failed=0, errors=0, skipped=0))
    return run
