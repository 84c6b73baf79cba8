"""Merge readiness through the tool: never ready while something is open, and who may merge."""

import pytest
from gitlab_double.gitlab_server import NAME
from gitlab_double.gitlab_world import BOB_TOKEN, SMITH_TOKEN

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio
_WORDS = """
    approvals_syncing blocked_status ci_must_pass ci_still_running discussions_not_resolved external_status_checks
    jira_association_missing locked_lfs_files locked_paths merge_request_blocked merge_time need_rebase not_approved
    policies_denied requested_changes security_policy_violations status_checks_must_pass title_regex preparing
    checking unchecked draft_status commits_status conflict broken_status not_open a_word_of_tomorrow
"""
WORDS = _WORDS.split()


@pytest.fixture
def merge(server):
    home = server.world.add_project(NAME)
    return server.world.add_merge_request(home, "Greet", "greet")


async def read_verdicts(server, folder, merge, changes, token=SMITH_TOKEN):
    """Return the verdict of the tool after each change of the merge request."""
    settings = f'[forges.work]\nkind = "gitlab"\nurl = "{server.url}"\ntoken = {{ env = "TOKEN" }}\n'
    found = []
    async with connect(make_app(folder, settings, environ={"TOKEN": token})) as client:
        for change in changes:
            merge |= change
            page = f"{server.url}/{NAME}/-/merge_requests/1"
            result = await client.call_tool("check_merge_readiness", {"pr": page})
            assert not result.is_error, result.content[0].text
            found.append(result.structured_content["verdict"])
    return found


async def test_a_merge_request_that_nothing_blocks_is_ready(server, tmp_path, merge):
    assert await read_verdicts(server, tmp_path, merge, [{}]) == ["ready"]


async def test_no_word_but_mergeable_is_ready(server, tmp_path, merge):
    """Also where everything else that the API reports would allow the merge."""
    found = await read_verdicts(server, tmp_path, merge, [{"detailed_merge_status": word} for word in WORDS])
    assert {word: verdict for word, verdict in zip(WORDS, found, strict=True) if verdict == "ready"} == {}


async def test_nobody_below_a_developer_may_merge(server, tmp_path, merge):
    server.world.projects[NAME].access["bob"] = 20
    assert await read_verdicts(server, tmp_path, merge, [{}], BOB_TOKEN) == ["blocked"]
