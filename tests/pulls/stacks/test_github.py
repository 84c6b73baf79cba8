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

    async def call_tool(**arguments):
        with serving(tmp_path / "served", shop, handler=Hub) as served:
            double.url = served.url
            settings = f'[forges.hub]\nkind = "github"\nurl = "{served.url}"\ntoken = {{ env = "HUB_TOKEN" }}\n'
            app = make_app(tmp_path, settings, environ={"HUB_TOKEN": world.token})
            pair = {"base_pr": "smith/anvil#1", "dependent_pr": "smith/anvil#2"}
            async with connect(app) as client:
                result = await client.call_tool("manage_stacked_prs", pair | arguments)
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
