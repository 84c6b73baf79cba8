"""GitHub's double, whose pull requests have the commits of a real repository that real git serves beside it."""

from urllib.parse import urlsplit

import pytest
from git_forge import Handler, serving
from github_double import stage
from github_double.answering import Double
from github_double.requests import Request
from github_double.world import World

from stithy_testing import connect, make_app

pytestmark = [pytest.mark.anyio, pytest.mark.contract]

OWN = [("b1", {"b.txt": "1\n"}), ("b2", {"b.txt": "2\n"})]
PAIR = {"base_pr": "smith/anvil#1", "dependent_pr": "smith/anvil#2"}
BASE = [("a1", {"base.txt": "1\n"}), ("a2", {"base.txt": "2\n"})]


@pytest.fixture
def world():
    """A repository on GitHub with nothing in it but what git has on `main`."""
    if not stage.is_installed():
        pytest.skip(stage.MISSING)
    made = World()
    made.add_repository("anvil", {"README.md": "# Anvil\n"})
    return made


@pytest.fixture
def show(world, stack):
    """Let a branch of GitHub end where git's does."""
    repository = world.repository("smith/anvil")

    def show_pull(branch, begin="main"):
        commit = world.push(repository, branch, f"End of {branch}", {f"{branch}.txt": "x\n"}, begin=begin)
        sha = stack.shop.git("rev-parse", branch)
        world.commits[sha], commit.sha, repository.branches[branch] = commit, sha, sha
        for pull in world.pulls():
            if pull.head == branch and pull.state == "open":
                pull.head_sha = sha
        return repository

    return show_pull


@pytest.fixture
def hub(world, shop, stack, show):
    """Number 1 of two commits, and number 2 on it with two of its own."""
    stack.grow(1, "feat-a", "main", *BASE)
    stack.grow(2, "feat-b", "feat-a", *OWN)
    for branch, into in (("main", "main"), ("feat-a", "main"), ("feat-b", "feat-a")):
        repository = show(branch, into)
        if branch != "main":
            world.add_pull(repository, branch, branch, base=into)
    return repository


@pytest.fixture
def ask(world, shop, tmp_path):
    """Call the tool on GitHub's number 1 and number 2."""
    double = Double(world=world)

    class Hub(Handler):
        def do_GET(self):
            parts = urlsplit(self.path)
            if not parts.path.startswith("/api/"):
                return self.backend(parts.path, parts.query)
            body = self.body()
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, headers, content = double.answer(Request.of(self.command, parts, headers, body))
            return self.give(status, headers.items(), content)

        do_POST = do_GET

    async def call_tool(name="manage_stacked_prs", **arguments):
        with serving(tmp_path / "served", shop, handler=Hub) as served:
            double.url = served.url
            settings = f'[forges.hub]\nkind = "github"\nurl = "{served.url}"\ntoken = {{ env = "HUB_TOKEN" }}\n'
            settings += '[serve]\ntoolsets = ["stacks", "repository_management"]\n'
            app = make_app(tmp_path, settings, environ={"HUB_TOKEN": world.token})
            async with connect(app) as client:
                result = await client.call_tool(name, PAIR | arguments if name == "manage_stacked_prs" else arguments)
        assert not double.faults, double.faults
        assert not result.is_error, result.content[0].text
        return result.structured_content | {"text": result.content[0].text}

    return call_tool


@pytest.fixture
def squashed(hub, world, stack, show):
    """Number 1 squashed, with its branch; GitHub gives the later one another base."""
    base, later = hub.issues[1], hub.issues[2]
    stack.squash(1, "feat-a")
    stack.drop("feat-a")
    world.merge(base)
    show("main")
    base.merge_commit, later.base = hub.branches["main"], "main"


@pytest.mark.usefixtures("squashed")
async def test_a_squash_whose_branch_github_deleted(ask, perform, subjects):
    """GitHub keeps the name of the branch that is gone."""
    found = await ask()
    assert (found["is_stacked"], found["merge_evidence"]["method"]) == (True, "squash")
    perform(found)
    assert subjects("feat-b") == ["b1", "b2"]


async def test_a_base_that_was_forced(hub, world, stack, show, ask):
    """GitHub's timeline names the new head only, so an unrecognized commit lowers the confidence."""
    stack.shop.switch("feat-a")
    stack.shop.files({"base.txt": "3\n"})
    stack.shop.git("commit", "-qa", "--amend", "-m", "a2 in other words")
    stack.force_push(1, "feat-a")
    show("feat-a")
    world.add_event(hub.issues[1], "head_ref_force_pushed", commit_id=hub.branches["feat-a"])
    found = await ask()
    assert (found["upstream_confidence"], found["summary"]["risk_level"]) == ("low", "high")
    assert found["rebase_strategy"]["ai_should_decide"] is True
    assert "a force push below hides its former head" in found["text"]


async def test_a_stack_that_github_keeps_is_listed_with_its_number(hub, ask):
    """Number 2 targets main, and their commits are exchanged: only GitHub's stack says which one is the lower."""
    low, high = hub.issues[1], hub.issues[2]
    low.stack, high.stack, high.base = (50, 1), (50, 2), "main"
    low.head_sha, high.head_sha = high.head_sha, low.head_sha
    found = await ask("list_stacks", repository="smith/anvil")
    assert found["total"] == 1, found["text"]
    (stack,) = found["stacks"]
    assert (stack["forge_stack"], stack["base_pr"], stack["depth"]) == (50, "smith/anvil#1", 2)
    assert [row.get("stands_by") for row in stack["pull_requests"]] == [None, "forge"]
    assert "smith/anvil#1 (stack 50 of the forge): 2 levels" in found["text"]


async def test_a_plan_follows_a_stack_that_github_keeps(hub, ask):
    hub.issues[1].stack, hub.issues[2].stack, hub.issues[2].base = (50, 1), (50, 2), "main"
    found = await ask()
    assert [level.get("stands_by") for level in found["stack_info"]["levels"]] == [None, "forge"]
