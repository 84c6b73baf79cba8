"""Rules with names: for approvals, for pushes, and external status checks, each on the tier that has it."""

import re

import pytest
from gitlab_double.gitlab_server import NAME, open_gitlab
from gitlab_double.gitlab_situations import set_scene
from gitlab_double.gitlab_world import BOB_TOKEN, SMITH_TOKEN, USERS
from hypothesis import given
from hypothesis import strategies as st

from stithy_core.spi import RepositoryRef, Unknown
from stithy_gitlab.gitlab_named_rules import matches_branch
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio
ANVIL = RepositoryRef("smith/tools", "anvil")
SECURITY = {
    "name": "Security",
    "rule_type": "regular",
    "approvals_required": 2,
    "approved": False,
    "approved_by": [USERS["bob"]],
    "eligible_approvers": [USERS["bob"], USERS["smith"]],
}
ANYBODY = SECURITY | {"name": "All Members", "rule_type": "any_approver", "approved": True}


@pytest.fixture
def scene(server):
    return set_scene(server.world, NAME)


@pytest.fixture
def pr(forge):
    return forge.names.create_pull_request_ref(ANVIL, 1)


async def test_an_approval_rule_of_a_merge_request_is_named_with_who_can_approve(forge, pr, scene):
    scene.merge["rules"] = [ANYBODY, SECURITY, SECURITY | {"name": "Docs", "approvals_required": 0}]
    rules = await forge.rules.get(ANVIL, "main", pr=pr)
    (rule,) = [one for one in rules.evaluated if "approval rule" in one.name]
    assert rule.name == "the approval rule 'Security' has 2 of 2 approvals (1 now)"
    assert (rule.met, rule.action) == (False, "Get an approval of bob, smith.")


async def test_approval_rules_of_a_project_count_for_their_branches(forge, scene):
    scene.home.approval_rules = [
        {"name": "All", "approvals_required": 1, "protected_branches": []},
        {"name": "Main", "approvals_required": 2, "protected_branches": [{"name": "m*"}]},
        {"name": "Stable", "approvals_required": 5, "protected_branches": [{"name": "stable"}]},
        {"name": "Protected", "approvals_required": 3, "applies_to_all_protected_branches": True},
    ]
    rules = await forge.rules.get(ANVIL, "main")
    assert rules.required_approvals == 3
    assert [one for one in rules.sources if "approval" in one] == [
        "approval rule All",
        "approval rule Main",
        "approval rule Protected",
    ]
    assert (await forge.rules.get(ANVIL, "later")).required_approvals == 1


@pytest.mark.parametrize(
    ("rule", "signed"), [(None, False), ({"reject_unsigned_commits": True}, True), ({"member_check": True}, False)]
)
async def test_a_push_rule_may_demand_signatures(forge, pr, scene, rule, signed):
    scene.home.push_rule = rule
    assert (await forge.rules.get(ANVIL, "main", pr=pr)).signed is signed


MESSAGE = "the message of the merge commit"


@pytest.mark.parametrize(
    ("rule", "demand"),
    [
        ({"commit_message_regex": "^ABC-"}, f"{MESSAGE} matches '^ABC-' (push rule)"),
        ({"commit_message_negative_regex": "ssh://"}, f"{MESSAGE} does not match 'ssh://' (push rule)"),
        ({"author_email_regex": "@a.example$"}, "the commit email of whoever merges matches '@a.example$' (push rule)"),
        ({"reject_non_dco_commits": True}, f"{MESSAGE} has a sign-off (push rule)"),
    ],
)
async def test_a_merge_that_a_push_rule_may_refuse_is_not_ready(server, tmp_path, scene, rule, demand):
    """GitLab's merge checks do not report it, and its word is mergeable; a fast-forward creates no commit."""
    scene.home.push_rule = {"id": 1, **rule}
    settings = f'[forges.work]\nkind = "gitlab"\nurl = "{server.url}"\ntoken = {{ env = "TOKEN" }}\n'
    async with connect(make_app(tmp_path, settings, environ={"TOKEN": SMITH_TOKEN})) as client:
        found = [(await client.call_tool("check_merge_readiness", {"pr": f"{NAME}!1"})).structured_content]
        scene.home.settings["merge_method"] = "ff"
        found.append((await client.call_tool("check_merge_readiness", {"pr": f"{NAME}!1"})).structured_content)
    assert found[0]["verdict"] == "unproven"
    assert "push rule" not in str(found[1])
    assert demand in [question for one in found[0]["unproven"] for question in one["questions"]]


@pytest.mark.parametrize("rule", [{"branch_name_regex": "^x"}, {"max_file_size": 1}, {"deny_delete_tag": True}])
async def test_a_push_rule_that_is_held_to_pushes_alone_blocks_no_merge(forge, pr, scene, rule):
    scene.home.push_rule = {"id": 1, **rule}
    rules = await forge.rules.get(ANVIL, "main", pr=pr)
    assert not [one for one in rules.evaluated if "push rule" in one.name]


async def test_what_the_role_or_the_tier_does_not_show_is_unknown_and_not_false(server, tmp_path, scene):
    scene.home.push_rule = {"reject_unsigned_commits": True}
    async with open_gitlab(server, tmp_path, token=BOB_TOKEN) as forge:
        rules = await forge.rules.get(ANVIL, "main", pr=forge.names.create_pull_request_ref(ANVIL, 1))
    assert isinstance(rules.signed, Unknown)
    assert isinstance(rules.code_owners, Unknown)


async def test_external_status_checks_are_named(server, forge, pr, scene):
    server.world.tier = "ultimate"
    scene.merge["checks"]["STATUS_CHECKS_MUST_PASS"] = "CHECKING"
    scene.merge["status_checks"] = [{"id": 1, "name": "licences", "status": "failed"}]
    scene.merge["status_checks"].append({"id": 2, "name": "audit", "status": "pending"})
    rules = await forge.rules.get(ANVIL, "main", pr=pr)
    found = {one.name: one.met for one in rules.evaluated if "status" in one.name and "commits" not in one.name}
    assert found.pop("the external status check 'licences' passes") is False
    assert isinstance(found.pop("the external status check 'audit' passes"), Unknown)
    assert found == {}


async def test_without_names_gitlabs_own_result_stays(forge, pr, scene):
    scene.merge["checks"]["STATUS_CHECKS_MUST_PASS"] = "FAILED"
    rules = await forge.rules.get(ANVIL, "main", pr=pr)
    assert "GitLab's merge check status_checks_must_pass" in [one.name for one in rules.evaluated]


async def test_the_community_edition_has_none_of_them(server, forge, pr, scene):
    server.world.enterprise = False
    scene.merge["rules"] = [SECURITY]
    rules = await forge.rules.get(ANVIL, "main", pr=pr)
    assert (rules.required_approvals, rules.signed, rules.code_owners, rules.rejection_blocks) == (
        0,
        False,
        False,
        False,
    )
    assert not [one for one in rules.evaluated if "approval rule" in one.name]


@given(st.text("ab*/", max_size=6), st.text("ab/", max_size=8))
def test_a_star_in_the_name_of_a_protected_branch_stands_for_any_text(pattern, branch):
    expected = re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), branch) is not None
    assert matches_branch(pattern, branch) is expected


def test_a_name_of_many_stars_is_compared_in_linear_time():
    """The owner of a project chooses it; an expression takes longer than anybody waits."""
    assert not matches_branch("*a" * 60 + "b", "a" * 200)
    assert matches_branch("*a" * 60 + "*", "a" * 200)
