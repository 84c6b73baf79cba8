"""A repository without commits, issues or pull requests answers like a missing one: 404 (seen on Gitea 1.27)."""

import pytest
from gitea_loopback import ROOT, serve
from lab import Lab
from loopback import Server, starting
from worlds import open_forge

from stithy_core.spi import IssueRef, NotFound, PullRequestRef, RepositoryRef

pytestmark = pytest.mark.anyio

ANVIL = RepositoryRef("smith", "anvil")
ABSENT = {"errors": None, "message": "not found", "url": "https://forge.example/api/swagger"}
WHOLE = {"full_name": "smith/anvil", "empty": False, "has_issues": True, "has_pull_requests": True}


@pytest.fixture
async def served(unproxied, tmp_path):
    """A server, and a forge that reads it."""
    async with starting() as start:
        server = serve(await start(Server()), "gitea")
        server.answer(f"GET {ROOT}", 200, WHOLE)
        for part in ("pulls", "issues", "issues/9", "pulls/9"):
            server.answer(f"GET {ROOT}/{part}", 404, ABSENT)
        async with open_forge(Lab(server.url, "lab", tmp_path)) as forge:
            yield server, forge


async def test_a_repository_without_commits_has_no_pull_requests(served):
    server, forge = served
    server.answer(f"GET {ROOT}", 200, WHOLE | {"empty": True})
    found = await forge.pull_requests.list(ANVIL)
    assert (found.items, found.total, found.cut) == ((), 0, "")


async def test_a_missing_list_of_a_repository_that_exists_is_an_error(served):
    _, forge = served
    with pytest.raises(NotFound, match="shows this token no pull requests of smith/anvil"):
        await forge.pull_requests.list(ANVIL)


async def test_a_missing_repository_is_named(served):
    server, forge = served
    server.answer(f"GET {ROOT}", 404, ABSENT)
    with pytest.raises(NotFound, match="has no repository smith/anvil, or the token may not see it"):
        await forge.pull_requests.list(ANVIL)


@pytest.mark.parametrize("is_empty", [True, False])
async def test_pull_requests_that_are_turned_off_are_named(served, is_empty):
    server, forge = served
    server.answer(f"GET {ROOT}", 200, WHOLE | {"has_pull_requests": False, "empty": is_empty})
    for read in (forge.pull_requests.list(ANVIL), forge.pull_requests.get(PullRequestRef(ANVIL, 9))):
        with pytest.raises(NotFound, match="smith/anvil has no pull requests: they are turned off"):
            await read


async def test_issues_that_are_turned_off_are_named(served):
    server, forge = served
    server.answer(f"GET {ROOT}", 200, WHOLE | {"has_issues": False})
    for read in (forge.issues.list(ANVIL), forge.issues.get(IssueRef(ANVIL, 9))):
        with pytest.raises(NotFound, match="smith/anvil has no issues: they are turned off"):
            await read
