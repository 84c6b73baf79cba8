"""What a pull request changes, on real servers: its files, their patches, its commits, and two branches compared."""

import base64

import pytest
from worlds import forge_of, pull_request_of, repository_of

from stithy_core.spi import NotFound, PullRequestRef, RepositoryRef, Unknown

pytestmark = pytest.mark.anyio

WORLD = "code"
ODD = 'naïve "name".txt'
EVIL = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"


def change(lab, message, branch, *files, new=""):
    """Commit; a file is an operation, a path, and its content or for a move its old path."""
    rows = []
    for operation, path, said in files:
        row = {"operation": operation, "path": path}
        if operation != "create":
            old = said if operation == "move" else path
            found = lab.setup("GET", f"/repos/{lab.repository}/contents/{old}?ref={branch}").json()
            row |= {"sha": found["sha"]} | ({"from_path": old, "operation": "update"} if operation == "move" else {})
            said = found["content"] if operation == "move" else said
        if operation != "delete":
            row["content"] = said if operation == "move" else base64.b64encode(said.encode("latin-1")).decode()
        rows.append(row)
    body = {"branch": branch, "message": message, "files": rows} | ({"new_branch": new} if new else {})
    lab.setup("POST", f"/repos/{lab.repository}/contents", body)


def make(lab):
    before = [("create", name, f"{name}\n" * 5) for name in ("move.txt", "old.txt", "with space.txt")]
    change(lab, "Begin", "main", *before, ("create", "logo.bin", "\x00\x01\x02"))
    change(
        lab,
        "Change all",
        "main",
        ("create", "evil.txt", EVIL),
        ("create", ODD, "1\n"),
        ("create", "empty.txt", ""),
        ("update", "with space.txt", "with space.txt\n" * 4 + "last\n"),
        ("update", "logo.bin", "\x00\x03"),
        ("delete", "old.txt", ""),
        ("move", "moved.txt", "move.txt"),
        new="feature/x",
    )
    change(lab, "Add more", "feature/x", ("create", "more.txt", "caf\xe9\n"))
    change(lab, "Go on", "main", ("create", "on.txt", "on\n"))
    pull = {"title": "Change all", "head": "feature/x", "base": "main"}
    lab.setup("POST", f"/repos/{lab.repository}/pulls", pull)
    lab.setup("POST", f"/repos/{lab.repository}/issues", {"title": "An issue"})


async def test_x(world):
    async with forge_of(world) as forge:
        r, pr = repository_of(world), pull_request_of(world)
        print(await forge.changes.repository(r))
        for f in await forge.changes.files(pr, patches=True): print(f)
        print(b"".join([p async for p in forge.changes.diff(pr)]).decode(errors="replace"))
        for c in await forge.changes.commits(pr): print(c)
        print(await forge.changes.compare(r, "main", "feature/x"))
    assert 0
