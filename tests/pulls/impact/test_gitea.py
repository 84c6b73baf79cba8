"""A Gitea: its code owners are regular expressions of the default branch, and all lines count."""

import pytest

from stithy_testing import connect

pytestmark = pytest.mark.anyio

OWNERS = "docs/.*\\\\.md @ada\n.* @smith/all @bob\n"


async def impact_of(app, pr):
    async with connect(app) as client:
        result = await client.call_tool("analyze_pr_impact", {"pr": pr})
    assert not result.is_error, result.content[0].text
    return result.structured_content


async def test_code_owners_are_those_of_the_default_branch_and_add_up(shop, served, app_of):
    """The branch that it goes into says otherwise."""
    shop.commit("Begin", {"docs/a.md": "a\n", "docs/CODEOWNERS": OWNERS})
    shop.branch("release")
    shop.commit("Other owners", {"docs/CODEOWNERS": ".* @eve\n"})
    shop.branch("work", at="release")
    shop.commit("Change", {"docs/a.md": "b\n"})
    shop.push("main:refs/heads/main")
    found = await impact_of(app_of(served), shop.pull(1, "work", into="release"))
    assert found["impact_areas"][0]["owners"] == ["ada", "smith/all", "bob"]


async def test_owners_whose_activity_nobody_knows_are_kept_and_that_is_said(shop, served, app_of):
    """This server answers neither for commits nor for comparisons, so who the authors are is not known."""
    shop.commit("Begin", {"docs/a.md": "a\n", "CODEOWNERS": OWNERS})
    shop.branch("work")
    shop.commit("Change", {"docs/a.md": "b\n"})
    found = await impact_of(app_of(served), shop.pull(1, "work"))
    reasons = {row["username"]: row["reason"] for row in found["suggested_reviewers"]}
    assert set(reasons) == {"ada", "bob"}
    assert [row["username"] for row in found["suggested_teams"]] == ["smith/all"]
    assert "last activity unknown" in reasons["ada"]
    assert any(row["field"] == "changes.commits" for row in found["unknown"])
