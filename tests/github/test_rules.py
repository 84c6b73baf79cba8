"""Branch rules: classic protection and rulesets (docs/forge-behaviour/github.md#branch-rules)."""

import pytest
from attrs import fields
from github_double.world import World

from stithy_core.spi import BranchRules, NotFound, RateLimited, RepositoryRef, Unknown

pytestmark = pytest.mark.anyio

LAB = RepositoryRef("guild", "lab")
R = "GET /repos/guild/lab"
BRANCH, PROTECTION, RULES = f"{R}/branches/main", f"{R}/branches/main/protection", f"{R}/rules/branches/main"
REVIEWED = {
    "required_approving_review_count": 2,
    "dismiss_stale_reviews_on_push": True,
    "require_code_owner_review": True,
    "require_last_push_approval": True,
    "required_review_thread_resolution": True,
}
CHECKED = {"required_status_checks": [{"context": "audit"}], "strict_required_status_checks_policy": True}
PROTECTED = {"protected": True, "protection": {"required_status_checks": {"enforcement_level": "off", "contexts": []}}}


@pytest.fixture
def world():
    """A world with another user's repository, where a test sets the permission of the token's user."""
    made = World()
    made.add_repository("lab", owner=made.add_user("guild"), writable=False)
    return made


@pytest.fixture
def lab(world):
    return world.repository("guild/lab")


@pytest.fixture
def ruled(hub, github):
    """A function that reads the rules of a branch with the answers of a test."""

    async def read(**answers):
        hub.answers |= {BRANCH: PROTECTED, RULES: []} | {globals()[name]: given for name, given in answers.items()}
        async with github(hub.url) as forge:
            return await forge.rules.get(LAB, "main")

    return read


def list_unknown(rules):
    """Return the unknown fields."""
    return {field.name for field in fields(BranchRules) if isinstance(getattr(rules, field.name), Unknown)}


def rule(kind, parameters=None, ruleset=12, **source):
    return {"type": kind, "ruleset_id": ruleset, "parameters": parameters or {}} | source


async def test_an_unprotected_branch_has_no_rules(world, in_world):
    async with in_world(world) as forge:
        rules = await forge.rules.get(LAB, "main")
    assert (rules.protected, rules.required_approvals, rules.required_checks, rules.sources) == (False, 0, (), ())
    assert list_unknown(rules) == set()


async def test_administrators_see_a_classic_protection(world, lab, in_world):
    lab.permissions["smith"] = "admin"
    world.protect(
        lab, approvals=1, contexts=("build",), strict=True, conversations=True, dismiss_stale=True, admins=True
    )
    async with in_world(world) as forge:
        rules = await forge.rules.get(LAB, "main")
    assert (rules.protected, rules.required_approvals, rules.required_checks) == (True, 1, ("build",))
    assert (rules.up_to_date, rules.resolved_threads, rules.dismisses_stale, rules.binds_admins) == (True,) * 4
    assert (rules.rejection_blocks, rules.requests_block, rules.code_owners, rules.signed) == (
        True,
        False,
        False,
        False,
    )
    assert rules.sources == ("branch protection main",)
    assert list_unknown(rules) == set()


async def test_writers_see_a_part_of_a_classic_protection(world, lab, in_world):
    lab.permissions["smith"] = "write"
    world.protect(lab, approvals=2, contexts=("build",), conversations=True, strict=True)
    async with in_world(world) as forge:
        rules = await forge.rules.get(LAB, "main")
    assert (rules.required_approvals, rules.required_checks, rules.resolved_threads) == (2, ("build",), True)
    assert list_unknown(rules) == {"up_to_date", "last_push", "dismisses_stale", "binds_admins", "locked"}
    assert "administrat" in rules.up_to_date.remedy


async def test_readers_see_the_required_checks_of_a_classic_protection(world, lab, in_world):
    world.protect(lab, approvals=2, contexts=("build", "test"))
    async with in_world(world) as forge:
        rules = await forge.rules.get(LAB, "main")
    assert (rules.protected, rules.required_checks) == (True, ("build", "test"))
    assert isinstance(rules.required_approvals, Unknown)
    assert rules.sources == ("branch protection main",)


async def test_every_reader_sees_rulesets(world, lab, in_world):
    world.add_rule(lab, "pull_request", **REVIEWED)
    world.add_rule(lab, "required_status_checks", **CHECKED)
    for kind in ("required_signatures", "required_linear_history"):
        world.add_rule(lab, kind)
    lab.permissions["smith"] = "admin"
    async with in_world(world) as forge:
        rules = await forge.rules.get(LAB, "main")
    assert (rules.required_approvals, rules.required_checks, rules.up_to_date) == (2, ("audit",), True)
    assert (rules.code_owners, rules.last_push, rules.dismisses_stale, rules.resolved_threads) == (True,) * 4
    assert (rules.rejection_blocks, rules.signed, rules.linear, rules.merge_queue) == (True, True, True, False)
    assert list_unknown(rules) == {"binds_admins"}
    assert all(source.startswith("ruleset ") for source in rules.sources)


async def test_the_stricter_of_protection_and_rulesets_applies(world, lab, in_world):
    lab.permissions["smith"] = "admin"
    world.protect(lab, approvals=1, contexts=("build",), admins=True)
    world.add_rule(lab, "pull_request", **REVIEWED | {"require_code_owner_review": False})
    world.add_rule(lab, "required_status_checks", **CHECKED)
    async with in_world(world) as forge:
        rules = await forge.rules.get(LAB, "main")
    assert (rules.required_approvals, rules.required_checks) == (2, ("build", "audit"))
    assert (rules.up_to_date, rules.code_owners, rules.binds_admins) == (True, False, True)
    assert rules.sources[0] == "branch protection main"
    assert list_unknown(rules) == set()


async def test_only_the_rules_of_rulesets_are_known_beside_a_hidden_protection(world, lab, in_world):
    world.protect(lab, approvals=5)
    world.add_rule(lab, "pull_request", **REVIEWED | {"require_code_owner_review": False})
    async with in_world(world) as forge:
        rules = await forge.rules.get(LAB, "main")
    assert (rules.last_push, rules.resolved_threads) == (True, True)
    assert isinstance(rules.code_owners, Unknown)
    assert rules.required_approvals.reason.endswith("; it is at least 2")


async def test_writers_know_that_only_rulesets_protect_a_branch(world, lab, in_world):
    lab.permissions["smith"] = "write"
    world.add_rule(lab, "pull_request", **REVIEWED)
    async with in_world(world) as forge:
        rules = await forge.rules.get(LAB, "main")
    assert rules.required_approvals == 2
    assert list_unknown(rules) == {"binds_admins"}


async def test_a_merge_queue_is_a_rule(world, lab, in_world):
    lab.permissions["smith"] = "write"
    world.add_rule(lab, "merge_queue")
    async with in_world(world) as forge:
        assert (await forge.rules.get(LAB, "main")).merge_queue is True


async def test_the_merge_queue_of_a_classic_protection_is_read_by_graphql(hub, ruled):
    shown = {"viewerPermission": "ADMIN", "mergeQueue": {"id": "MQ"}, "ref": {}}
    hub.answers["query Protection"] = {"data": {"repository": shown}}
    assert (await ruled(PROTECTION={})).merge_queue is True


async def test_without_graphql_the_merge_queue_of_a_classic_protection_is_unknown(ruled):
    rules = await ruled(PROTECTION={})
    assert isinstance(rules.merge_queue, Unknown)
    assert rules.required_approvals == 0


async def test_an_exhausted_rate_limit_is_an_error_and_not_unknown(hub, github):
    hub.answers["query Protection"] = {"errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]}
    hub.answers |= {BRANCH: PROTECTED, RULES: []}
    async with github(hub.url) as forge:
        with pytest.raises(RateLimited):
            await forge.rules.get(LAB, "main")


async def test_required_checks_are_read_from_both_lists(ruled):
    checks = {"strict": False, "contexts": ["build"], "checks": [{"context": "build"}, {"context": "app check"}]}
    rules = await ruled(PROTECTION={"required_status_checks": checks})
    assert (rules.required_checks, rules.up_to_date) == (("build", "app check"), False)


async def test_required_workflows_leave_the_required_checks_unknown(ruled):
    demanded = rule("workflows", {"workflows": [{"path": ".github/workflows/ci.yml"}]})
    rules = await ruled(RULES=[rule("required_status_checks", CHECKED), demanded], BRANCH={"protected": False})
    assert ".github/workflows/ci.yml" in rules.required_checks.reason
    assert rules.required_checks.reason.endswith("; among them are audit")


async def test_a_rule_without_a_field_is_named_with_its_source(ruled):
    organisation = {"ruleset_source_type": "Organization", "ruleset_source": "guild"}
    rows = [rule("deletion"), rule("code_scanning", ruleset=13, **organisation)]
    rules = await ruled(RULES=rows, BRANCH={"protected": False})
    assert (rules.sources, rules.others) == (
        ("ruleset 12", "ruleset 13 of guild"),
        ("ruleset 13 of guild: code_scanning",),
    )


async def test_rulesets_beyond_the_first_page_count(world, lab, in_world):
    for _ in range(101):
        world.add_rule(lab, "deletion")
    world.add_rule(lab, "required_signatures")
    async with in_world(world) as forge:
        assert (await forge.rules.get(LAB, "main")).signed is True


async def test_rulesets_that_a_token_may_not_read_are_unknown(ruled):
    refused = 403, {}, {"message": "Resource not accessible by personal access token"}
    rules = await ruled(RULES=refused, BRANCH={"protected": False})
    assert isinstance(rules.protected, Unknown)
    assert "Resource not accessible" in rules.required_approvals.reason


async def test_a_plan_without_rulesets_has_no_rules(ruled):
    refused = 403, {}, {"message": "Upgrade to GitHub Pro or make this repository public to enable this feature."}
    assert (await ruled(RULES=refused, BRANCH={"protected": False})).protected is False


async def test_a_missing_protection_is_distinguished_from_a_missing_permission(ruled):
    known = await ruled(PROTECTION=(404, {}, {"message": "Branch not protected"}))
    hidden = await ruled(PROTECTION=(404, {}, {"message": "Not Found"}))
    assert (known.required_approvals, known.sources) == (0, ())
    assert isinstance(hidden.required_approvals, Unknown)


async def test_a_token_without_the_permission_sees_no_protection(ruled):
    rules = await ruled(PROTECTION=(403, {}, {"message": "Resource not accessible by personal access token"}))
    assert (rules.protected, rules.required_checks) == (True, ())
    assert isinstance(rules.required_approvals, Unknown)


async def test_without_a_token_a_protection_is_hidden(world, lab, in_world):
    world.protect(lab, contexts=("build",))
    async with in_world(world, token="") as forge:
        rules = await forge.rules.get(LAB, "main")
    assert (rules.protected, rules.required_checks) == (True, ("build",))
    assert isinstance(rules.required_approvals, Unknown)


async def test_a_missing_branch_or_repository_is_named(world, in_world):
    async with in_world(world) as forge:
        with pytest.raises(NotFound, match="guild/lab has no branch mian"):
            await forge.rules.get(LAB, "mian")
        with pytest.raises(NotFound, match="hub has no repository guild/lib"):
            await forge.rules.get(RepositoryRef("guild", "lib"), "main")
