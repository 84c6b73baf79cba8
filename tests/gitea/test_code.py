"""What a pull request changes, on real servers: its files, their patches, its commits, and two branches compared."""

import base64

import pytest
from lab import READER
from worlds import open_forge, pull_request_of, repository_of

from stithy_core.spi import NotFound, PullRequestRef, RepositoryRef, Unknown
from stithy_gitea.changes import TOO_LARGE

pytestmark = pytest.mark.anyio

WORLD = "code"
ODD = 'naïve "name".txt'
FILES = [
    ("empty.txt", "added", ""),
    ("evil.txt", "added", ""),
    ("logo.bin", "modified", ""),
    ("more.txt", "added", ""),
    ("moved.txt", "renamed", "move.txt"),
    (ODD, "added", ""),
    ("old.txt", "deleted", ""),
    ("with space.txt", "modified", ""),
]
EVIL = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"


def change(lab, message, branch, *files, new=""):
    """Commit; a file is an operation, a path, and its content or for a move its old path."""
    rows = [row_of(lab, branch, *file) for file in files]
    body = {"branch": branch, "message": message, "files": rows} | ({"new_branch": new} if new else {})
    lab.setup("POST", f"/repos/{lab.repository}/contents", body)


def row_of(lab, branch, operation, path, said):
    if operation == "create":
        return {"operation": operation, "path": path, "content": base64.b64encode(said.encode("latin-1")).decode()}
    old = said if operation == "move" else path
    found = lab.setup("GET", f"/repos/{lab.repository}/contents/{old}?ref={branch}").json()
    row = {"operation": operation, "path": path, "sha": found["sha"]}
    if operation == "move":
        return row | {"operation": "update", "from_path": old, "content": found["content"]}
    return row | {"content": base64.b64encode(said.encode("latin-1")).decode()}


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
    lab.setup("POST", f"/repos/{lab.repository}/forks?sudo={READER}", {})


class TestPatches:
    """The patches of one pull request."""

    async def test_patches_are_cut_from_the_diff(self, world):
        async with open_forge(world) as forge:
            found = {file.path: file for file in await forge.changes.files(pull_request_of(world), patches=True)}
        assert found["with space.txt"].patch.endswith("\n-with space.txt\n+last")
        assert found[ODD].patch == "@@ -0,0 +1 @@\n+1"
        assert found["moved.txt"].patch == found["empty.txt"].patch == ""
        assert found["more.txt"].patch == "@@ -0,0 +1 @@\n+caf\N{REPLACEMENT CHARACTER}"

    async def test_a_diff_that_is_too_large_leaves_the_rest_unknown(self, world, monkeypatch):
        monkeypatch.setattr("stithy_gitea.changes.MOST_DIFF", 600)
        async with open_forge(world) as forge:
            found = {file.path: file for file in await forge.changes.files(pull_request_of(world), patches=True)}
        assert found["with space.txt"].patch == TOO_LARGE
        assert len(found) == len(FILES)

    async def test_a_diff_inside_a_file_is_no_file(self, world):
        async with open_forge(world) as forge:
            found = {file.path: file for file in await forge.changes.files(pull_request_of(world), patches=True)}
        assert "x" not in found
        assert found["evil.txt"].patch.split("\n")[1:] == [f"+{line}" for line in EVIL.splitlines()]

    async def test_a_binary_file_has_no_patch_and_says_so(self, world):
        async with open_forge(world) as forge:
            found = {file.path: file for file in await forge.changes.files(pull_request_of(world), patches=True)}
        assert found["logo.bin"].patch == Unknown("the file is binary", "Read the file itself.")
        assert found["logo.bin"].status == "modified", "the server says unchanged"


async def test_a_repository_says_how_it_is_merged_into(world):
    async with open_forge(world) as forge:
        found = await forge.changes.repository(repository_of(world))
    assert (found.ref, found.default_branch, found.writable, found.archived) == (
        repository_of(world),
        "main",
        True,
        False,
    )
    assert found.merge_methods == ("merge", "squash", "rebase", "rebase-merge", "fast-forward-only")


async def test_files_come_by_path_with_a_true_total(world):
    async with open_forge(world) as forge:
        found = await forge.changes.files(pull_request_of(world))
    assert [(file.path, file.status, file.previous_path) for file in found] == FILES
    assert (found.total, found.cut, {file.patch for file in found}) == (len(FILES), "", {None})


async def test_the_diff_comes_in_bytes_as_git_wrote_it(world):
    async with open_forge(world) as forge:
        diff = b"".join([piece async for piece in forge.changes.diff(pull_request_of(world))])
    assert b"\n+caf\xe9\n" in diff
    assert diff.count(b"\ndiff --git ") == len(FILES) - 1


async def test_commits_come_oldest_first(world):
    async with open_forge(world) as forge:
        found = await forge.changes.commits(pull_request_of(world))
    assert [commit.message for commit in found] == ["Change all", "Add more"]
    assert found[1].parents == (found[0].sha,)
    assert (found[0].author.login, found[0].verified, found.total) == (world.owner, False, 2)


async def test_a_comparison_counts_both_sides_and_finds_where_they_parted(world):
    async with open_forge(world) as forge:
        found = await forge.changes.compare(repository_of(world), "main", "feature/x")
        back = await forge.changes.compare(repository_of(world), "feature/x", "main")
    assert (found.ahead, found.behind, back.ahead, back.behind) == (2, 1, 1, 2)
    assert [commit.message for commit in found.commits] == ["Change all", "Add more"]
    assert found.merge_base == back.merge_base == found.commits[0].parents[0]
    assert isinstance(found.files, Unknown)


async def test_a_branch_compared_with_a_commit_in_it_is_only_ahead(world):
    async with open_forge(world) as forge:
        base = (await forge.changes.commits(pull_request_of(world)))[0].sha
        found = await forge.changes.compare(repository_of(world), base, "feature/x")
    assert (found.ahead, found.behind, found.merge_base) == (1, 0, base)


async def test_a_branch_of_a_fork_is_compared_from_both_sides(world):
    fork = f"{READER}:feature/x"
    async with open_forge(world) as forge:
        found = await forge.changes.compare(repository_of(world), "main", fork)
    assert (found.ahead, found.behind) == (2, 1)


async def test_what_is_absent_is_named(world):
    repository, absent = repository_of(world), RepositoryRef(world.owner, "no-such")
    async with open_forge(world) as forge:
        for said, ask in (
            ("has no pull request 404", forge.changes.files(pull_request_of(world, 404))),
            ("is an issue, not a pull request", forge.changes.commits(pull_request_of(world, 2))),
            ("has no repository", forge.changes.files(PullRequestRef(absent, 1))),
            ("has no branch or commit main or", forge.changes.compare(repository, "main", f"{world.owner}:gone")),
        ):
            with pytest.raises(NotFound, match=said):
                await ask
        with pytest.raises(NotFound, match="is an issue, not a pull request"):
            await anext(forge.changes.diff(pull_request_of(world, 2)))
