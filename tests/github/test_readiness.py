"""What stands before a merge, from one question in GraphQL (field notes on GitHub's API, sections 2, 6 and 8)."""

import pytest
from attrs import evolve, fields
from github_double.ready import ready

from stithy_core.spi import (
    Listing,
    NotFound,
    PullRequestRef,
    Readiness,
    RepositoryRef,
    Unknown,
    Verdict,
    composed_readiness,
)

pytestmark = pytest.mark.anyio

LAB = RepositoryRef("smith", "lab")
PR = PullRequestRef(LAB, 1)


@pytest.fixture
def world():
    return ready()


@pytest.fixture
def pull(lab):
    return lab.issues[1]


def unlike(found, other):
    """Name the fields in which two differ; lists are compared by what they hold."""
    pairs = {field.name: (getattr(found, field.name), getattr(other, field.name)) for field in fields(Readiness)}
    return {name: pair for name, pair in pairs.items() if bare(pair[0]) != bare(pair[1])}


def bare(value):
    """Give a value without the ids of statuses, which GraphQL hides, and without who reported them, which REST does."""
    if not isinstance(value, Listing):
        return value
    return [evolve(one, id="", source="") if getattr(one, "kind", "") == "status" else one for one in value]


@pytest.mark.contract
async def test_one_question_and_the_distance_to_the_base_tell_all(world, asked, in_world):
    async with in_world(world) as forge:
        await forge.pull_requests.readiness(PR)
    assert asked == ["query Readiness", "query Behind"]


async def test_it_tells_the_same_as_the_abilities_together(world, in_world):
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PR)
        composed = await composed_readiness(forge, PR)
    assert unlike(found, evolve(composed, decision="CHANGES_REQUESTED")) == {}


async def test_everything_that_stands_before_the_merge_is_there(world, in_world):
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


async def test_a_merged_pull_request_whose_fork_is_gone_is_read_too(world, lab, in_world):
    fork = world.add_fork(lab, world.stranger)
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
async def test_a_fork_is_compared_by_its_owners_branch(world, lab, asked, in_world):
    fork = world.add_fork(lab, world.stranger)
    world.push(fork, "fix", "Fix", {"fix.txt": "fix\n"})
    number = world.add_pull(lab, "Fix", "fix", fork=fork).number
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PullRequestRef(LAB, number))
    assert (found.behind, found.pull_request.from_fork) == (0, True)
    assert asked == ["query Readiness", "query Behind"]


@pytest.mark.contract
async def test_where_the_head_was_deleted_the_commit_is_compared(world, lab, asked, in_world):
    del lab.branches["greet"]
    async with in_world(world) as forge:
        assert (await forge.pull_requests.readiness(PR)).behind == 1
    assert asked[-1].startswith("/repos/smith/lab/compare/")


async def test_what_is_longer_than_a_page_is_read_to_the_end(world, lab, pull, in_world):
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


async def test_of_a_closed_one_the_commit_is_compared_since_its_branch_may_be_another_by_now(
    world, lab, pull, in_world
):
    world.close(pull)
    lab.branches["greet"] = lab.branches["main"]
    async with in_world(world) as forge:
        assert (await forge.pull_requests.readiness(PR)).behind == 1


async def test_without_a_token_the_abilities_tell_what_is_public(world, in_world):
    async with in_world(world, token="") as forge:
        found = await forge.pull_requests.readiness(PR)
    assert [check.name for check in found.checks] == ["build", "unit"]
    assert isinstance(found.threads[0].resolved, Unknown)
    assert isinstance(found.rules.up_to_date, Unknown)


@pytest.mark.parametrize(("permission", "strict"), [("admin", True), ("write", None), ("read", None)])
async def test_how_much_of_the_rules_is_known_depends_on_the_token(world, lab, in_world, permission, strict):
    world.add_token("token-of-other", world.stranger, scopes=("repo",))
    lab.permissions["stranger"] = permission
    async with in_world(world, token="token-of-other") as forge:
        rules = (await forge.pull_requests.readiness(PR)).rules
    assert rules.required_checks == ("build",)
    assert rules.resolved_threads is True
    assert rules.up_to_date is True if strict else isinstance(rules.up_to_date, Unknown)


async def test_while_github_computes_nobody_knows_whether_it_can_be_merged(world, pull, in_world):
    pull.computing = 1
    async with in_world(world) as forge:
        found = (await forge.pull_requests.readiness(PR)).pull_request
    assert isinstance(found.mergeable, Unknown)
    assert (found.mergeable.remedy, found.forge_state) == ("Ask again in a few seconds.", "unknown")


async def test_a_branch_that_nothing_protects_demands_nothing(world, lab, in_world):
    lab.protections.clear()
    lab.rules.clear()
    async with in_world(world) as forge:
        rules = (await forge.pull_requests.readiness(PR)).rules
    assert (rules.protected, rules.required_approvals, rules.required_checks) == (False, 0, ())


async def test_no_checks_are_no_checks(world, lab, in_world):
    lab.check_runs.clear()
    lab.statuses.clear()
    async with in_world(world) as forge:
        checks = (await forge.pull_requests.readiness(PR)).checks
    assert (len(checks), checks.cut) == (0, "")


async def test_what_is_no_pull_request_is_told(world, lab, in_world):
    issue = world.add_issue(lab, "It is slow").number
    async with in_world(world) as forge:
        with pytest.raises(NotFound, match="is an issue, not a pull request"):
            await forge.pull_requests.readiness(PullRequestRef(LAB, issue))
        with pytest.raises(NotFound, match="smith/lab has no pull request 77"):
            await forge.pull_requests.readiness(PullRequestRef(LAB, 77))
