"""A pull request with its checks, from one GraphQL query."""

import pytest
from attrs import evolve
from github_double.ready import ready

from stithy_core.spi import NotFound, PullRequestRef, RateLimited, RepositoryRef, Unknown

pytestmark = [pytest.mark.anyio, pytest.mark.contract]

LAB = RepositoryRef("smith", "lab")
PR = PullRequestRef(LAB, 1)


@pytest.fixture
def world():
    return ready()


@pytest.fixture
def unit(world, lab):
    """The check run of the pull request, with an annotation."""
    (check,) = lab.check_runs
    world.add_annotation(check, "hello.py", 3, "It is slow.", title="Slow")
    return check


def remove_partial(checks):
    """Return checks without the fields of statuses that only one of the two APIs reports."""
    return [evolve(check, id="", source="") if check.kind == "status" else check for check in checks]


async def test_one_query_returns_what_six_requests_return(world, unit, asked, in_world):
    async with in_world(world) as forge:
        found = await forge.checks.of_pull_request(PR)
        sent = list(asked)
        pull = await forge.pull_requests.get(PR)
        checks = await forge.checks.list(LAB, pull.head.commit, pr=PR)
        rules = await forge.rules.get(LAB, "main", pr=PR)
        annotations = await forge.checks.annotations(LAB, next(check for check in checks if check.name == "unit"))
    assert sent == ["query Checks"]
    assert found.pull_request == pull
    assert remove_partial(found.checks) == remove_partial(checks)
    assert (found.rules.required_checks, found.rules.sources) == (rules.required_checks, rules.sources)
    assert {check: list(listed) for check, listed in found.annotations.items()} == {str(unit.id): list(annotations)}
    assert (annotations[0].title, annotations[0].start_line, annotations[0].level) == ("Slow", 3, "failure")


async def test_more_annotations_than_a_page_are_left_to_their_own_request(world, unit, in_world):
    for number in range(20):
        world.add_annotation(unit, "hello.py", number + 4, "It is slow, too.")
    async with in_world(world) as forge:
        found = await forge.checks.of_pull_request(PR)
    assert found.annotations == {}
    assert {check.name: check.annotations for check in found.checks} == {"unit": 21, "build": 0}


async def test_more_checks_than_a_page_are_read_by_rest(world, lab, in_world):
    for number in range(100):
        world.add_check(lab, lab.issues[1].head_sha, f"check {number}", app="checker")
    async with in_world(world) as forge:
        found = await forge.checks.of_pull_request(PR)
    assert (len(found.checks), found.checks.cut) == (102, "")


async def test_rules_that_a_reader_cannot_see_are_left_to_their_own_request(world, lab, in_world):
    world.add_token("token-of-other", world.other_user, scopes=("repo",))
    lab.permissions["stranger"] = "read"
    async with in_world(world, token="token-of-other") as forge:
        found = await forge.checks.of_pull_request(PR)
    assert isinstance(found.rules, Unknown)
    assert len(found.checks) == 2


async def test_without_a_token_graphql_is_not_asked(world, asked, in_world):
    async with in_world(world, token="") as forge:
        found = await forge.checks.of_pull_request(PR)
    assert [check.name for check in found.checks] == ["build", "unit"]
    assert not [request for request in asked if request.startswith("query")]


@pytest.mark.parametrize("path", [("statusCheckRollup",), ("statusCheckRollup", "contexts", "nodes", 0)])
async def test_checks_that_graphql_refuses_are_read_by_rest(world, failing, in_world, path):
    failing(*path)
    async with in_world(world) as forge:
        found = await forge.checks.of_pull_request(PR)
    assert [check.name for check in found.checks] == ["build", "unit"]
    assert found.rules.required_checks == ("build",)


async def test_rest_answers_if_the_query_fails(world, failing, in_world):
    failing(kind="", message="Something went wrong while executing your query.")
    async with in_world(world) as forge:
        found = await forge.checks.of_pull_request(PR)
    assert (found.pull_request.title, [check.name for check in found.checks]) == ("Greet", ["build", "unit"])


async def test_an_exhausted_rate_limit_is_an_error(world, failing, in_world):
    failing("baseRef", kind="RATE_LIMITED", message="API rate limit exceeded")
    async with in_world(world) as forge:
        with pytest.raises(RateLimited):
            await forge.checks.of_pull_request(PR)


async def test_a_missing_number_is_not_found(world, in_world):
    async with in_world(world) as forge:
        with pytest.raises(NotFound, match="smith/lab has no pull request 77"):
            await forge.checks.of_pull_request(PullRequestRef(LAB, 77))
