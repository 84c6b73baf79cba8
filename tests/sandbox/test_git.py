"""A sandbox's repositories, read with git."""

import subprocess

import pytest

from stithy_core.spi import RepositoryRef

pytestmark = pytest.mark.anyio

TREE = {"a.txt": "a\n", "folder/b.txt": "b\n", "folder-c": "sorted behind its slash\n", "ü": "ü\n"}


def git(url, *words):
    return subprocess.run(
        ["git", "-C", url.removeprefix("file://"), *words], check=True, capture_output=True
    ).stdout.decode()


@pytest.fixture
async def read(forge, world):
    """Read `smith/anvil` with git, as it is now."""
    world.add_repository("smith/anvil", tree=TREE)

    async def read(*words):
        return git((await forge.changes.git(RepositoryRef("smith", "anvil"))).url, *words)

    return read


async def test_git_finds_nothing_wrong(read):
    assert read is not None
    assert await read("fsck", "--full", "--strict") == ""


async def test_the_shas_are_gits_own(forge, world, read):
    sha = world.add_commit(RepositoryRef("smith", "anvil"), "main", "More\n\nof it", {"a.txt": "A\n"})
    assert (await read("rev-parse", "main")).strip() == sha
    assert await read("log", "-1", "--format=%an %s", "main") == "apprentice More\n"
    assert await read("show", "main:folder/b.txt") == "b\n"


async def test_a_pull_request_has_a_ref_of_its_own(world, read):
    """Also one from a fork."""
    anvil = RepositoryRef("smith", "anvil")
    fork = world.add_repository("striker/anvil", of=anvil)
    sha = world.add_commit(fork, "main", "Mine", {"mine.txt": "mine\n"})
    pr = world.add_pull_request(anvil, "Mine", branch="main", fork=fork)
    assert (await read("rev-parse", f"refs/pull/{pr.number}/head")).strip() == sha
    assert (await read("rev-parse", "main")).strip() != sha
