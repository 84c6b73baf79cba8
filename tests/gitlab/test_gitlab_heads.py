"""The head of a merge request in git: GitLab deletes its ref 14 days after the merge or the closing, from 16.6 on."""

from datetime import UTC, datetime, timedelta

import pytest
from git_forge import git
from gitlab_double.gitlab_server import NAME
from gitlab_double.gitlab_world import SMITH_TOKEN

from stithy_core.spi import RepositoryRef
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio
REF = "refs/merge-requests/1/head"


@pytest.fixture
def merge(server):
    """A merge request; once it has ended, its branch does not exist any more."""
    home = server.world.add_project(NAME)
    return server.world.add_merge_request(home, "Greet", "greet")


def end(merge, days, word="closed"):
    at = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    merge |= {"state": word, "source_branch": "gone", "closed_at" if word == "closed" else "merged_at": at}


@pytest.mark.parametrize("word", ["closed", "merged"])
@pytest.mark.parametrize(("days", "ref"), [(13, REF), (15, None)])
async def test_the_ref_of_a_head_is_named_for_14_days(forge, merge, days, ref, word):
    end(merge, days, word)
    pull = await forge.pull_requests.get(forge.names.create_pull_request_ref(RepositoryRef("smith/tools", "anvil"), 1))
    assert forge.head_ref(pull) == ref


async def test_the_ref_of_an_open_merge_request_is_named(forge, merge):
    pull = await forge.pull_requests.get(forge.names.create_pull_request_ref(RepositoryRef("smith/tools", "anvil"), 1))
    assert forge.head_ref(pull) == REF


@pytest.mark.parametrize("days", [1, 20])
async def test_conflicts_of_a_closed_merge_request_are_found_also_when_its_ref_is_gone(server, tmp_path, merge, days):
    end(merge, days)
    bare = server.world.projects[NAME].bare
    if days > 14:
        git(bare, "update-ref", "-d", REF)
    settings = f'[forges.work]\nkind = "gitlab"\nurl = "{server.url}"\ntoken = {{ env = "TOKEN" }}\n'
    try:
        async with connect(make_app(tmp_path, settings, environ={"TOKEN": SMITH_TOKEN})) as client:
            result = await client.call_tool("detect_merge_conflicts", {"pr": f"{NAME}!1"})
        assert not result.is_error, result.content[0].text
        found = result.structured_content
        assert (found["found_by"], found["head_commit"]) == ("git", merge["sha"])
    finally:
        git(bare, "update-ref", REF, merge["sha"])  # the history is that of all tests
