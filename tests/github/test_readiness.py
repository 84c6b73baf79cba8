"""What stands before a merge, from one question in GraphQL (field notes on GitHub's API, sections 2, 6 and 8)."""

import json

import pytest
from attrs import evolve, fields
from github_double.answering import Double
from github_double.graph import schema
from github_double.stage import MISSING, installed
from github_double.world import World

from stithy_core.spi import (
    Listing,
    NotFound,
    PullRequestRef,
    RateLimited,
    Readiness,
    RepositoryRef,
    Unknown,
    Verdict,
    composed_readiness,
)
from stithy_github.identity import VIEWER
from stithy_github.readiness_queries import BEHIND, READINESS
from stithy_github.rules_queries import PROTECTION

pytestmark = pytest.mark.anyio

LAB = RepositoryRef("smith", "lab")
PR = PullRequestRef(LAB, 1)
GRAPHQL = "/api/graphql"
REVIEWED = {
    "required_approving_review_count": 2,
    "dismiss_stale_reviews_on_push": True,
    "require_code_owner_review": False,
    "require_last_push_approval": False,
    "required_review_thread_resolution": True,
}


@pytest.fixture
def world():
    """A world with a pull request that has everything: a branch that moved on, people and machines that spoke."""
    made = World()
    lab = made.add_repository("lab", {"README.md": "# Lab\n", "hello.txt": "hello\n"})
    made.push(lab, "greet", "Add hello.py", {"hello.py": "print()\n"})
    made.push(lab, "greet", "Change hello", {"hello.txt": "hello there\n"})
    pull = made.add_pull(lab, "Greet", "greet", body="Closes #2.")
    made.push(lab, "main", "Go on", {"new.txt": "new\n"})
    pull.reviewers.append(made.stranger)
    made.add_comment(pull, "Please look.")
    made.add_reply(made.add_thread(pull, "hello.py", 1, "Why print?", made.stranger), "Done.")
    made.add_review(pull, "CHANGES_REQUESTED", "No.", made.stranger)
    made.add_job(lab, made.add_run(lab, pull.head_sha), "unit", "timed_out")
    made.add_status(lab, pull.head_sha, "build", "pending", "waits")
    made.protect(lab, approvals=1, contexts=("build",), strict=True)
    made.add_rule(lab, "pull_request", **REVIEWED)
    return made


@pytest.fixture
def lab(world):
    return world.repository("smith/lab")


@pytest.fixture
def pull(lab):
    return lab.issues[1]


@pytest.fixture
def behind_the_double():
    """Pass where the double itself answers, and no recording of it."""
    if not installed():
        pytest.skip(MISSING)


@pytest.fixture
def asked(monkeypatch, behind_the_double):
    """List what the double was asked: the path, or the operation of GraphQL."""
    found, answer = [], Double.answer

    def listing(self, asking):
        text = json.loads(asking.body)["query"] if asking.path == GRAPHQL else asking.path.removeprefix("/api/v3")
        found.append(" ".join(text.split("(")[0].split()) if asking.path == GRAPHQL else text)
        return answer(self, asking)

    monkeypatch.setattr(Double, "answer", listing)
    return found


@pytest.fixture
def failing(monkeypatch, behind_the_double):
    """Let a field of GraphQL's answer about readiness fail."""
    answer = Double.answer

    def at(*path, message="Resource not accessible by personal access token", kind="FORBIDDEN", times=1):
        def altered(self, asking):
            status, headers, body = answer(self, asking)
            if asking.path != GRAPHQL or b"query Readiness" not in asking.body:
                return status, headers, body
            told = json.loads(body)
            whole = ["repository", "pullRequest", *path]
            told["errors"] = [{"type": kind, "message": message, "path": whole}] * times
            place = told["data"]
            for step in whole[:-1]:
                place = place[step]
            place[whole[-1]] = None
            return status, headers, json.dumps(told).encode()

        monkeypatch.setattr(Double, "answer", altered)

    return at


def unlike(found, other):
    """Name the fields in which two differ; lists are compared by what they hold."""
    pairs = {field.name: (getattr(found, field.name), getattr(other, field.name)) for field in fields(Readiness)}
    return {name: pair for name, pair in pairs.items() if bare(pair[0]) != bare(pair[1])}


def bare(value):
    """Give a value without the ids of statuses, which GraphQL hides, and without who reported them, which REST does."""
    if not isinstance(value, Listing):
        return value
    return [evolve(one, id="", source="") if getattr(one, "kind", "") == "status" else one for one in value]


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


async def test_a_fork_is_compared_by_its_owners_branch(world, lab, asked, in_world):
    fork = world.add_fork(lab, world.stranger)
    world.push(fork, "fix", "Fix", {"fix.txt": "fix\n"})
    number = world.add_pull(lab, "Fix", "fix", fork=fork).number
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PullRequestRef(LAB, number))
    assert (found.behind, found.pull_request.from_fork) == (0, True)
    assert asked == ["query Readiness", "query Behind"]


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


@pytest.mark.parametrize(
    ("part", "path"),
    [
        ("threads", ("reviewThreads", "nodes", 0, "resolvedBy")),
        ("commits", ("commits", "nodes", 0, "commit", "author")),
    ],
)
async def test_a_list_of_which_a_part_fails_is_unknown(world, failing, in_world, part, path):
    failing(*path)
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PR)
    assert "not accessible" in getattr(found, part).reason
    assert len(found.reviews) == 3


async def test_a_field_that_fails_is_unknown_and_the_rest_stays(world, failing, in_world):
    failing("reviews", message="Something is wrong with reviews")
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PR)
    assert isinstance(found.reviews, Unknown)
    assert found.reviews.reason == "Something is wrong with reviews"
    assert [len(part) for part in (found.threads, found.checks, found.commits)] == [1, 2, 2]
    assert found.rules.required_approvals == 2


@pytest.mark.parametrize("path", [("statusCheckRollup",), ("statusCheckRollup", "contexts", "nodes", 0)])
async def test_checks_that_graphql_refuses_are_asked_for_in_rest(world, failing, in_world, path):
    """Fine-grained tokens are refused check runs, and may yet read jobs and statuses."""
    failing(*path)
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PR)
    assert [check.name for check in found.checks] == ["build", "unit"]


async def test_a_pull_request_that_graphql_tells_in_part_is_read_in_rest(world, asked, failing, in_world):
    failing("reviewRequests")
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PR)
    assert [user.login for user in found.pull_request.requested_reviewers] == ["stranger"]
    assert "/repos/smith/lab/pulls/1" in asked


async def test_a_budget_that_is_spent_is_an_error_though_a_part_came(world, failing, in_world):
    failing("reviews", kind="RATE_LIMITED", message="API rate limit exceeded")
    async with in_world(world) as forge:
        with pytest.raises(RateLimited):
            await forge.pull_requests.readiness(PR)


async def test_without_a_token_the_abilities_tell_what_is_public(world, in_world):
    async with in_world(world, token="") as forge:
        found = await forge.pull_requests.readiness(PR)
    assert [check.name for check in found.checks] == ["build", "unit"]
    assert isinstance(found.threads[0].resolved, Unknown)
    assert isinstance(found.rules.up_to_date, Unknown)


async def test_a_question_that_fails_as_a_whole_leaves_it_to_the_abilities(world, failing, in_world):
    failing(kind="", message="Something went wrong while executing your query.")
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PR)
        assert unlike(found, await composed_readiness(forge, PR)) == {}


async def test_rules_that_graphql_refuses_are_asked_for_in_rest(world, asked, failing, in_world):
    failing("baseRef", "branchProtectionRule")
    async with in_world(world) as forge:
        rules = (await forge.pull_requests.readiness(PR)).rules
    assert (rules.up_to_date, rules.required_checks) == (True, ("build",))
    assert "/repos/smith/lab/branches/main/protection" in asked


async def test_more_errors_than_are_told_leave_it_to_the_abilities(world, failing, in_world):
    failing("statusCheckRollup", times=12)
    async with in_world(world) as forge:
        found = await forge.pull_requests.readiness(PR)
    assert found.decision == ""  # which no ability knows
    assert [check.name for check in found.checks] == ["build", "unit"]


@pytest.mark.parametrize(("permission", "strict"), [("admin", True), ("write", None), ("read", None)])
async def test_how_much_of_the_rules_is_known_depends_on_the_token(world, lab, in_world, permission, strict):
    world.add_token("token-of-other", world.stranger, scopes=("repo",))
    lab.permissions["stranger"] = permission
    async with in_world(world, token="token-of-other") as forge:
        rules = (await forge.pull_requests.readiness(PR)).rules
    assert rules.required_checks == ("build",)
    assert rules.resolved_threads is True
    assert rules.up_to_date is True if strict else isinstance(rules.up_to_date, Unknown)


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


@pytest.fixture
def published():
    """GitHub's published schema."""
    if not schema.present():
        pytest.skip(MISSING)
    return schema.load()


@pytest.mark.parametrize(
    "document", [READINESS, BEHIND, PROTECTION, VIEWER], ids=lambda text: text.split("(")[0].strip()
)
def test_every_question_fits_githubs_published_schema(published, document):
    from graphql import parse, validate

    assert validate(published, parse(document)) == []


def nodes_of(selected, fragments, above=1):
    """Count the nodes that a selection may give: those of a connection, for each node above it."""
    count = 0
    for one in selected.selection_set.selections if selected.selection_set else ():
        inner = fragments[one.name.value] if one.kind == "fragment_spread" else one
        given = getattr(one, "arguments", None) or ()
        size = next((int(argument.value.value) for argument in given if argument.name.value == "first"), 0)
        count += above * size + nodes_of(inner, fragments, above * (size or 1))
    return count


def test_the_question_stays_far_below_githubs_limit_of_500000_nodes():
    graphql = pytest.importorskip("graphql")
    definitions = graphql.parse(READINESS).definitions
    fragments = {one.name.value: one for one in definitions if one.kind == "fragment_definition"}
    assert 10_000 < nodes_of(definitions[0], fragments) < 50_000
