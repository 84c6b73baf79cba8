"""What branches demand, on real servers, as an administrator of the repository and as a reader."""

import pytest
from worlds import open_forge, repository_of

from stithy_core.spi import BranchRules, NotFound, RepositoryRef, Unknown
from stithy_gitea.rules import to_rules

pytestmark = pytest.mark.anyio

WORLD = "rules"


def make(lab):
    for branch in ("release/1", "free"):
        lab.setup("POST", f"/repos/{lab.repository}/branches", {"new_branch_name": branch, "old_branch_name": "main"})
    strict = {"required_approvals": 2, "enable_status_check": True, "status_check_contexts": ["tests / *", "build"]}
    strict |= {"block_on_outdated_branch": True, "dismiss_stale_approvals": True, "block_on_rejected_reviews": True}
    strict |= {"rule_name": "main", "block_admin_merge_override": True, "apply_to_admins": True}
    lab.setup("POST", f"/repos/{lab.repository}/branch_protections", strict)
    glob = {"rule_name": "release/**", "enable_status_check": True, "require_signed_commits": True}
    lab.setup("POST", f"/repos/{lab.repository}/branch_protections", glob)


async def rules_of(world, branch, token=None):
    async with open_forge(world, token=token) as forge:
        return await forge.rules.get(repository_of(world), branch)


async def test_an_administrator_sees_the_whole_rule(world):
    found = await rules_of(world, "main")
    assert (found.protected, found.required_approvals, found.sources) == (True, 2, ("branch protection main",))
    assert (found.required_checks, found.patterns) == (("tests / *", "build"), True)
    assert (found.up_to_date, found.dismisses_stale, found.rejection_blocks) == (True, True, True)
    assert (found.requests_block, found.signed, found.binds_admins) == (False, False, True)


async def test_a_rule_may_be_a_pattern(world):
    found = await rules_of(world, "release/1")
    assert (found.signed, found.binds_admins, found.sources) == (True, False, ("branch protection release/**",))


async def test_statuses_without_a_name_are_all_demanded(world):
    assert (await rules_of(world, "release/1")).required_checks == ("*",)


async def test_a_reader_sees_approvals_and_checks_and_is_told_of_the_rest(world):
    found = await rules_of(world, "main", world.reader_token)
    assert (found.protected, found.required_approvals, found.required_checks) == (True, 2, ("tests / *", "build"))
    for hidden in (found.up_to_date, found.dismisses_stale, found.signed, found.binds_admins, found.requests_block):
        assert isinstance(hidden, Unknown)
        assert "administrator of the repository" in hidden.remedy


async def test_a_free_branch_demands_nothing(world):
    found = await rules_of(world, "free", world.reader_token)
    assert found == BranchRules.none()
    assert (found.protected, found.required_approvals, found.required_checks) == (False, 0, ())


async def test_a_missing_branch_is_told_from_a_missing_repository(world):
    async with open_forge(world) as forge:
        with pytest.raises(NotFound, match=f"{world.repository} has no branch gone"):
            await forge.rules.get(repository_of(world), "gone")
        with pytest.raises(NotFound, match="has no repository"):
            await forge.rules.get(RepositoryRef(world.owner, "no-such"), "main")


async def test_forgejo_says_with_another_word_that_administrators_are_bound():
    assert to_rules({"protected": True}, {"apply_to_admins": True}).binds_admins is True


async def test_a_rule_that_no_server_reports_is_unknown():
    found = to_rules({}, {})
    assert isinstance(found, BranchRules)
    assert isinstance(found.binds_admins, Unknown)
    assert isinstance(found.dismisses_stale, Unknown)
