"""Records the exchanges of the demo, from a live Gitea that STITHY_LIVE_GITEA_URL and STITHY_LIVE_GITEA_TOKEN name.

The token is a site administrator's. Users, a repository and a conversation are created through the API, and deleted
afterwards; existing data is never touched. In between, the demo's own sections run, and their requests are recorded.
"""

import asyncio
import base64
import os
import secrets
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
from attrs import define

from stithy_gitea.recordings import shorten_recording
from stithy_testing import connect, make_app
from stithy_testing.cassette_recorder import record_cassette

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from demo.demo import CASSETTES, COMMENTS, RECORDED, REMARKS, REPOSITORY, REVIEWER
from demo.host import Host, format_settings

OWNER, NAME = REPOSITORY.split("/")
AUTHOR = "tomas"
AGENT = "helper"
PROGRAM = """def blow(bellows, door):
    bellows.press(not door.open)


INTERVAL = 30
"""


@define
class Server:
    """A live Gitea, and a stack that deletes the objects created on it."""

    url: str
    token: str
    deletions: ExitStack

    def ask(self, method: str, path: str, body: Any = None, **options: Any) -> Any:
        """Send a request to the API as the administrator, or as the user that `sudo` names.

        Raises:
            RuntimeError: The response is an error.
        """
        headers = {"Authorization": f"token {self.token}"} if "auth" not in options else {}
        if user := options.pop("sudo", None):
            headers["Sudo"] = user
        answer = httpx.request(method, f"{self.url}/api/v1{path}", json=body, headers=headers, timeout=30, **options)
        if not answer.is_success:
            raise RuntimeError(f"{method} {path} was answered with {answer.status_code}: {answer.text}")
        return answer.json() if answer.content else None

    def make(self, path: str, body: Any, remove: str, **options: Any) -> None:
        """Create an object that does not exist yet, and register its deletion."""
        self.ask("POST", path, body, **options)
        self.deletions.callback(self.ask, "DELETE", remove)

    def create_user(self, name: str) -> str:
        """Create a user and return the password."""
        password = secrets.token_hex(16)
        body = {"username": name, "email": f"{name}@example.invalid", "password": password}
        self.make("/admin/users", body | {"must_change_password": False}, f"/admin/users/{name}?purge=true")
        return password

    def version(self) -> str:
        """Return the first two numbers of the server's version."""
        return ".".join(self.ask("GET", "/version")["version"].split(".")[:2])


def build(server: Server) -> str:
    """Create the users, their repository and their conversation; return the token of the agent's own account."""
    for person in sorted({name for name, _ in COMMENTS}):
        server.create_user(person)
    password = server.create_user(AGENT)
    server.make(f"/admin/users/{AUTHOR}/orgs", {"username": OWNER}, f"/orgs/{OWNER}")
    repository = {"name": NAME, "auto_init": True, "default_branch": "main"}
    server.make(f"/orgs/{OWNER}/repos", repository, f"/repos/{REPOSITORY}", sudo=AUTHOR)
    place = f"/repos/{REPOSITORY}"
    server.ask("POST", f"{place}/issues", {"title": "The fire goes out at night"}, sudo="nora")
    change = {"message": "Blow by itself", "branch": "main", "new_branch": "night-watch"}
    content = base64.b64encode(PROGRAM.encode()).decode()
    server.ask("POST", f"{place}/contents/bellows.py", change | {"content": content}, sudo=AUTHOR)
    pull = {"title": "Keep the fire in overnight", "body": "Closes #1.", "head": "night-watch", "base": "main"}
    server.ask("POST", f"{place}/pulls", pull, sudo=AUTHOR)
    for person, body in COMMENTS:
        server.ask("POST", f"{place}/issues/2/comments", {"body": body}, sudo=person)
    rows = [{"path": "bellows.py", "body": body, "new_position": line} for line, body in REMARKS]
    server.ask("POST", f"{place}/pulls/2/reviews", {"event": "COMMENT", "comments": rows}, sudo=REVIEWER)
    server.ask("PUT", f"{place}/collaborators/{AGENT}", {"permission": "write"}, sudo=AUTHOR)
    token = {"name": "stithy", "scopes": ["write:issue", "write:repository", "read:user"]}
    created = server.ask("POST", f"/users/{AGENT}/tokens", token, auth=(AGENT, password))
    return str(created["sha1"])


async def run_sections(url: str, token: str, folder: Path) -> list[str]:
    """Run the sections that send requests to a forge, and return the expectations that were not met."""
    text = format_settings(url, 'token = { env = "WORK_TOKEN" }')
    async with connect(make_app(folder, text, environ={"WORK_TOKEN": token})) as client:
        host = Host(client)
        for section in RECORDED:
            await section(host)
        return host.mismatches


def main() -> None:
    """Create the data, record the exchanges, and delete the data."""
    url, token = (os.environ.get(f"STITHY_LIVE_GITEA_{word}", "") for word in ("URL", "TOKEN"))
    if not (url and token):
        sys.exit("STITHY_LIVE_GITEA_URL and STITHY_LIVE_GITEA_TOKEN name the server to record from.")
    with ExitStack() as deletions, tempfile.TemporaryDirectory(prefix="stithy-demo-") as name:
        server = Server(url.rstrip("/"), token, deletions)
        secret = build(server)
        path = Path(name, f"{NAME}.yaml")
        with record_cassette(path, url=server.url, host=f"gitea-{server.version()}.example", shorten=shorten_recording):
            mismatches = asyncio.run(run_sections(server.url, secret, Path(name)))
        text = path.read_text(encoding="utf-8")
        if mismatches or secret in text or token in text:
            sys.exit("The recording was discarded: a result is not as expected, or it contains a token.")
        CASSETTES.mkdir(parents=True, exist_ok=True)
        (CASSETTES / path.name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
