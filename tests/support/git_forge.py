"""A forge on the loopback that is as much of a Gitea as conflicts need, over real repositories that real git serves.

Its API tells of pull requests; `/<owner>/<name>.git` is answered by `git http-backend`, behind a token if need be.
"""

import base64
import json
import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl

AUTHOR = {
    **{
        f"GIT_{role}_{what}": word
        for role in ("AUTHOR", "COMMITTER")
        for what, word in (("NAME", "smith"), ("EMAIL", "smith@forge.invalid"))
    },
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "LC_ALL": "C",
}
TOKEN = "f0e1d2c3b4a5968778695a4b3c2d1e0f12345678"
WHEN = "2026-01-05T10:00:00Z"


def git(folder: Path, *words: str, given: bytes | None = None, check: bool = True, **environ: str) -> str:
    """Run git in a folder, and return its output."""
    command = ["git", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", "-C", str(folder), *words]
    env = {**os.environ, **AUTHOR, **environ}
    ran = subprocess.run(command, env=env, input=given, capture_output=True, check=False)
    if check and ran.returncode:
        raise AssertionError(f"{words}: {ran.stderr.decode()}{ran.stdout.decode()}")
    return ran.stdout.decode(errors="surrogateescape").strip("\n")


class Workshop:
    """A clone to write in, and the bare repository that it is pushed to.

    Args:
        folder: Where both go.
        name: As `owner/name`.
    """

    def __init__(self, folder: Path, name: str = "smith/anvil") -> None:
        self.name = name
        self.bare = folder / f"{name}.git"
        self.work = folder / "work"
        for place, options in ((self.bare, ["--bare"]), (self.work, [])):
            place.mkdir(parents=True)
            git(place, "init", "-q", *options)
        git(self.bare, "config", "receive.denyDeleteCurrent", "ignore")
        git(self.bare, "config", "uploadpack.allowFilter", "true")
        git(self.bare, "config", "uploadpack.allowAnySHA1InWant", "true")
        self.pulls: dict[int, Any] = {}
        self.events: dict[int, list[dict[str, Any]]] = {}

    def git(self, *words: str, **options: Any) -> str:
        return git(self.work, *words, **options)

    def files(self, files: Mapping[str, str | bytes | None]) -> None:
        """Write files by path; None takes one away."""
        for name, content in files.items():
            path = self.work / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def commit(
        self, message: str = "A change", files: Mapping[str, str | bytes | None] | None = None, **environ: str
    ) -> str:
        """Commit all changes, and return the SHA."""
        self.files(files or {})
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message, **environ)
        return self.git("rev-parse", "HEAD")

    def branch(self, name: str, at: str = "main") -> None:
        self.git("checkout", "-q", "-b", name, at)

    def switch(self, name: str) -> None:
        self.git("checkout", "-q", name)

    def push(self, *refspecs: str) -> None:
        self.git("push", "-q", "--force", str(self.bare), *(refspecs or ["--all"]))

    def pull(self, number: int, branch: str, into: str = "main", **fields: Any) -> str:
        """Open a pull request, and push both ends and its own ref."""
        sha = self.git("rev-parse", branch)
        self.push(*{f"{name}:refs/heads/{name}" for name in (branch, into)})
        self.push(f"{sha}:refs/pull/{number}/head")
        repo = {"full_name": self.name, "archived": False}
        self.pulls[number] = {
            "number": number,
            "title": f"Pull {number}",
            "state": "open",
            "user": {"id": 1, "login": "smith"},
            "created_at": WHEN,
            "updated_at": WHEN,
            "draft": False,
            "mergeable": True,
            "head": {"ref": branch, "sha": sha, "repo": repo},
            "base": {"ref": into, "sha": self.git("rev-parse", into), "repo": repo},
            **fields,
        }
        return f"{self.name}#{number}"


class Served:
    """The server's state: `packs` counts responses with objects, `old` selects git's first protocol.

    `more` has further answers of the API, by the rest of the path behind the repository.

    Args:
        folder: Below which the repositories are.
        shops: Their workshops.
        token: What git must hand in; empty lets everybody in.
    """

    def __init__(self, folder: Path, shops: Sequence[Workshop], token: str = "") -> None:
        self.folder, self.shops, self.token = folder, shops, token
        self.url = ""
        self.asked: list[str] = []
        self.more: dict[str, Any] = {}
        self.reviews: list[dict[str, Any]] = []
        self.packs = 0
        self.old = False
        self.environ = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        self.redirect = ""
        self.authorized: list[str] = []

    def api(self, path: str, query: str = "") -> tuple[int, Any]:
        """Return the API's response to a request: a status and JSON."""
        self.asked.append(path)
        if path.endswith("/version"):
            return (404, {}) if "forgejo" in path else (200, {"version": "1.25.5"})
        for shop in self.shops:
            if (found := re.fullmatch(rf"/api/v1/repos/{re.escape(shop.name)}(/.*)?", path)) is None:
                continue
            return self.of(shop, found[1] or "", query)
        return 404, {"message": "not found"}

    def of(self, shop: Workshop, rest: str, query: str) -> tuple[int, Any]:
        """Return the response to a request below one repository."""
        if rest == "/pulls":
            state = dict(parse_qsl(query)).get("state", "all")
            rows = [shop.pulls[number] for number in sorted(shop.pulls, reverse=True)]
            return 200, [row for row in rows if callable(row) or state in ("all", row["state"])]
        if one := re.fullmatch(r"/issues/(\d+)/timeline", rest):
            return 200, shop.events.get(int(one[1]))
        if re.fullmatch(r"/pulls/\d+/reviews", rest):
            return 200, self.reviews
        if (one := re.fullmatch(r"/pulls/(\d+)", rest)) and int(one[1]) in shop.pulls:
            pull = shop.pulls[int(one[1])]
            return 200, pull(len(self.asked)) if callable(pull) else pull
        home = {"full_name": shop.name, "html_url": f"{self.url}/{shop.name}", "default_branch": "main"}
        fixed = {"": home} | self.more
        return (200, fixed[rest]) if rest in fixed else (404, {"message": "not found"})

    def lets_in(self, headers: Message) -> bool:
        given = headers.get("Authorization", "")
        word = base64.b64decode(given.removeprefix("Basic ")).decode() if given.startswith("Basic ") else ""
        return not self.token or word.partition(":")[2] == self.token


class Handler(BaseHTTPRequestHandler):
    """Answers for `served`, which `serving` sets on a class of its own."""

    served: Served

    disable_nagle_algorithm = True
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if not path.startswith("/api/"):
            return self.backend(path, query)
        status, answer = self.served.api(path, query)
        if isinstance(answer, list) and "page=" in query and "page=1" not in query:
            answer = []
        return self.give(status, [("Content-Type", "application/json")], json.dumps(answer).encode())

    do_POST = do_GET

    def backend(self, path: str, query: str) -> None:
        body, served = self.body(), self.served
        served.authorized.append(self.headers.get("Authorization", ""))
        if served.redirect:
            where = f"{served.redirect}{path.partition('.git')[2]}?{query}"
            return self.give(301, [("Location", where)], b"")
        if not served.lets_in(self.headers):
            return self.give(401, [("WWW-Authenticate", 'Basic realm="git"')], b"")
        command = ["git", "http-backend"]
        environ = served.environ | self.cgi(path, query, body)
        out = subprocess.run(command, input=body, env=environ, capture_output=True).stdout
        head, _, content = out.partition(b"\r\n\r\n")
        served.packs += b"PACK" in content
        pairs = [line.decode().split(": ", 1) for line in head.split(b"\r\n")]
        status = int(dict(pairs).get("Status", "200").split()[0])
        return self.give(status, [pair for pair in pairs if pair[0] != "Status"], content)

    def cgi(self, path: str, query: str, body: bytes) -> dict[str, str]:
        """Return the variables that CGI passes to a program, with git's permission to export all repositories."""
        protocol = "" if self.served.old else self.headers.get("Git-Protocol", "")
        return {
            "GIT_PROJECT_ROOT": str(self.served.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": protocol,
            "REMOTE_ADDR": "127.0.0.1",
        }

    def body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        pieces = []
        while size := int(self.rfile.readline(), 16):
            pieces.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(pieces)

    def give(self, status: int, headers: Iterable[Sequence[str]], content: bytes) -> None:
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(folder: Path, *shops: Workshop, token: str = "", handler: type[Handler] = Handler) -> Iterator[Served]:
    """Serve repositories and their API, and yield the server's state."""
    served = Served(Path(folder), shops, token)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Serving", (handler,), {"served": served}))
    served.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
