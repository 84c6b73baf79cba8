"""`mergeable` of Gitea and Forgejo is taken apart by git: false is said of what is still checked, true of renames."""

import pytest
from conflict_cases import LINES, content, play, rename_rename

from stithy_testing import connect

pytestmark = pytest.mark.anyio

FREE = {"protected": False, "user_can_merge": True, "name": "main"}


@pytest.fixture
def asked(app_of, read, served):
    """Check a pull request of the server, on which nothing else stands before a merge."""

    async def ask(pr, settings=""):
        served.more |= {"/pulls/1/reviews": [], "/branches/main": FREE, "/issues/1/dependencies": []}
        async with connect(app_of(served, settings)) as client:
            return read(await client.call_tool("check_merge_readiness", {"pr": pr}))

    return ask


def clean(shop, **fields):
    """Open a pull request that conflicts with nothing."""
    shop.commit("Begin", {"f": LINES})
    shop.branch("work")
    shop.commit("Work", {"new": LINES})
    return shop.pull(1, "work", **fields)


async def test_a_pull_request_without_conflicts_is_ready(shop, asked):
    answer = await asked(clean(shop))
    assert (answer.ready, answer.categories) == (True, [])


async def test_gits_merge_replaces_the_servers_pending_check(shop, asked):
    answer = await asked(clean(shop, mergeable=False))
    assert (answer.ready, answer.told["checks"]["no_conflicts"]) == (True, True)


async def test_work_in_progress_is_blocked_by_draft_alone(shop, asked):
    answer = await asked(clean(shop, mergeable=False, draft=True, title="WIP: Work"))
    assert answer.categories == ["draft"]


@pytest.mark.parametrize(("case", "said"), [(content, False), (rename_rename, True)])
async def test_a_conflict_is_found_whatever_the_server_says(shop, served, asked, case, said):
    pr = play(shop, case)
    shop.pulls[1]["mergeable"] = said
    answer = await asked(pr)
    assert (answer.ready, answer.categories) == (False, ["conflicts"])
    assert f'detect_merge_conflicts(pr="{pr}")' in answer.blocker("conflicts")["action_required"]


async def test_without_git_the_servers_mergeable_is_no_proof(shop, asked):
    answer = await asked(clean(shop), '[pulls]\ngit = ""\n')
    assert (answer.ready, answer.categories) == (False, [])
    assert "Gitea does not notice conflicts between renames" in answer.unproven
    assert "git is disabled in the settings" in answer.unproven
