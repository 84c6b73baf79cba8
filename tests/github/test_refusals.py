"""What GitHub means by its refusals, in the order in which it documents them, seen through the forge."""

import time
from email.utils import formatdate

import pytest

from stithy_core.spi import (
    Archived,
    Conflict,
    ErrorResponse,
    Forbidden,
    ForgeError,
    IssueRef,
    Locked,
    NotFound,
    PullRequestRef,
    RateLimited,
    Rejected,
    RepositoryRef,
    Unauthorized,
    Unavailable,
    Unclear,
    Unsupported,
)
from stithy_github.error_mapping import map_error

pytestmark = pytest.mark.anyio

REPOSITORY = RepositoryRef("octo", "hello")
ISSUE, PR = IssueRef(REPOSITORY, 1), PullRequestRef(REPOSITORY, 2)
READ, WRITE = "GET /repos/octo/hello/issues/1", "POST /repos/octo/hello/issues/1/comments"
SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
ABUSE = "You have triggered an abuse detection mechanism. Please wait a few minutes before you try again."
BY_TOKEN = "Resource not accessible by personal access token"


def said(message, **more):
    return {"message": message, "documentation_url": "https://docs.github.com/rest"} | more


async def reading(hub, github, status, headers, body):
    """Read an issue, and give the error that comes of it."""
    hub.answers[READ] = (status, headers, body)
    async with github(hub.url) as forge:
        with pytest.raises(ForgeError) as caught:
            await forge.issues.get(ISSUE)
    return caught.value


async def writing(hub, github, status, headers, body):
    """Write a comment, and give the error that comes of it."""
    hub.answers[WRITE] = (status, headers, body)
    async with github(hub.url) as forge:
        with pytest.raises(ForgeError) as caught:
            await forge.comments.create(ISSUE, "Hello.")
    assert hub.names().count(WRITE) == 1
    return caught.value


@pytest.mark.parametrize(
    ("answer", "wait"),
    [
        ((403, {"Retry-After": "42"}, said(SECONDARY)), 42),
        ((429, {"Retry-After": "42", "X-RateLimit-Remaining": "0"}, said("API rate limit exceeded")), 42),
        ((403, {}, said(SECONDARY)), 60),
        ((403, {}, said(ABUSE)), 60),
        ((429, {}, said("Too many requests")), 60),
        ((422, {}, said("Validation Failed: was submitted too quickly")), 60),
    ],
)
async def test_a_limit_is_told_from_a_missing_right(hub, github, answer, wait):
    error = await writing(hub, github, *answer)
    assert (type(error), error.retry_after) == (RateLimited, pytest.approx(wait, abs=1))


@pytest.mark.parametrize("status", [403, 429])
async def test_a_spent_budget_waits_for_its_reset_and_a_second_more_by_the_servers_clock(hub, github, status):
    late = time.time() - 5_000
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(late) + 100), "X-RateLimit-Limit": "60"}
    hub.date = formatdate(late, usegmt=True)
    error = await reading(hub, github, status, headers, said("API rate limit exceeded for 192.0.2.1."))
    assert type(error) is RateLimited
    assert error.retry_after == pytest.approx(101, abs=2)


@pytest.mark.parametrize("reset", [{}, {"X-RateLimit-Reset": "soon"}, {"X-RateLimit-Reset": "9" * 30}])
async def test_where_no_reset_can_be_read_a_spent_budget_waits_a_minute(hub, github, reset):
    headers = {"X-RateLimit-Remaining": "0"} | reset
    error = await writing(hub, github, 403, headers, said("API rate limit exceeded for 192.0.2.1."))
    assert (type(error), error.retry_after) == (RateLimited, pytest.approx(60, abs=1))


async def test_a_success_that_spends_the_budget_is_a_success(hub, github):
    hub.answers["GET /repos/octo/hello/issues/1/comments"] = (200, {"X-RateLimit-Remaining": "0"}, [])
    async with github(hub.url) as forge:
        assert list(await forge.comments.list(ISSUE)) == []


async def test_a_limit_until_a_date_is_waited_for_by_the_servers_clock(hub, github):
    hub.date = formatdate(late := time.time() - 5_000, usegmt=True)
    error = await reading(hub, github, 403, {"Retry-After": formatdate(late + 42, usegmt=True)}, said(SECONDARY))
    assert (type(error), error.retry_after) == (RateLimited, pytest.approx(42, abs=2))


async def test_after_many_bad_tokens_the_token_is_named_and_the_pause(hub, github):
    text = "Maximum number of login attempts exceeded. Please try again later."
    error = await reading(hub, github, 403, {}, said(text))
    assert (type(error), error.retry_after) == (Forbidden, 60)
    assert error.suggestion.startswith("Check the token")


async def test_single_sign_on_names_the_place_to_authorise(hub, github):
    page = "https://github.com/orgs/octo/sso?authorization_request=AZ"
    error = await reading(hub, github, 403, {"X-GitHub-SSO": f"required; url={page}"}, said("Resource protected"))
    assert type(error) is Forbidden
    assert page in error.suggestion


@pytest.mark.parametrize(
    ("headers", "remedy"),
    [
        ({"X-Accepted-GitHub-Permissions": "issues=read"}, "the permission issues=read"),
        ({"X-Accepted-OAuth-Scopes": "repo", "X-OAuth-Scopes": "gist"}, "the scopes repo"),
        ({"X-Accepted-OAuth-Scopes": "repo", "X-OAuth-Scopes": "gist"}, "it has the scopes gist"),
        ({}, "lacks a right"),
        ({"X-Accepted-OAuth-Scopes": "repo", "X-OAuth-Scopes": ""}, "it has the scopes none"),
        ({"X-Accepted-OAuth-Scopes": "read:org, repo", "X-OAuth-Scopes": "gist"}, "one of the scopes read:org, repo;"),
    ],
)
async def test_a_missing_right_is_named(hub, github, headers, remedy):
    error = await reading(hub, github, 403, headers, said(BY_TOKEN))
    assert (type(error), BY_TOKEN in error.message, remedy in error.suggestion) == (Forbidden, True, True)


@pytest.mark.parametrize(
    ("accepted", "held"),
    [
        ("repo", "repo, read:org"),
        ("repo", "gist,repo"),
        ("read:org, repo", "repo"),
        ("public_repo, repo", "public_repo"),
        ("repo:status", "repo"),
        ("read:org", "admin:org"),
        ("read:user", "user"),
        ("", "repo"),
    ],
)
async def test_no_scope_is_asked_for_that_the_token_has(hub, github, accepted, held):
    """By itself, as a part of a wider one, or since none is needed at all (18.9)."""
    headers = {"X-Accepted-OAuth-Scopes": accepted, "X-OAuth-Scopes": held}
    headers["X-Accepted-GitHub-Permissions"] = "issues=read"
    error = await reading(hub, github, 403, headers, said("Must have admin rights to Repository."))
    assert "needs one of" not in error.suggestion
    assert "permission" not in error.suggestion
    assert "its user lacks a role" in error.suggestion


def graphql_refusal(kind, text, **headers):
    """Make what GitHub's GraphQL answers where a right is missing."""
    body = {"data": None, "errors": [{"type": kind, "message": text}]}
    return ErrorResponse(status=200, message=text, headers=headers, body=body, writing=False)


def test_a_refusal_of_graphql_is_compared_with_the_scopes_as_well():
    """(18.9)."""
    headers = {"x-accepted-oauth-scopes": "repo", "x-oauth-scopes": "repo"}
    error = map_error(graphql_refusal("FORBIDDEN", "alice does not have permission", **headers))
    assert "needs one of" not in error.suggestion


def test_the_scope_that_graphql_names_counts_and_not_that_of_every_question():
    """(18.9)."""
    text = (
        "Your token has not been granted the required scopes to execute this query. The 'login' field requires one of "
        "the following scopes: ['read:org', 'read:discussion'], but your token has only been granted: ['repo']."
    )
    headers = {"x-accepted-oauth-scopes": "repo", "x-oauth-scopes": "repo"}
    error = map_error(graphql_refusal("INSUFFICIENT_SCOPES", text, **headers))
    assert error.suggestion == "The token needs one of the scopes read:org, read:discussion; it has the scopes repo."


@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        (401, Unauthorized, "Bad"),
        (409, Conflict, "Bad"),
        (410, NotFound, "Bad"),
        (451, Forbidden, "Bad"),
        (400, Rejected, "Bad"),
        (500, Unavailable, "500"),
    ],
)
async def test_each_status_has_its_error(hub, github, status, kind, words):
    error = await reading(hub, github, status, {}, said("Bad"))
    assert type(error) is kind
    assert words in error.message
    assert error.details["status"] == status
    assert error.suggestion


@pytest.mark.parametrize(
    ("errors", "words"),
    [
        ([{"resource": "Issue", "field": "title", "code": "missing_field"}], "Issue.title: missing field"),
        ([{"resource": "Issue", "code": "custom", "message": "body is too long"}], "Issue: body is too long"),
        (["plain words"], "plain words"),
        ("no list", "Validation Failed"),
    ],
)
async def test_what_is_invalid_is_named_field_by_field(hub, github, errors, words):
    error = await writing(hub, github, 422, {}, said("Validation Failed", errors=errors))
    assert type(error) is Rejected
    assert words in error.message


async def test_an_archived_repository_is_named(hub, github):
    error = await writing(hub, github, 403, {}, said("Repository was archived so is read-only."))
    assert (type(error), str(REPOSITORY) in error.message) == (Archived, True)


async def test_a_locked_conversation_is_named(hub, github):
    error = await writing(hub, github, 403, {}, said("Unable to create comment because issue is locked."))
    assert (type(error), str(ISSUE) in error.message) == (Locked, True)


async def test_what_is_no_object_is_not_taken_for_githubs_words(hub, github):
    error = await reading(hub, github, 403, {"Content-Type": "text/html"}, b"<html>Forbidden by a proxy</html>")
    assert "web page instead of the API" in error.message


@pytest.mark.parametrize(
    ("failed", "meant"),
    [
        ({"type": "NOT_FOUND", "message": "Could not resolve to a node"}, NotFound),
        ({"type": "FORBIDDEN", "message": BY_TOKEN}, Forbidden),
        ({"type": "INSUFFICIENT_SCOPES", "message": "Your token has not been granted the required scopes"}, Forbidden),
        ({"type": "UNPROCESSABLE", "message": "It cannot be done"}, Rejected),
        ({"type": "UNPROCESSABLE", "message": "Repository was archived so is read-only."}, Archived),
        ({"type": "RATE_LIMITED", "message": "API rate limit exceeded"}, RateLimited),
        ({"type": "RATE_LIMIT", "message": "API rate limit exceeded"}, RateLimited),
        ({"type": "MAX_NODE_LIMIT_EXCEEDED", "message": "too many nodes"}, Rejected),
        ({"type": "SOMETHING_NEW", "message": "never seen"}, Rejected),
        ({"message": "Something went wrong while executing your query."}, Unclear),
    ],
)
async def test_an_error_within_a_graphql_success_is_an_error(hub, github, thread_row, failed, meant):
    row = thread_row() | {"pullRequest": {"id": "PR_2"}}
    hub.answers["query OneThread"] = {"data": {"repository": {"pullRequest": {"id": "PR_2"}}, "node": row}}
    hub.answers["mutation Resolve"] = {"data": {"resolveReviewThread": None}, "errors": [failed]}
    async with github(hub.url) as forge:
        with pytest.raises(meant) as caught:
            await forge.threads.resolve(PR, "PRRT_1")
    assert type(caught.value) is meant
    assert not isinstance(caught.value, Unsupported)
