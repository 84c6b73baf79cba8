"""Real servers: a base that is merged by each of the server's own ways, and the commands run on what came of it.

On a live server they are run against it, which `STITHY_RECORD` records; on a recording, against a copy of its git.
"""

import os

import pytest
from git_forge import git
from git_recorded import bundle_path, clone_url, open_lab
from lab import LIVE, OWNER, RECORDED, Lab
from stack_cases import run

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

NAME = "lab-stacks"
STYLES = {
    "merge": "merge",
    "rebase": "rebase",
    "rebase-merge": "rebase-merge",
    "squash": "squash",
    "fast-forward-only": "fast-forward",
}
KEPT = {"rebase": "fast-forward", "rebase-merge": "merge"}
"""What a style comes to where the commits fit, and where Forgejo has yet to notice that the base was pushed to."""
ALLOWED = ("allow_merge_commits", "allow_rebase", "allow_rebase_explicit", "allow_squash_merge")
WAYS = [(style, moved) for style in STYLES for moved in (False, True) if not (moved and style == "fast-forward-only")]


@pytest.fixture(params=[*RECORDED, *(pytest.param(name, marks=pytest.mark.live) for name in LIVE)])
def server(request):
    return request.param


@pytest.fixture
def stacked(server, tmp_path):
    """A repository whose number 1 is a base of two commits, and whose number 2 stands on it with two of its own."""
    if server in RECORDED:
        yield Lab("", NAME, tmp_path, owner=OWNER)
        return
    url, token = (os.environ[f"STITHY_LIVE_{server}_{word}"].rstrip("/") for word in ("URL", "TOKEN"))
    lab = Lab(url, NAME, tmp_path, token=token, live=True)
    lab.owner = lab.setup("GET", "/user").json()["login"]
    make(lab)
    yield lab
    lab.delete()


def make(lab):
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


@pytest.fixture
def ask(stacked, server):
    """Call the tool on both; each question has a recording of its own."""

    async def call_tool(case):
        with open_lab(stacked, server, f"{NAME}-{case}") as lab:
            settings = f'[forges.lab]\nkind = "gitea"\nurl = "{lab.url}"\ntoken = {{ env = "LAB_TOKEN" }}\n'
            app = make_app(lab.folder, settings, environ={"LAB_TOKEN": lab.token})
            pair = {"base_pr": f"lab:{lab.repository}#1", "dependent_pr": f"lab:{lab.repository}#2"}
            async with connect(app) as client:
                result = await client.call_tool("manage_stacked_prs", pair)
        assert not result.is_error, result.content[0].text
        return result.structured_content

    return call_tool


@pytest.fixture
def clone(stacked, server, tmp_path):
    """Return a fresh clone that may push; for a recording, to a copy of the server's repository."""

    def make_clone(case):
        origin = clone_url(stacked) if stacked.live else str(tmp_path / f"{stacked.repository}.git")
        if not stacked.live:  # the steps find the remote by the repository's name
            git(tmp_path, "clone", "-q", "--mirror", str(bundle_path(server, f"{NAME}-{case}")), origin)
        git(tmp_path, "clone", "-q", origin, "clone")
        return tmp_path / "clone"

    return make_clone


def merge(lab, style, **more):
    """Merge, and ask again while the server is not ready: it says so, or a rebase of Forgejo's fails with 500.

    That is so until it has noticed that the base was pushed to: it takes a head that is behind for one that is not.
    """
    body = {"Do": style, **more}

    def merge_pull(pull):
        if not pull["merged"]:
            head = {"head_commit_id": pull["head"]["sha"]}
            lab.setup("POST", f"/repos/{lab.repository}/pulls/1/merge", body | head, allowed=(405, 500))
        return pull["merged"]

    lab.until("pulls/1", merge_pull)


def perform(clone, found):
    """Run the steps, and give what is the later one's own then."""
    for command in found["commands"]:
        if command["type"] == "git":
            run(clone, command["command"])
    git(clone, "fetch", "-q", "origin")


def own(clone, base):
    return git(clone, "log", "--reverse", "--format=%s", f"origin/{base}..origin/feat-b").splitlines()


@pytest.mark.parametrize(("style", "moved"), WAYS)
async def test_each_way_of_the_server(stacked, ask, clone, style, moved):
    case = f"{style}-moved" if moved else style
    if moved:
        stacked.commit("main", "Moved", ("create", "c.txt", "c\n"))
        stacked.until("pulls/1", lambda pull: pull["mergeable"])
    merge(stacked, style)
    found = await ask(case)
    place = clone(case)
    is_kept = git(place, "merge-base", "origin/feat-a", "origin/main") == git(place, "rev-parse", "origin/feat-a")
    expected = KEPT.get(style, STYLES[style]) if is_kept else STYLES[style]
    assert (found["upstream_merge_detected"], found["merge_evidence"]["method"]) == (True, expected)
    assert found["last_upstream_commit"] == git(place, "rev-parse", "origin/feat-b~2")
    perform(place, found)
    assert own(place, "main") == ["b1", "b2"]


async def test_a_base_that_was_squashed_and_whose_branch_is_gone(stacked, ask, clone):
    """Some give the later one another base, and say so in its timeline; 1.25 leaves it, and a step tells to do it."""
    merge(stacked, "squash", delete_branch_after_merge=True)
    stacked.until("branches", lambda rows: all(row["name"] != "feat-a" for row in rows))
    found = await ask("gone")
    assert (found["is_stacked"], found["squash_merge"]) == (True, True)
    told = [row["command"] for row in found["commands"] if row["command"].startswith("// Change the base")]
    assert bool(told) is (found["stack_info"]["dependent_base"] == "feat-a")
    place = clone("gone")
    perform(place, found)
    assert own(place, "main") == ["b1", "b2"]
    if told:
        stacked.setup("PATCH", f"/repos/{stacked.repository}/pulls/2", {"base": "main"})
    again = await ask("gone-again")
    assert (again["commands"], again["summary"]["action_required"]) == ([], False)


async def test_a_base_that_was_forced(stacked, ask, clone):
    """The timeline names the head that was there before."""
    if stacked.live:
        force(stacked)
    found = await ask("forced")
    place = clone("forced")
    before = git(place, "rev-parse", "origin/feat-b~2")
    assert (found["last_upstream_commit"], found["upstream_confidence"]) == (before, "high")
    perform(place, found)
    assert own(place, "feat-a") == ["b1", "b2"]


def force(lab):
    place = lab.folder / "forcing"
    git(lab.folder, "clone", "-q", clone_url(lab), str(place))
    git(place, "checkout", "-q", "feat-a")
    (place / "base.txt").write_text("3\n")
    git(place, "commit", "-qa", "--amend", "-m", "a2 in other words", "--reset-author")
    git(place, "push", "-q", "--force", "origin", "feat-a")
    lab.until("issues/1/timeline", lambda rows: any("is_force_push" in (row["body"] or "") for row in rows or []))
