"""What Gitea and GitHub are sent when a base is changed or a branch is updated, by their published contracts."""

import json

import pytest
from loopback import Server, message, starting

from stithy_core.spi import Conflict, NotFound, PullRequestRef, Rejected, RepositoryRef, Unclear
from stithy_testing import connect, make_app, open_forge

pytestmark = pytest.mark.anyio

PR = PullRequestRef(RepositoryRef("smith", "anvil"), 2)
HEAD, LATER = "b" * 40, "c" * 40
ROOTS = {"gitea": "/api/v1", "github": "/api/v3"}


def pull(base="one", head=HEAD):
    home = {"full_name": "smith/anvil", "name": "anvil", "owner": {"login": "smith"}, "archived": False, "fork": False}
    row = {"number": 2, "title": "Two", "state": "open", "user": {"id": 1, "login": "smith", "type": "User"}}
    times = {"created_at": "2026-11-21T08:00:00Z", "updated_at": "2026-11-21T08:00:00Z"}
    ends = {"head": {"ref": "two", "sha": head, "repo": home}, "base": {"ref": base, "sha": "a" * 40, "repo": home}}
    return row | times | ends | {"merged": False, "draft": False, "mergeable": True, "html_url": "", "body": ""}


@pytest.fixture(params=ROOTS)
async def served(request, unproxied, tmp_path):
    """A server of each kind, its forge, and the path of the pull request."""
    async with starting() as start:
        server, root = await start(Server()), ROOTS[request.param]
        path = f"{root}/repos/smith/anvil/pulls/2"
        server.answer(f"GET {root}/version", 200, {"version": "1.25.0"})
        server.answer(f"GET {root}/meta", 200, {"installed_version": "3.17.0"})
        server.answer(f"GET {root}/repos/smith/anvil", 200, {"full_name": "smith/anvil"})
        server.answer(f"GET {path}", 200, pull())
        app = make_app(tmp_path, f'[forges.work]\nkind = "{request.param}"\nurl = "{server.url}"\n')
        async with connect(app), open_forge(app, "work") as forge:
            yield server, forge, path


def list_writes(server):
    """Return the writes that arrived: method, path and body."""
    return [(one.method, one.target, json.loads(one.body or b"null")) for one in server.received if one.method != "GET"]


async def test_the_base_is_sent_and_read_back(served):
    server, forge, path = served
    server.answer(f"PATCH {path}", 201 if "v1" in path else 200, pull(base="main"))
    server.answers[f"GET {path}"] = lambda _: message(200, pull(base="main" if list_writes(server) else "one"))
    changed = await forge.pull_requests.retarget(PR, "main")
    again = await forge.pull_requests.retarget(PR, "main")
    assert changed.base.branch == again.base.branch == "main"
    assert list_writes(server) == [("PATCH", path, {"base": "main"})]


async def test_a_refused_base_is_an_error(served):
    """Gitea answers 404 for a missing branch, GitHub 422."""
    server, forge, path = served
    server.answer(f"PATCH {path}", 404 if "v1" in path else 422, {"message": "no such branch"})
    with pytest.raises((NotFound, Rejected)) as caught:
        await forge.pull_requests.retarget(PR, "nowhere")
    assert "branch" in caught.value.message


async def test_an_update_merges_the_base_at_the_head_that_was_read(served):
    server, forge, path = served
    if "v1" in path:
        server.answer(f"POST {path}/update", 200, b"")
        with pytest.raises(Conflict):  # nothing moved: the server did not do what it confirmed
            await forge.pull_requests.update_branch(PR, HEAD)
        assert list_writes(server) == [("POST", f"{path}/update", None)]
    else:
        server.answer(f"PUT {path}/update-branch", 202, {"message": "Updating pull request branch.", "url": ""})
        assert (await forge.pull_requests.update_branch(PR, HEAD)).head.commit == HEAD
        assert list_writes(server) == [("PUT", f"{path}/update-branch", {"expected_head_sha": HEAD})]


async def test_a_head_that_moved_is_not_updated(served):
    """Gitea's API cannot be told the head, so it is compared before."""
    server, forge, path = served
    server.answer(f"GET {path}", 200, pull(head=LATER))
    with pytest.raises(Conflict, match="head"):
        await forge.pull_requests.update_branch(PR, HEAD)
    assert not list_writes(server)


async def test_a_lost_answer_is_looked_for(served):
    """While the head has not moved, it stays unclear, and nothing is sent twice."""
    server, forge, path = served
    method, end = ("POST", "update") if "v1" in path else ("PUT", "update-branch")
    server.lose(f"{method} {path}/{end}")
    with pytest.raises(Unclear):
        await forge.pull_requests.update_branch(PR, HEAD)
    assert len(list_writes(server)) == 1
