"""Real servers: `stithy stack` moves five levels and two siblings, whose base was merged by each of the ways."""

import os

import pytest
from git_forge import AUTHOR, git
from git_recorded import clone_url
from lab import LIVE, Lab
from stack_cases import list_refs

from stithy_core.spi import UserError
from stithy_pulls.stack_runs.stack_command import run as run_stack
from stithy_testing import make_app

pytestmark = [pytest.mark.anyio, pytest.mark.live]

LEVELS = {"b": "a", "c": "b", "d": "c", "e": "d", "f": "b", "g": "a"}
"""Each branch above the base, and the one below: five levels, and a sibling at two of them."""
STYLES = ["merge", "rebase", "rebase-merge", "squash", "fast-forward-only"]


@pytest.fixture(params=LIVE)
def lab(request, tmp_path):
    """A repository with all of them; the base has two commits on one line, which the next one changes as well."""
    url, token = (os.environ[f"STITHY_LIVE_{request.param}_{word}"].rstrip("/") for word in ("URL", "TOKEN"))
    made = Lab(url, "lab-command", tmp_path, token=token, live=True)
    made.owner = made.setup("GET", "/user").json()["login"]
    made.delete()
    made.setup("POST", "/user/repos", {"name": made.name, "auto_init": True, "default_branch": "main"})
    styles = ("merge_commits", "rebase", "rebase_explicit", "squash_merge", "fast_forward_only_merge")
    made.setup("PATCH", f"/repos/{made.repository}", {f"allow_{style}": True for style in styles})
    made.commit("main", "a1", ("create", "base.txt", "1\n"), new="a")
    made.commit("a", "a2", ("update", "base.txt", "2\n"))
    made.pull("A", "a", "main")
    for branch, below in LEVELS.items():
        made.commit(below, f"{branch}1", ("create", f"{branch}.txt", "1\n"), new=branch)
        made.commit(branch, f"{branch}2", ("update", f"{branch}.txt", "2\n"))
        made.pull(branch.upper(), branch, below)
    made.until("pulls/1", lambda pull: pull["mergeable"])
    yield made
    made.delete()


@pytest.fixture
def stack_command(lab, monkeypatch):
    """Return a function that runs `stithy stack` in a clone."""
    for name, value in AUTHOR.items():
        monkeypatch.setenv(name, value)

    async def run_command(place, *words):
        monkeypatch.chdir(place)
        settings = f'[forges.lab]\nkind = "gitea"\nurl = "{lab.url}"\ntoken = {{ env = "LAB_TOKEN" }}\n'
        app = make_app(lab.folder, settings, environ={"LAB_TOKEN": lab.token})
        origin = next(origin for command, origin in app.commands if command.name == "stack")
        fault = None
        async with app.running():
            try:
                await run_stack(app.scope(origin), words)
            except UserError as error:
                fault = error
        if fault is not None:
            raise fault

    return run_command


def list_own(place, branch, *, first_parent=False):
    """Return the subjects of the commits of a branch that the one below it, or main, does not have."""
    below = LEVELS[branch] if LEVELS[branch] != "a" else "main"
    words = ["--first-parent", "--no-merges"] if first_parent else []
    return git(place, "log", "--reverse", "--format=%s", *words, f"origin/{below}..origin/{branch}").splitlines()


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("mode", [(), ("--merge",)], ids=["rebased", "merged"])
async def test_five_levels_and_siblings(lab, stack_command, style, mode):
    if style != "fast-forward-only":
        lab.commit("main", "Moved", ("create", "moved.txt", "moved\n"))
        lab.until("pulls/1", lambda pull: pull["mergeable"])
    head = lab.setup("GET", f"/repos/{lab.repository}/pulls/1").json()["head"]["sha"]
    body = {"Do": style, "head_commit_id": head}

    def merge(pull):
        if not pull["merged"]:
            lab.setup("POST", f"/repos/{lab.repository}/pulls/1/merge", body, allowed=(405, 500))
        return pull["merged"]

    lab.until("pulls/1", merge)
    lab.commit("main", "Later", ("create", "later.txt", "later\n"))
    place = lab.folder / "clone"
    git(lab.folder, "clone", "-q", clone_url(lab), "clone")
    before = list_refs(place, "refs/remotes/origin")
    base = f"lab:{lab.repository}#1"
    await stack_command(place, base, *mode, "--run")
    await stack_command(place, "--push")
    git(place, "fetch", "-q", "origin")
    for branch, below in LEVELS.items():
        lower = "main" if below == "a" else below
        assert git(place, "merge-base", f"origin/{lower}", f"origin/{branch}") == git(
            place, "rev-parse", f"origin/{lower}"
        )
        changed = git(place, "diff", "--name-only", f"origin/{lower}...origin/{branch}").split()
        assert changed == [f"{branch}.txt"]
        own = list_own(place, branch, first_parent=bool(mode))
        assert own[-2:] == [f"{branch}1", f"{branch}2"]
        assert mode or len(own) == 2
    await stack_command(place, "--undo")
    git(place, "fetch", "-q", "origin")
    assert list_refs(place, "refs/remotes/origin") == before
