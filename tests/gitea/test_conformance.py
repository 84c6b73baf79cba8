"""Gitea and Forgejo, held to what every forge is held to: on recordings of real servers and on live ones."""

import os
import re

import httpx
import pytest
from gitea_world import ARCHIVE, FORMER, NAME, World
from lab import LIVE, record_calls, tape_of
from worlds import open_forge

from stithy_core.spi import IssueRef, PullRequestRef, RepositoryRef
from stithy_testing import playback
from stithy_testing.conformance import ForgeConformance, Stage

RECORDED = ["gitea-1.25", "gitea-1.26", "gitea-1.27"]
NATIVE = ["gitea-1.27"]
WRITES = re.compile("create|edit|reply|resolve|write|takes|turns-out")
SAME_REQUESTS = {
    "artifacts-of-a-run": "artifact-of-a-run",
    "checks-of-a-pull-request": "checks-each-once",
    "thread-by-any-id": "threads-keep-their-names",
    "thread-that-is-missing": "reply-to-nothing",
    "retarget-to-the-same-base": "pull-request-has-two-ends",
    "update-of-another-head-is-refused": "pull-request-has-two-ends",
    "rules-for-a-pull-request": "rules-of-a-protected-branch",
}
"""Tests that send the requests of another test: they play its recording."""
TOKEN = "not-a-token-but-as-long-as-one-is-012345"


@pytest.fixture(scope="module")
def worlds():
    """The worlds that were made on live servers: making one takes seconds, so tests that only read share one."""
    made = {}
    yield made
    for world in made.values():
        world.delete()


@pytest.fixture(params=[*RECORDED, *(pytest.param(name, marks=pytest.mark.live) for name in LIVE)])
def lab(request, tmp_path, worlds):
    """The suite's world, recorded or live."""
    test = re.sub(r"\[.*", "", request.node.name).removeprefix("test_").replace("_", "-")
    if request.param not in RECORDED:
        yield from live(request.param, tmp_path, test, worlds)
        return
    tape = tape_of(request.param, f"conformance-{SAME_REQUESTS.get(test, test)}")
    with playback(tape) as url:
        world = World(url, NAME, tmp_path, token=TOKEN)
        world.native_replies = request.param in NATIVE
        yield world
    assert not tape.missed


def live(server, folder, test, worlds):
    """Return the world on a live server; it is rebuilt after a test that may have changed it."""
    if server not in worlds:
        url, token = (os.environ[f"STITHY_LIVE_{server}_{word}"] for word in ("URL", "TOKEN"))
        me = httpx.get(f"{url}/api/v1/user", headers={"Authorization": f"token {token}"}, timeout=60).raise_for_status()
        worlds[server] = World(url.rstrip("/"), NAME, folder, token=token, owner=me.json()["login"], live=True)
        worlds[server].make()
    world = worlds[server]
    world.folder = folder
    with record_calls(world, f"conformance-{test}"):
        yield world
    if WRITES.search(test):
        del worlds[server]


class TestGitea(ForgeConformance):
    """The suite."""

    @pytest.fixture
    async def stage(self, lab):
        repository = RepositoryRef(lab.owner, NAME)
        async with open_forge(lab) as forge:
            yield Stage(
                forge=forge,
                author=lab.owner,
                repository=repository,
                issue=IssueRef(repository, 1),
                pr=PullRequestRef(repository, 2),
                merged=PullRequestRef(repository, 3),
                draft=PullRequestRef(repository, 4),
                closed=IssueRef(repository, 5),
                absent=RepositoryRef(lab.owner, "nothing"),
                former=RepositoryRef(lab.owner, FORMER),
                archived=IssueRef(RepositoryRef(lab.owner, ARCHIVE), 1),
                native_replies=lab.native_replies,
                token=lab.token,
            )
