"""The sample data of a sandbox."""

from stithy_core.spi import BranchRules, CommitCheck, PullRequestRef, RepositoryRef, User, Verdict
from stithy_sandbox import URL
from stithy_sandbox.world import World

HORN = '''"""The horn of the anvil, on which iron is bent."""

ROUND = True
LENGTH = 0.28
WIDTH = 0.09
TAPER = 0.4


def bend(iron, angle):
    """Bend iron around the horn."""
    return iron.bent(angle, around=LENGTH)


def strike(iron, force):
    """Strike iron on the horn."""
    return iron.struck(force)
'''
HARDER = HORN.replace(
    "def strike",
    '''HARDNESS = 60


def harden(horn, steel):
    """Harden the horn."""
    if steel.hardness < HARDNESS:
        raise ValueError(steel)
    return horn.made_of(steel)


def strike''',
)
HEAT = '''"""How hot the horn is made."""

DEGREES = 820


def heat(horn):
    """Heat the horn before it is quenched."""
    return horn.heated(DEGREES)
'''
TEMPER = f'''{HEAT}

def temper(horn):
    """Temper the horn after it was quenched."""
    return horn.heated(220)
'''
TEST = """from anvil.horn import HARDNESS, harden


def test_hard_steel(horn, hard):
    assert harden(horn, hard).hardness >= HARDNESS
"""


def create_sample_world(url: str = URL) -> World:
    """Create a world with the repository `smith/anvil`, an issue (#1) and a pull request under review (#2)."""
    world = World(url)
    smith = world.add_user("smith")
    tree = {"README.md": "# Anvil\n", "anvil/horn.py": HORN, "anvil/heat.py": HEAT}
    anvil = world.add_repository("smith/anvil", tree=tree)
    world.set_rules(anvil, "main", BranchRules(required_approvals=1, required_checks=("build", "test")))
    issue = world.add_issue(anvil, "The horn is too soft", body="It bends when struck hard.", author=smith)
    world.add_comment(issue, "Which steel was it?")
    pr = _add_pull_request(world, anvil)
    _add_conversation(world, pr, smith)
    return world


def _add_pull_request(world: World, anvil: RepositoryRef) -> PullRequestRef:
    branch = "harden-horn"
    world.add_branch(anvil, branch)
    world.add_commit(anvil, branch, "Harden the horn", {"anvil/horn.py": HARDER, "tests/test_horn.py": TEST})
    world.add_commit(anvil, branch, "Temper it", {"anvil/heat.py": None, "anvil/temper.py": TEMPER})
    runs = f"{world.url}/{anvil}/actions/runs"
    world.add_checks(
        anvil,
        branch,
        CommitCheck(name="build", verdict=Verdict.PASSED, url=f"{runs}/1"),
        CommitCheck(name="test", verdict=Verdict.FAILED, url=f"{runs}/2"),
        CommitCheck(name="publish", verdict=Verdict.SKIPPED, url=f"{runs}/3"),
    )
    return world.add_pull_request(anvil, "Harden the horn", body="Closes #1.", branch=branch)


def _add_conversation(world: World, pr: PullRequestRef, smith: User) -> None:
    world.add_comment(pr, "Ready for a look.")
    world.add_review(pr, "changes_requested", "The unit must be said.", smith)
    world.add_thread(pr, "anvil/horn.py", 14, "Is 60 Rockwell or Shore here?", smith)
    heat = world.add_thread(pr, "anvil/temper.py", 3, "Say that it is in degrees Celsius.", smith, resolved=True)
    world.add_reply(pr, heat.id, "Done.")
    world.add_comment(pr, "One thread still waits for you.", smith)
    world.add_review(pr, "approved", "It rings well.", world.add_user("striker"))
