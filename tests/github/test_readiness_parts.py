"""GraphQL answers only a part of what a merge depends on: the other parts are read by REST, or unknown."""

import pytest
from github_double.ready import ready
from github_recorded.plain import plain

from stithy_core.spi import PullRequestRef, RateLimited, RepositoryRef, Unknown, composed_readiness

pytestmark = [pytest.mark.anyio, pytest.mark.contract]

LAB = RepositoryRef("smith", "lab")
PR = PullRequestRef(LAB, 1)


@pytest.fixture
def world():
    return ready()


@pytest.mark.parametrize(
    ("part", "path"),
    [
        ("threads", ("reviewThreads", "nodes", 0, "resolvedBy")),
        ("commits", ("commits", "nodes", 0, "commit", "author")),
    ],
)
async def test_a_list_with_a_failed_part_is_unknown(world, failing, in_world, part, path):
    failing(*path)
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PR)
    assert "not accessible" in getattr(found, part).reason
    assert len(found.reviews) == 3


async def test_a_failed_field_is_unknown_and_the_others_stay(world, failing, in_world):
    failing("reviews", message="Something is wrong with reviews")
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PR)
    assert isinstance(found.reviews, Unknown)
    assert found.reviews.reason == "Something is wrong with reviews"
    assert [len(part) for part in (found.threads, found.checks, found.commits)] == [1, 2, 2]
    assert found.rules.required_approvals == 2


@pytest.mark.parametrize("path", [("statusCheckRollup",), ("statusCheckRollup", "contexts", "nodes", 0)])
async def test_checks_that_graphql_refuses_are_read_by_rest(world, failing, in_world, path):
    """GitHub refuses check runs to fine-grained tokens, which may still read jobs and statuses."""
    failing(*path)
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PR)
    assert [check.name for check in found.checks] == ["build", "unit"]


async def test_a_partial_pull_request_is_read_by_rest(world, asked, failing, in_world):
    failing("reviewRequests")
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PR)
    assert [user.login for user in found.pull_request.requested_reviewers] == ["stranger"]
    assert "/repos/smith/lab/pulls/1" in asked


async def test_an_exhausted_rate_limit_is_an_error_despite_partial_data(world, failing, in_world):
    failing("reviews", kind="RATE_LIMITED", message="API rate limit exceeded")
    async with in_world(world) as forge:
        with pytest.raises(RateLimited):
            await forge.pull_requests.readiness(PR)


@pytest.mark.parametrize("named", [True, False])
async def test_capabilities_read_everything_if_the_query_fails(world, failing, in_world, named):
    failing(named=named, kind="", message="Something went wrong while executing your query.")
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PR)
        assert plain(found) == plain(await composed_readiness(forge, PR))


async def test_rules_that_graphql_refuses_are_read_by_rest(world, asked, failing, in_world):
    failing("baseRef", "branchProtectionRule")
    async with in_world(world) as forge:
        rules = (await forge.pull_requests.readiness(PR)).rules
    assert (rules.up_to_date, rules.required_checks) == (True, ("build",))
    assert "/repos/smith/lab/branches/main/protection" in asked


async def test_capabilities_read_everything_if_errors_are_cut(world, failing, in_world):
    failing("statusCheckRollup", times=12)
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PR)
    assert found.decision == ""  # which no capability knows
    assert [check.name for check in found.checks] == ["build", "unit"]
