"""Real servers: a private repository, read by its token, in part, by the refs of its pull requests."""

import base64
import os

import httpx
import pytest
from attrs import evolve

from stithy_core.spi import RepositoryRef
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.repository_access import RepositoryCache
from stithy_testing import connect, make_app, open_forge

pytestmark = pytest.mark.anyio

NAME = "pulls-conflicts"
LINES = "".join(f"line {number}\n" for number in range(1, 31))
SERVERS = [pytest.param(name, marks=pytest.mark.live) for name in ("GITEA", "FORGEJO")]


class Lab:
    """A private repository with a pull request that conflicts, whose branch is gone."""

    def __init__(self, name):
        self.url, self.token = [os.environ[f"STITHY_LIVE_{name}_{word}"].rstrip("/") for word in ("URL", "TOKEN")]
        headers = {"authorization": f"token {self.token}"}
        self.client = httpx.Client(base_url=f"{self.url}/api/v1", headers=headers, timeout=30)
        self.owner = self.ask("GET", "/user")["login"]
        self.path = f"/repos/{self.owner}/{NAME}"

    def ask(self, method, path, body=None):
        answer = self.client.request(method, path, json=body).raise_for_status()
        return answer.json() if answer.content else None

    def put_file(self, path, content, **fields):
        body = {"content": base64.b64encode(content).decode(), "message": f"Write {path}", **fields}
        return self.ask("PUT" if "sha" in fields else "POST", f"{self.path}/contents/{path}", body)["content"]["sha"]

    def make(self):
        self.client.delete(self.path)
        self.ask("POST", "/user/repos", {"name": NAME, "private": True, "auto_init": True, "default_branch": "main"})
        sha = self.put_file("a.txt", LINES.encode(), branch="main")
        self.put_file("large", os.urandom(400_000), branch="main")
        for word, fields in (("X", {"new_branch": "work"}), ("Y", {})):
            self.put_file("a.txt", LINES.replace("line 10", word).encode(), branch="main", sha=sha, **fields)
        body = {"title": "Ten", "head": "work", "base": "main"}
        self.number = self.ask("POST", f"{self.path}/pulls", body)["number"]
        self.ask("DELETE", f"{self.path}/branches/work")


@pytest.fixture(params=SERVERS)
def server(request):
    return request.param


@pytest.fixture
def lab(server):
    lab = Lab(server)
    lab.make()
    yield lab
    lab.client.delete(lab.path)
    lab.client.close()


@pytest.fixture
def app(lab, tmp_path):
    settings = f'[forges.work]\nkind = "gitea"\nurl = "{lab.url}"\n'
    return make_app(tmp_path, settings, environ={"GITEA_URL": lab.url, "GITEA_TOKEN": lab.token})


async def test_a_private_repository_is_read_in_part(lab, app, tmp_path):
    async with connect(app) as client:
        pr = {"pr": f"{lab.owner}/{NAME}#{lab.number}"}
        result = await client.call_tool("detect_merge_conflicts", pr)
    found = result.structured_content
    assert (found["found_by"], found["has_conflicts"], found["total_conflicts"]) == ("git", True, 1)
    assert found["conflicts"][0]["head_content_preview"] == "10: X"
    files = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 200_000
    assert not [path for path in files if lab.token.encode() in path.read_bytes()]


async def test_what_it_touches_and_who_knows_it_is_read_too(lab, app):
    """Code owners of the default branch, as regular expressions; the only author is the one who opened it."""
    lab.put_file("CODEOWNERS", rb".*\\.txt @blacksmiths" + b"\n", branch="main")
    pr = {"pr": f"{lab.owner}/{NAME}#{lab.number}"}
    async with connect(app) as client:
        impact = (await client.call_tool("analyze_pr_impact", pr)).structured_content
        review = (await client.call_tool("get_review_suggestions", pr)).structured_content
    assert impact["changes"] == {"files_changed": 1, "additions": 1, "deletions": 1, "commits": 1}
    assert impact["impact_areas"][0]["owners"] == ["blacksmiths"]
    assert lab.owner not in str(impact["suggested_reviewers"])
    (file,) = review["files"]
    assert (file["path"], "+X" in file["diff_excerpt"]) == ("a.txt", True)
    assert review["context"]["breaking_changes_detected"] is False


async def test_a_wrong_token_is_not_let_in(lab, app, tmp_path):
    async with open_forge(app, "work") as forge:
        remote = await forge.changes.git(RepositoryRef(lab.owner, NAME))
    async with RepositoryCache(tmp_path / "caches", 10**9, 10**9).open(remote.url) as folder:
        right = GitRepository("git", folder, remote, forge)
        assert b"refs/heads/main" in (await right.git("ls-remote", "origin", network=True)).stdout
        wrong = GitRepository("git", folder, evolve(remote, secret="0" * 40), forge)
        with pytest.raises(GitError, match="the forge denied access") as refused:
            await wrong.git("ls-remote", "origin", network=True)
    assert "0" * 40 not in str(refused.value.as_dict())
