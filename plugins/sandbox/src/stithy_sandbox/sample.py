"""The world that a sandbox begins with."""

from stithy_core.spi import BranchRules, CommitCheck, FileChange, PullRequestRef, RepositoryRef, User, Verdict
from stithy_sandbox import URL
from stithy_sandbox.world import World


def sample(url: str = URL) -> World:
    """Make the repository `smith/anvil` with an issue (#1) and a pull request (#2) in the midst of its review."""
    world = World(url)
    smith = world.add_user("smith")
    anvil = world.add_repository("smith/anvil")
    world.set_rules(anvil, "main", BranchRules(required_approvals=1, required_checks=("build", "test")))
    issue = world.add_issue(anvil, "The horn is too soft", body="It bends when struck hard.", author=smith)
    world.add_comment(issue, "Which steel was it?")
    pr = _open(world, anvil)
    _discuss(world, pr, smith)
    return world


def _open(world: World, anvil: RepositoryRef) -> PullRequestRef:
    pr = world.add_pull_request(anvil, "Harden the horn", body="Closes #1.", branch="harden-horn")
    world.add_files(
        pr,
        FileChange(path="anvil/horn.py", status="modified", additions=12, deletions=3),
        FileChange(path="anvil/temper.py", status="renamed", additions=4, deletions=0, previous_path="anvil/heat.py"),
        FileChange(path="tests/test_horn.py", status="added", additions=9, deletions=0),
    )
    runs = f"{world.url}/{anvil}/actions/runs"
    world.add_checks(
        pr,
        CommitCheck(name="build", verdict=Verdict.PASSED, url=f"{runs}/1"),
        CommitCheck(name="test", verdict=Verdict.FAILED, url=f"{runs}/2"),
        CommitCheck(name="publish", verdict=Verdict.SKIPPED, url=f"{runs}/3"),
    )
    return pr


def _discuss(world: World, pr: PullRequestRef, smith: User) -> None:
    world.add_comment(pr, "Ready for a look.")
    world.add_review(pr, "changes_requested", "The unit must be said.", smith)
    world.add_thread(pr, "anvil/horn.py", 14, "Is 60 Rockwell or Shore here?", smith)
    heat = world.add_thread(pr, "anvil/temper.py", 3, "Say that it is in degrees Celsius.", smith, resolved=True)
    world.add_reply(pr, heat.id, "Done.")
    world.add_comment(pr, "One thread still waits for you.", smith)
    world.add_review(pr, "approved", "It rings well.", world.add_user("striker"))
