"""A small repository on a forge: its number 1 is a pull request, its number 2 an issue.

On a live server it is created for each test and deleted after it; on a recording only its name is used. The same tests
run on both: `make test` plays recordings back, `make live` uses the servers of the environment (docs/live-tests.md).
"""

import base64
import json
import os
import re
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from attrs import define

from stithy_gitea.recordings import shorten_recording
from stithy_testing import Tape, connect, make_app, playback
from stithy_testing.cassette_recorder import UNRECORDED, record_cassette

CASSETTES = Path(__file__).parents[2] / "cassettes"
RECORDED = ["gitea-1.25", "gitea-1.27"]
LIVE = ["GITEA", "FORGEJO"]
TRIES = 100
Call = Callable[..., Awaitable[Any]]
"""Calls a tool by its name, with arguments by keyword."""

OWNER = "stithy-admin"
READER = "stithy-stranger"


@define
class Lab:
    """A forge, and a test's repository on it."""

    url: str
    name: str
    folder: Path
    token: str = "none"
    owner: str = OWNER
    reader_token: str = "none"
    live: bool = False
    locks: bool = True

    @property
    def repository(self) -> str:
        return f"{self.owner}/{self.name}"

    @asynccontextmanager
    async def connect_agent(
        self, *, token: str | None = None, mode: str = "auto", url: str | None = None
    ) -> AsyncIterator[Call]:
        """Yield a function that calls a tool as an agent does, by default on pull request 1 of the repository."""
        settings = f'[forges.lab]\nkind = "gitea"\nurl = "{url or self.url}"\ntoken = {{ env = "LAB_TOKEN" }}\n'
        app = make_app(self.folder, settings, environ={"LAB_TOKEN": token or self.token})
        async with connect(app, mode=mode) as client:

            async def call(tool: str, **arguments: Any) -> Any:
                given = {"repository": self.repository, "pull_request_number": 1} | arguments
                return await client.call_tool(tool, given)

            yield call

    async def call(self, tool: str, *, token: str | None = None, mode: str = "auto", **arguments: Any) -> Any:
        """Call one tool over a connection of its own."""
        async with self.connect_agent(token=token, mode=mode) as call:
            return await call(tool, **arguments)

    def make(self) -> None:
        """Create the repository, its pull request and its issue."""
        self.delete()
        self.setup("POST", "/user/repos", {"name": self.name, "auto_init": True, "default_branch": "main"})
        content = base64.b64encode(b"print('hello')\n").decode()
        change = {"content": content, "message": "Greet", "branch": "main", "new_branch": "greet"}
        self.setup("POST", f"/repos/{self.repository}/contents/hello.py", change)
        self.setup("POST", f"/repos/{self.repository}/pulls", {"title": "Greet", "head": "greet", "base": "main"})
        self.setup("POST", f"/repos/{self.repository}/issues", {"title": "It does not greet"})

    def delete(self) -> None:
        self.setup("DELETE", f"/repos/{self.repository}", allowed=(404,))

    def comment(self, body: Any, number: int = 1) -> None:
        self.setup("POST", f"/repos/{self.repository}/issues/{number}/comments", {"body": body})

    def commit(self, branch: str, message: str, *files: tuple[str, str, str], new: str = "") -> None:
        """Commit files; each is an operation, a path, and its content, or for a move its former path."""
        rows = [self.row(branch, *file) for file in files]
        self.post(
            "contents", {"branch": branch, "message": message, "files": rows} | ({"new_branch": new} if new else {})
        )

    def row(self, branch: str, operation: str, path: str, said: str) -> dict[str, str]:
        row = {"operation": operation, "path": path, "content": base64.b64encode(said.encode()).decode()}
        if operation == "create":
            return row
        former = said if operation == "move" else path
        found = self.setup("GET", f"/repos/{self.repository}/contents/{former}?ref={branch}").json()
        moved = {"operation": "update", "from_path": former, "content": found["content"]} if operation == "move" else {}
        return row | moved | {"sha": found["sha"]}

    def pull(self, title: str, head: str, base: str, body: Any = "") -> Any:
        return self.post("pulls", {"title": title, "head": head, "base": base, "body": body})

    def post(self, path: str, body: Any) -> Any:
        answer = self.setup("POST", f"/repos/{self.repository}/{path}", body)
        return answer.json() if answer is not None and answer.content else None

    def until(self, path: str, ready: Callable[[Any], object]) -> None:
        """Poll a path until its JSON is as expected: the server does some work after it has answered."""
        for _ in range(TRIES if self.live else 0):
            if ready(self.setup("GET", f"/repos/{self.repository}/{path}").json()):
                return
            time.sleep(0.1)
        assert not self.live, f"{self.url} is not ready: {path}"

    def until_pushed(self, number: int) -> None:
        """Wait until the server's git has the head that its API names: Forgejo moves the ref some time after a push."""
        if not self.live:
            return
        head = self.setup("GET", f"/repos/{self.repository}/pulls/{number}").json()["head"]["sha"]
        self.until(f"git/refs/pull/{number}/head", lambda found: head in json.dumps(found))

    def rename(self, name: str) -> None:
        self.setup("DELETE", f"/repos/{self.owner}/{name}", allowed=(404,))
        self.setup("PATCH", f"/repos/{self.repository}", {"name": name})

    def archive(self) -> None:
        self.setup("PATCH", f"/repos/{self.repository}", {"archived": True})

    def lock(self, number: int = 1) -> None:
        """Lock a conversation, where the server's API can: Forgejo's has no such route."""
        path = f"/repos/{self.repository}/issues/{number}/lock"
        answer = self.setup("PUT", path, {"lock_reason": "Resolved"}, allowed=(404,))
        self.locks = answer is None or answer.is_success

    def need_locks(self) -> None:
        if not self.locks:
            pytest.skip(f"{self.url} cannot lock a conversation by its API")

    def bodies(self) -> list[str] | None:
        """Read the conversation without stithy; None on a recording."""
        answer = self.setup("GET", f"/repos/{self.repository}/issues/1/comments")
        return None if answer is None else [row["body"] for row in answer.json()]

    def create_reader(self) -> None:
        """Create a user who may read and comment, but not write; the token must be a site administrator's."""
        password = secrets.token_hex(12)
        self.setup("DELETE", f"/admin/users/{READER}?purge=true", allowed=(404,))
        user = {"username": READER, "email": f"{READER}@example.invalid", "password": password}
        self.setup("POST", "/admin/users", user | {"must_change_password": False})
        if self.live:
            token = {"name": "stithy", "scopes": ["write:issue", "read:repository"]}
            path = f"{self.url}/api/v1/users/{READER}/tokens"
            answer = httpx.post(path, json=token, auth=(READER, password), headers={UNRECORDED: "1"}).raise_for_status()
            self.reader_token = answer.json()["sha1"]

    def setup(self, method: str, path: str, body: Any = None, allowed: Sequence[int] = ()) -> Any:
        """Send a request to a live server; a recording already holds its effect."""
        if not self.live:
            return None
        headers = {"Authorization": f"token {self.token}", UNRECORDED: "1"}
        answer = httpx.request(
            method, f"{self.url}/api/v1{path}", json=body, headers=headers, follow_redirects=True, timeout=30
        )
        assert answer.is_success or answer.status_code in allowed, f"{method} {path}: {answer} {answer.text}"
        return answer


@pytest.fixture(params=[*RECORDED, *(pytest.param(name, marks=pytest.mark.live) for name in LIVE)])
def lab(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Lab]:
    """A lab on each recorded server and on each live one."""
    name = "lab-" + re.sub(r"\[.*", "", request.node.name).removeprefix("test_").replace("_", "-")[:40].rstrip("-")
    if request.param in RECORDED:
        tape = tape_of(request.param, name)
        with playback(tape) as url:
            yield Lab(url, name, tmp_path)
        assert not tape.missed
        return
    url, token = (os.environ.get(f"STITHY_LIVE_{request.param}_{word}", "") for word in ("URL", "TOKEN"))
    owner = (
        httpx.get(f"{url}/api/v1/user", headers={"Authorization": f"token {token}"}, timeout=60)
        .raise_for_status()
        .json()["login"]
    )
    live = Lab(url.rstrip("/"), name, tmp_path, token=token, owner=owner, live=True)
    live.make()
    with record_calls(live):
        yield live
    live.delete()
    if live.reader_token != "none":
        live.setup("DELETE", f"/admin/users/{READER}?purge=true")


def tape_of(server: str, name: str) -> Tape:
    """Read a test's recording; a test without requests has none, and any request then counts as missed."""
    path = CASSETTES / server / f"{name}.yaml"
    return Tape.read([path] if path.exists() else [])


@contextmanager
def record_calls(lab: Lab, name: str = "") -> Iterator[None]:
    """Record stithy's requests into `cassettes/$STITHY_RECORD`, when that is set."""
    folder = os.environ.get("STITHY_RECORD")
    if not folder:
        yield
        return
    path = CASSETTES / folder / f"{name or lab.name}.yaml"
    with record_cassette(path, url=lab.url, host=f"{folder}.example", shorten=shorten_recording):
        yield
