"""A forge on the loopback that is as much of a Gitea as conflicts need, over real repositories that real git serves.

Its API tells of pull requests; `/<owner>/<name>.git` is answered by `git http-backend`, behind a token if need be.
"""

import copy
import functools
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import parse_qsl

from git_server import GitHandler, GitServed, serving_git

AUTHOR = {
    **{
        f"GIT_{role}_{what}": word
        for role in ("AUTHOR", "COMMITTER")
        for what, word in (("NAME", "smith"), ("EMAIL", "smith@forge.invalid"))
    },
    "GIT_CONFIG_GLOBAL": str(Path(__file__).with_name("gitconfig")),
    "GIT_CONFIG_NOSYSTEM": "1",
    "LC_ALL": "C",
}
TOKEN = "f0e1d2c3b4a5968778695a4b3c2d1e0f12345678"
WHEN = "2026-01-05T10:00:00Z"


def git(folder: Path, *words: str, given: bytes | None = None, check: bool = True, **environ: str) -> str:
    """Run git in a folder, and return its output."""
    command = ["git", "-C", str(folder), *words]
    env = {**os.environ, **AUTHOR, **environ}
    ran = subprocess.run(command, env=env, input=given, capture_output=True, check=False)
    if check and ran.returncode:
        raise AssertionError(f"{words}: {ran.stderr.decode()}{ran.stdout.decode()}")
    return ran.stdout.decode(errors="surrogateescape").strip("\n")


@functools.cache
def create_empty() -> TemporaryDirectory[str]:
    """Create an empty clone and its bare repository: copying them takes a tenth of the time."""
    folder = TemporaryDirectory(prefix="workshop-")
    for name, options in (("bare", ["--bare"]), ("work", [])):
        place = Path(folder.name, name)
        place.mkdir()
        git(place, "init", "-q", *options)
    bare = Path(folder.name, "bare")
    git(bare, "config", "receive.denyDeleteCurrent", "ignore")
    git(bare, "config", "uploadpack.allowFilter", "true")
    git(bare, "config", "uploadpack.allowAnySHA1InWant", "true")
    return folder


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
        self.pulls: dict[int, Any] = {}
        self.events: dict[int, list[dict[str, Any]]] = {}
        empty = Path(create_empty().name)
        self._copy_folders(empty / "bare", empty / "work")

    def load(self, other: "Workshop") -> None:
        """Replace everything by a copy of another workshop: creating a history takes a process for each step."""
        self._copy_folders(other.bare, other.work)
        self.pulls, self.events = copy.deepcopy((other.pulls, other.events))

    def _copy_folders(self, bare: Path, work: Path) -> None:
        for source, target in ((bare, self.bare), (work, self.work)):
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(source, target, symlinks=True)

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
        head = (self.work / ".git/HEAD").read_text().strip()  # what `git rev-parse HEAD` prints, without a process
        ref = head.removeprefix("ref: ")
        return head if ref == head else (self.work / ".git" / ref).read_text().strip()

    def branch(self, name: str, at: str = "main") -> None:
        self.git("checkout", "-q", "-b", name, at)

    def switch(self, name: str) -> None:
        self.git("checkout", "-q", name)

    def push(self, *refspecs: str) -> None:
        if not self._push_directly(refspecs):
            self.git("push", "-q", "--force", str(self.bare), *(refspecs or ["--all"]))

    def _push_directly(self, refspecs: Sequence[str]) -> bool:
        """Do what a push does to the bare repository, in one or two processes instead of six; return whether it could.

        Only for refspecs with both sides, and while all objects are in files of their own.
        """
        pairs = [one.split(":") for one in refspecs if re.fullmatch(r"[^:+*-][^:*]*:refs/[^:*]+", one)]
        if not pairs or len(pairs) != len(refspecs):
            return False
        shas = [source for source, _ in pairs]
        if not all(re.fullmatch(r"[0-9a-f]{40}", sha) for sha in shas):
            shas = self.git("rev-parse", *shas).split()
        objects = self.git("rev-list", "--objects", "--no-object-names", *shas).split()
        own, stored = self.work / ".git/objects", self.bare / "objects"
        missing = [name for name in (f"{one[:2]}/{one[2:]}" for one in objects) if not (stored / name).exists()]
        if not all((own / name).exists() for name in missing):
            return False
        for name in missing:
            (stored / name).parent.mkdir(exist_ok=True)
            os.link(own / name, stored / name)
        for (_, ref), sha in zip(pairs, shas, strict=True):
            (self.bare / ref).parent.mkdir(parents=True, exist_ok=True)
            (self.bare / ref).write_text(f"{sha}\n")
        return True

    def pull(self, number: int, branch: str, into: str = "main", **fields: Any) -> str:
        """Open a pull request, and push both ends and its own ref."""
        sha, base = self.git("rev-parse", branch, into).split()
        refs = {f"refs/heads/{branch}": sha, f"refs/heads/{into}": base, f"refs/pull/{number}/head": sha}
        self.push(*(f"{commit}:{ref}" for ref, commit in refs.items()))
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
            "base": {"ref": into, "sha": base, "repo": repo},
            **fields,
        }
        return f"{self.name}#{number}"


class Served(GitServed):
    """The server's state. `more` has further answers of the API, by the rest of the path behind the repository.

    Args:
        folder: Below which the repositories are.
        shops: Their workshops.
        token: What git must hand in; empty lets everybody in.
    """

    def __init__(self, folder: Path, shops: Sequence[Workshop], token: str = "") -> None:
        super().__init__(folder, token)
        self.shops = shops
        self.asked: list[str] = []
        self.more: dict[str, Any] = {}
        self.reviews: list[dict[str, Any]] = []

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


class Handler(GitHandler):
    """Answers for `served`, which `serving` sets on a class of its own."""

    served: Served

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if not path.startswith("/api/"):
            return self.backend(path, query)
        status, answer = self.served.api(path, query)
        if isinstance(answer, list) and "page=" in query and "page=1" not in query:
            answer = []
        return self.give(status, [("Content-Type", "application/json")], json.dumps(answer).encode())

    do_POST = do_GET


@contextmanager
def serving(folder: Path, *shops: Workshop, token: str = "", handler: type[Handler] = Handler) -> Iterator[Served]:
    """Serve repositories and their API, and yield the server's state."""
    served = Served(Path(folder), shops, token)
    with serving_git(served, handler):
        yield served
