"""Rate limits and single sign-on on the contract double: the errors of the forge, and that nothing is sent again."""

import pytest
from github_double.server import running
from github_double.world import World

from stithy_core.spi import Forbidden, IssueRef, PullRequestRef, RateLimited, RepositoryRef, Unknown

pytestmark = [pytest.mark.anyio, pytest.mark.contract]

LAB = RepositoryRef("guild", "lab")
ISSUE, PR = IssueRef(LAB, 1), PullRequestRef(LAB, 2)
SMITH = "Bearer token-of-smith"


@pytest.fixture
def world():
    made = World()
    guild = made.add_user("guild", "Organization")
    lab = made.add_repository("lab", owner=guild, private=True)
    made.add_issue(lab, "It is cold")
    made.push(lab, "heat", "Add fire.py", {"fire.py": "heat()\n"})
    made.add_thread(made.add_pull(lab, "Heat", "heat"), "fire.py", 1, "How much?")
    return made


@pytest.fixture
def double(world):
    with running(world) as found:
        yield found


@pytest.fixture
def enter(double, github):
    return lambda: github(double.url, token=double.world.token)


async def test_an_exhausted_rate_limit_has_the_seconds_until_its_reset(double, enter):
    double.limits.spend_all(SMITH)
    async with enter() as forge:
        with pytest.raises(RateLimited, match="5000 requests an hour for core is exhausted") as caught:
            await forge.issues.get(ISSUE)
    left = 3_601 - double.world.now.minute * 60 - double.world.now.second
    assert caught.value.retry_after == pytest.approx(left, abs=2)


async def test_an_exhausted_rate_limit_can_still_be_read(double, enter):
    double.limits.spend_all(SMITH)
    async with enter() as forge:
        quotas = {one.name: (one.limit, one.left) for one in (await forge.identity.access()).quotas}
    assert (quotas["core"], quotas["graphql"]) == ((5_000, 0), (5_000, 5_000))


async def test_threads_come_from_rest_when_the_rate_limit_of_graphql_is_exhausted(double, enter):
    double.limits.spend_all(SMITH, "graphql")
    async with enter() as forge:
        (thread,) = await forge.threads.list(PR)
    assert isinstance(thread.resolved, Unknown)
    assert "is exhausted" in thread.resolved.reason


async def test_where_both_rate_limits_are_exhausted_the_error_is_of_graphql_and_not_its_own_cause(double, enter):
    double.limits.spend_all(SMITH, "graphql")
    double.limits.spend_all(SMITH)
    async with enter() as forge:
        with pytest.raises(RateLimited, match="graphql is exhausted") as caught:
            await forge.threads.list(PR)
    assert caught.value.__cause__ is not caught.value


async def test_a_write_is_not_sent_again_after_a_secondary_rate_limit(double, enter):
    async with enter() as forge:
        double.limits.waits = [7]
        with pytest.raises(RateLimited, match="secondary rate limit") as caught:
            await forge.comments.create(ISSUE, "Heat it.")
    assert caught.value.retry_after == pytest.approx(7, abs=1)
    assert [one.method for one in double.asked].count("POST") == 1
    assert double.world.repository("guild/lab").issues[1].comments == []


@pytest.mark.parametrize("operation", ["get", "readiness"])
async def test_single_sign_on_names_the_page_where_the_token_is_authorised(double, github, operation):
    world = double.world
    world.accounts["guild"].sign_on = True
    token = world.add_token("token-unauthorised", world.user, authorised=False)
    async with github(double.url, token=token) as forge:
        with pytest.raises(Forbidden, match="SAML") as caught:
            await getattr(forge.pull_requests, operation)(PR)
    assert f"{double.url}/orgs/guild/sso?authorization_request=" in caught.value.suggestion
