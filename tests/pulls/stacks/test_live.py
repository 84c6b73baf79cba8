"""Real servers: a base that is merged by each of the server's own ways, and the commands run against that server."""

import os
from urllib.parse import urlsplit

import pytest
from git_forge import git
from lab import Lab
from stack_cases import run

from stithy_core.testing import connect, make_app

pytestmark = pytest.mark.anyio

NAME = "lab-stacks"
STYLES = {
    "merge": "merge",
    "rebase": "rebase",
    "rebase-merge": "rebase-merge",
    "squash": "squash",
    "fast-forward-only": "fast-forward",
}
ALLOWED = ("allow_merge_commits", "allow_rebase", "allow_rebase_explicit", "allow_squash_merge")


WAYS = [(style, moved) for style in STYLES for moved in (False, True) if not (moved and style == "fast-forward-only")]


@pytest.fixture(params=[pytest.param(name, marks=pytest.mark.live) for name in ("GITEA", "FORGEJO")])
def server(request):
    return request.param


@pytest.fixture
def stacked(server, tmp_path):
    """A repository whose number 1 is a base of two commits, and whose number 2 stands on it with two of its own."""
    url, token = (os.environ[f"STITHY_LIVE_{server}_{word}"].rstrip("/") for word in ("URL", "TOKEN"))
    lab = Lab(url, NAME, tmp_path, token=token, live=True)
    lab.owner = lab.setup("GET", "/user").json()["login"]
    lab.delete()
    lab.setup("POST", "/user/repos", {"name": NAME, "auto_init": True, "default_branch": "main"})
    allowed = dict.fromkeys((*ALLOWED, "allow_fast_forward_only_merge"), True)
    lab.setup("PATCH", f"/repos/{lab.repository}", allowed)
    lab.commit("main", "a1", ("create", "base.txt", "1\n"), new="feat-a")
    lab.commit("feat-a", "a2", ("update", "base.txt", "2\n"))
    lab.commit("feat-a", "b1", ("create", "b.txt", "1\n"), new="feat-b")
    lab.commit("feat-b", "b2", ("update", "b.txt", "2\n"))
    lab.pull("A", "feat-a", "main")
    lab.pull("B", "feat-b", "feat-a")
    lab.until("pulls/1", lambda pull: pull["mergeable"])
    yield lab
    lab.delete()


@pytest.fixture
def clone(stacked, tmp_path):
    """A fresh clone that may push."""
    place = urlsplit(stacked.url)
    url = place._replace(netloc=f"{stacked.owner}:{stacked.token}@{place.netloc}", path=f"{place.path}/{NAME}.git")
    url = url._replace(path=f"{place.path}/{stacked.repository}.git").geturl()

    def made():
        git(tmp_path, "clone", "-q", url, "clone")
        return tmp_path / "clone"

    return made


async def ask(lab, **arguments):
    settings = f'[forges.lab]\nkind = "gitea"\nurl = "{lab.url}"\ntoken = {{ env = "LAB_TOKEN" }}\n'
    app = make_app(lab.folder, settings, environ={"LAB_TOKEN": lab.token})
    pair = {"base_pr": f"lab:{lab.repository}#1", "dependent_pr": f"lab:{lab.repository}#2"}
    async with connect(app) as client:
        result = await client.call_tool("manage_stacked_prs", pair | arguments)
    assert not result.is_error, result.content[0].text
    return result.structured_content


def merge(lab, style, **more):
    lab.post("pulls/1/merge", {"Do": style, "head_commit_id": head_of(lab, 1), **more})
    lab.until("pulls/1", lambda pull: pull["merged"])


def head_of(lab, number):
    return lab.setup("GET", f"/repos/{lab.repository}/pulls/{number}").json()["head"]["sha"]


def perform(clone, found):
    for command in found["commands"]:
        if command["type"] == "git":
            run(clone, command["command"])
    git(clone, "fetch", "-q", "origin")


@pytest.mark.parametrize(("style", "moved"), WAYS)
async def test_each_way_of_the_server(stacked, clone, style, moved):
    if moved:
        stacked.commit("main", "Moved", ("create", "c.txt", "c\n"))
        stacked.until("pulls/1", lambda pull: pull["mergeable"])
    last = head_of(stacked, 1)
    merge(stacked, style)
    found = await ask(stacked)
    expected = STYLES[style] if moved or style != "rebase" else "fast-forward"  # it keeps the commits that fit
    expected = "merge" if style == "rebase-merge" and not moved else expected
    assert (found["upstream_merge_detected"], found["merge_evidence"]["method"]) == (True, expected)
    assert found["last_upstream_commit"] == last
    place = clone()
    perform(place, found)
    assert git(place, "log", "--reverse", "--format=%s", "origin/main..origin/feat-b").splitlines() == ["b1", "b2"]


async def test_a_base_that_was_squashed_and_whose_branch_is_gone(stacked, clone):
    """The server gives the later one another base, and says so in its timeline."""
    merge(stacked, "squash", delete_branch_after_merge=True)
    stacked.until("pulls/2", lambda pull: pull["base"]["ref"] == "main")
    found = await ask(stacked)
    assert (found["is_stacked"], found["squash_merge"]) == (True, True)
    place = clone()
    perform(place, found)
    assert git(place, "log", "--reverse", "--format=%s", "origin/main..origin/feat-b").splitlines() == ["b1", "b2"]
    again = await ask(stacked)
    assert (again["commands"], again["summary"]["action_required"]) == ([], False)


async def test_a_base_that_was_forced(stacked, clone):
    """The timeline names the head that was there before."""
    place, before = clone(), head_of(stacked, 1)
    git(place, "checkout", "-q", "feat-a")
    (place / "base.txt").write_text("3\n")
    git(place, "commit", "-qa", "--amend", "-m", "a2 in other words", "--reset-author")
    git(place, "push", "-q", "--force", "origin", "feat-a")
    stacked.until("issues/1/timeline", lambda rows: any("is_force_push" in (row["body"] or "") for row in rows or []))
    found = await ask(stacked)
    assert (found["last_upstream_commit"], found["upstream_confidence"]) == (before, "high")
    perform(place, found)
    assert git(place, "log", "--reverse", "--format=%s", "origin/feat-a..origin/feat-b").splitlines() == ["b1", "b2"]
