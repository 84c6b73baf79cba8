"""What a merge depends on, from one GraphQL query (docs/forge-behaviour/github.md#branch-rules)."""

import pytest
from attrs import evolve, fields
from github_double.ready import ready
from github_double.records import Protection

from stithy_core.spi import (
    Listing,
    NotFound,
    PullRequestRef,
    Queued,
    Readiness,
    RepositoryRef,
    Review,
    Unknown,
    Verdict,
    composed_readiness,
)
from stithy_github.readiness_mapping import to_may_merge

pytestmark = pytest.mark.anyio

LAB = RepositoryRef("smith", "lab")
PR = PullRequestRef(LAB, 1)


@pytest.fixture
def world():
    return ready()


@pytest.fixture
def pull(lab):
    return lab.issues[1]


def compare(found, other):
    """Return the fields that differ; lists are compared by their items."""
    pairs = {field.name: (getattr(found, field.name), getattr(other, field.name)) for field in fields(Readiness)}
    return {name: pair for name, pair in pairs.items() if remove_partial(pair[0]) != remove_partial(pair[1])}


def remove_partial(value):
    """Return a value without the fields that only one of the two APIs reports.

    GraphQL lacks the ids of statuses; REST lacks their reporters, and whose reviews count.
    """
    if not isinstance(value, Listing):
        return value
    if value and isinstance(value[0], Review):
        return [evolve(one, official=None) for one in value]
    return [evolve(one, id="", source="") if getattr(one, "kind", "") == "status" else one for one in value]


SECOND = ["/repos/smith/lab/pulls", "query Behind"]
"""What is asked at once after the first query: the pull requests into the head branch, and the distance."""


@pytest.mark.contract
async def test_readiness_takes_two_queries_and_one_list(world, asked, in_world):
    async with in_world(world) as forge:
        await forge.pull_requests.readiness(PR)
    assert (asked[0], sorted(asked[1:])) == ("query Readiness", SECOND)


async def test_readiness_has_the_open_pull_requests_into_the_head_branch(world, lab, in_world):
    world.push(lab, "upper", "Upper", {"upper.txt": "upper\n"}, begin="greet")
    child = world.add_pull(lab, "Upper", "upper", base="greet")
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PR)
    assert [one.ref.number for one in found.children] == [child.number]


@pytest.mark.contract
async def test_the_list_waits_until_github_has_tried_the_merge(world, pull, asked, in_world):
    pull.computing = 1
    async with in_world(world) as forge:
        assert (await forge.pull_requests.readiness(PR)).children is None
    assert asked == ["query Readiness", "query Behind"]


async def test_readiness_is_the_same_as_composed_by_capabilities(world, in_world):
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PR)
        composed = await composed_readiness(forge, PR)
    expected = evolve(composed, decision="CHANGES_REQUESTED", may_merge=True, owners=(), children=Listing())
    assert compare(found, expected) == {}


async def test_readiness_has_everything_that_the_merge_depends_on(world, in_world):
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PR)
    assert (found.decision, found.behind, found.pull_request.forge_state) == ("CHANGES_REQUESTED", 1, "blocked")
    assert [review.state for review in found.reviews][-1] == "changes_requested"
    assert [(thread.path, thread.resolved, len(thread.comments)) for thread in found.threads] == [
        ("hello.py", False, 2)
    ]
    assert {check.name: check.verdict for check in found.checks} == {
        "unit": Verdict.TIMED_OUT,
        "build": Verdict.PENDING,
    }
    assert (found.rules.required_approvals, found.rules.required_checks, found.rules.up_to_date) == (
        2,
        ("build",),
        True,
    )
    assert [commit.message for commit in found.commits] == ["Add hello.py", "Change hello"]


async def test_a_merged_pull_request_of_a_deleted_fork_is_read(world, lab, in_world):
    fork = world.add_fork(lab, world.other_user)
    world.push(fork, "fix", "Fix", {"fix.txt": "fix\n"})
    gone = world.add_pull(lab, "Fix", "fix", fork=fork)
    world.merge(gone)
    gone.head_repository = None
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PullRequestRef(LAB, gone.number))
    pull = found.pull_request
    assert (pull.state, pull.merged, pull.head.repository, pull.from_fork) == ("closed", True, None, True)
    assert (pull.merge_commit, pull.merged_by.login, found.behind) == (gone.merge_commit, "smith", 1)


@pytest.mark.contract
async def test_a_fork_is_compared_by_owner_and_branch(world, lab, asked, in_world):
    fork = world.add_fork(lab, world.other_user)
    world.push(fork, "fix", "Fix", {"fix.txt": "fix\n"})
    number = world.add_pull(lab, "Fix", "fix", fork=fork).number
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PullRequestRef(LAB, number))
    assert (found.behind, found.pull_request.from_fork) == (0, True)
    assert asked == ["query Readiness", "query Behind"]


@pytest.mark.contract
async def test_the_commit_is_compared_if_the_head_was_deleted(world, lab, asked, in_world):
    del lab.branches["greet"]
    async with in_world(world) as forge:
        assert (await forge.pull_requests.readiness(PR)).behind == 1
    assert any(path.startswith("/repos/smith/lab/compare/") for path in asked)


async def test_parts_beyond_the_first_page_are_read(world, lab, pull, in_world):
    for number in range(101):
        world.add_check(lab, pull.head_sha, f"check {number}", app="checker")
        world.add_review(pull, body=f"{number}")
        world.add_thread(pull, "hello.py", 1, f"{number}")
        world.push(lab, "greet", f"Step {number}", {"step.txt": f"{number}\n"})
    for number in range(101):
        world.add_check(lab, pull.head_sha, f"check {number}", app="checker")
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PR)
    assert (len(found.checks), len(found.threads), len(found.commits)) == (101, 102, 103)
    assert len(found.reviews) == len(pull.reviews) > 200
    assert {listing.cut for listing in (found.checks, found.threads, found.commits, found.reviews)} == {""}


async def test_the_commit_of_a_closed_pull_request_is_compared(world, lab, pull, in_world):
    world.close(pull)
    lab.branches["greet"] = lab.branches["main"]
    async with in_world(world) as forge:
        assert (await forge.pull_requests.readiness(PR)).behind == 1


async def test_without_a_token_the_public_parts_are_read(world, in_world):
    async with in_world(world, token="") as forge:
        found = await forge.pull_requests.readiness(PR)
    assert [check.name for check in found.checks] == ["build", "unit"]
    assert isinstance(found.threads[0].resolved, Unknown)
    assert isinstance(found.rules.up_to_date, Unknown)


@pytest.mark.parametrize(("permission", "strict"), [("admin", True), ("write", None), ("read", None)])
async def test_the_known_rules_depend_on_the_permission(world, lab, in_world, permission, strict):
    world.add_token("token-of-other", world.other_user, scopes=("repo",))
    lab.permissions["stranger"] = permission
    async with in_world(world, token="token-of-other") as forge:
        rules = (await forge.pull_requests.readiness(PR)).rules
    assert rules.required_checks == ("build",)
    assert rules.resolved_threads is True
    assert rules.up_to_date is True if strict else isinstance(rules.up_to_date, Unknown)


async def test_mergeable_is_unknown_while_github_computes_it(world, pull, in_world):
    pull.computing = 1
    async with in_world(world) as forge:
        found = (await forge.pull_requests.readiness(PR)).pull_request
    assert isinstance(found.mergeable, Unknown)
    assert (found.mergeable.remedy, found.forge_state) == ("Try again in a few seconds.", "unknown")


async def test_an_unprotected_branch_has_no_rules(world, lab, in_world):
    lab.protections.clear()
    lab.rules.clear()
    async with in_world(world) as forge:
        rules = (await forge.pull_requests.readiness(PR)).rules
    assert (rules.protected, rules.required_approvals, rules.required_checks) == (False, 0, ())


async def test_a_pull_request_without_checks_has_an_empty_list(world, lab, in_world):
    lab.check_runs.clear()
    lab.statuses.clear()
    async with in_world(world) as forge:
        checks = (await forge.pull_requests.readiness(PR)).checks
    assert (len(checks), checks.cut) == (0, "")


async def test_an_issue_and_a_missing_number_are_errors(world, lab, in_world):
    issue = world.add_issue(lab, "It is slow").number
    async with in_world(world) as forge:
        with pytest.raises(NotFound, match="is an issue, not a pull request"):
            await forge.pull_requests.readiness(PullRequestRef(LAB, issue))
        with pytest.raises(NotFound, match="smith/lab has no pull request 77"):
            await forge.pull_requests.readiness(PullRequestRef(LAB, 77))


async def test_code_owners_and_official_reviews_are_reported(world, pull, in_world):
    outsider = world.add_user("outsider")
    world.add_review(pull, "APPROVED", user=outsider)
    pull.teams, pull.owners = ["smiths"], ("smiths",)
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PR)
    assert found.owners == ("forge/smiths",)
    assert [(review.author.login, review.official) for review in found.reviews][-2:] == [
        ("stranger", True),
        ("outsider", False),
    ]


async def test_the_position_in_the_merge_queue_is_reported(world, pull, in_world):
    pull.queued, pull.auto_merge = (2, "AWAITING_CHECKS"), True
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PR)
    assert (found.queued, found.auto_merge) == (Queued(position=2, state="AWAITING_CHECKS"), True)


@pytest.mark.parametrize(
    ("permission", "pushers", "may"), [("read", None, False), ("write", None, True), ("write", ("smith",), False)]
)
async def test_who_may_merge_depends_on_permission_and_protection(world, lab, in_world, *, permission, pushers, may):
    world.add_token("token-of-other", world.other_user, scopes=("repo",))
    lab.permissions["stranger"] = permission
    lab.protections["main"].pushers = pushers
    async with in_world(world, token="token-of-other") as forge:
        assert (await forge.pull_requests.readiness(PR)).may_merge is may


async def test_the_state_behind_reveals_the_rule_up_to_date(world, lab, in_world):
    """GitHub does not show to writers whether a classic protection is strict."""
    world.add_token("token-of-other", world.other_user, scopes=("repo",))
    lab.rules.clear()
    lab.protections["main"] = Protection(approvals=None, strict=True)
    pull = world.add_pull(lab, "Again", "greet")
    async with in_world(world, token="token-of-other") as forge:
        found = await forge.pull_requests.readiness(PullRequestRef(LAB, pull.number))
    assert (found.pull_request.blocked, found.rules.up_to_date) == (True, True)


async def test_rulesets_alone_protect_a_branch(world, lab, in_world):
    lab.protections.clear()
    async with in_world(world) as forge:
        rules = (await forge.pull_requests.readiness(PR)).rules
    assert (rules.required_approvals, rules.up_to_date, len(rules.sources)) == (2, False, 1)


@pytest.mark.contract
async def test_a_writer_sees_rulesets_by_the_same_query(world, lab, asked, in_world):
    lab.protections.clear()
    world.add_token("token-of-other", world.other_user, scopes=("repo",))
    async with in_world(world, token="token-of-other") as forge:
        assert (await forge.pull_requests.readiness(PR)).rules.required_approvals == 2
    assert (asked[0], sorted(asked[1:])) == ("query Readiness", SECOND)


@pytest.mark.parametrize(("rule", "may"), [(None, None), ({"viewerCanPush": True}, True)])
def test_only_a_protection_shows_to_apps_whether_they_may_merge(rule, may):
    found = to_may_merge({"viewerPermission": None, "baseRef": {"refUpdateRule": rule}})
    assert (None if isinstance(found, Unknown) else found) is may
