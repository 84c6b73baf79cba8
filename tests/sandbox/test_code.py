"""Commits of the sandbox, held against real git, and what follows from them."""

import subprocess

import pytest

from stithy_core.spi import Conflict, NotFound, PullRequestRef, RepositoryRef
from stithy_sandbox.world import World

pytestmark = pytest.mark.anyio

TREE = {
    "a.txt": "".join(f"line {number}\n" for number in range(30)),
    "folder/b.txt": "one\ntwo\nthree\nfour\n",
    "c.txt": "no end of line",
    "gone.txt": "gone\n",
    "same.txt": "same\n",
}
CHANGES = {
    "a.txt": TREE["a.txt"].replace("line 3\n", "").replace("line 25\n", "line 25\n-- more\n++ and more\n"),
    "folder/b.txt": None,
    "folder/moved.txt": "one\ntwo\nthree\nfive\n",
    "c.txt": "still no end\u2028 of line\r",
    "gone.txt": None,
    "came.txt": "ü\n",
    "empty.txt": "",
}


@pytest.fixture
def anvil(world):
    return world.add_repository("smith/anvil", tree=TREE)


@pytest.fixture
def change(world, anvil):
    """A pull request that does all that may be done to a file."""
    world.add_branch(anvil, "change")
    world.add_commit(anvil, "change", "Change", CHANGES)
    return world.add_pull_request(anvil, "Change", branch="change")


async def test_git_applies_the_diff(forge, world, change, tmp_path):
    for path, text in TREE.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(text.encode())
    diff = b"".join([piece async for piece in forge.changes.diff(change)])
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    subprocess.run(["git", "apply", "--verbose"], cwd=tmp_path, input=diff, check=True, capture_output=True)
    files = [path for path in tmp_path.rglob("*") if path.is_file() and ".git" not in path.parts]
    found = {str(path.relative_to(tmp_path)): path.read_bytes().decode() for path in files}
    assert found == dict(world.commit(change.repository, "change").tree)


async def test_files_are_counted_as_git_counts(forge, change):
    files = await forge.changes.files(change)
    assert [(file.path, file.status, file.additions, file.deletions) for file in files] == [
        ("a.txt", "modified", 2, 1),
        ("c.txt", "modified", 1, 1),
        ("came.txt", "added", 1, 0),
        ("empty.txt", "added", 0, 0),
        ("folder/moved.txt", "renamed", 1, 1),
        ("gone.txt", "deleted", 0, 1),
    ]


async def test_a_push_moves_the_head(forge, world, change):
    before = await forge.pull_requests.get(change)
    sha = world.add_commit(change.repository, "change", "More", {"more.txt": "more\n"})
    after = await forge.pull_requests.get(change)
    assert (after.head.commit, after.changed_files) == (sha, before.changed_files + 1)


async def test_a_merged_pull_request_keeps_its_changes(forge, world, change):
    before = await forge.changes.files(change, patches=True)
    world.merge(change)
    world.add_commit(change.repository, "main", "Go on", {"a.txt": "short\n"})
    assert list(await forge.changes.files(change, patches=True)) == list(before)
    assert world.commit(change.repository, "main").tree["came.txt"] == "ü\n"


async def test_both_sides_changed_a_file(forge, world, change):
    """It has conflicts, and cannot be merged."""
    world.add_commit(change.repository, "main", "Shorten", {"a.txt": "short\n"})
    assert (await forge.pull_requests.get(change)).mergeable is False
    with pytest.raises(Conflict, match=r"smith/anvil#1 conflicts in a\.txt"):
        world.merge(change)


async def test_a_fork_has_branches_of_its_own(forge, world, anvil):
    fork = world.add_repository("striker/anvil", of=anvil)
    world.add_branch(fork, "mine")
    world.add_commit(fork, "mine", "Mine", {"mine.txt": "mine\n"})
    pull = await forge.pull_requests.get(world.add_pull_request(anvil, "Mine", branch="mine", fork=fork))
    assert (pull.from_fork, pull.head.repository, pull.changed_files) == (True, fork, 1)
    assert [one.ref for one in await forge.pull_requests.list(anvil, head="striker:mine")] == [pull.ref]
    assert (await forge.changes.compare(anvil, "main", "striker:mine")).ahead == 1
    with pytest.raises(NotFound, match="no branch or commit mine"):
        await forge.changes.compare(anvil, "main", "mine")


async def test_one_with_the_same_tree_is_no_fork(forge, world, anvil):
    """Only what shares its commits is related."""
    world.add_repository("striker/anvil")
    with pytest.raises(NotFound, match="no branch or commit striker:main"):
        await forge.changes.compare(anvil, "main", "striker:main")


def test_the_same_world_has_the_same_commits():
    worlds = [World(), World()]
    refs = [world.add_repository("smith/anvil") for world in worlds]
    one, other = [world.commit(ref, "main").sha for world, ref in zip(worlds, refs, strict=True)]
    assert one == other


async def test_a_pull_request_without_a_branch_gets_one(forge, world, anvil):
    """So that a test may leave out the code."""
    first, second = [world.add_pull_request(anvil, title) for title in ("One", "Two")]
    heads = [(await forge.pull_requests.get(pr)).head for pr in (first, second)]
    assert [head.branch for head in heads] == ["work-1", "work-2"]
    assert len({head.commit for head in heads}) == 2
    assert first == PullRequestRef(RepositoryRef("smith", "anvil"), 1)


async def test_the_files_of_a_commit_are_listed(forge, anvil, change):
    assert tuple(await forge.changes.tree(anvil, "main")) == tuple(sorted(TREE))
    assert "came.txt" in await forge.changes.tree(anvil, "change")
