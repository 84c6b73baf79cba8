"""Error responses of GitHub, in the order in which it documents them, as the forge maps them."""

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


def error_body(message, **more):
    return {"message": message, "documentation_url": "https://docs.github.com/rest"} | more


async def read_error(hub, github, status, headers, body):
    """Read an issue, and return the error."""
    hub.answers[READ] = (status, headers, body)
    async with github(hub.url) as forge:
        with pytest.raises(ForgeError) as caught:
            await forge.issues.get(ISSUE)
    return caught.value


async def write_error(hub, github, status, headers, body):
    """Write a comment, and return the error."""
    hub.answers[WRITE] = (status, headers, body)
    async with github(hub.url) as forge:
        with pytest.raises(ForgeError) as caught:
            await forge.comments.create(ISSUE, "Hello.")
    assert hub.names().count(WRITE) == 1
    return caught.value


@pytest.mark.parametrize(
    ("answer", "wait"),
    [
        ((403, {"Retry-After": "42"}, error_body(SECONDARY)), 42),
        ((429, {"Retry-After": "42", "X-RateLimit-Remaining": "0"}, error_body("API rate limit exceeded")), 42),
        ((403, {}, error_body(SECONDARY)), 60),
        ((403, {}, error_body(ABUSE)), 60),
        ((429, {}, error_body("Too many requests")), 60),
        ((422, {}, error_body("Validation Failed: was submitted too quickly")), 60),
    ],
)
async def test_a_rate_limit_is_distinguished_from_a_missing_permission(hub, github, answer, wait):
    error = await write_error(hub, github, *answer)
    assert (type(error), error.retry_after) == (RateLimited, pytest.approx(wait, abs=1))


@pytest.mark.parametrize("status", [403, 429])
async def test_an_exhausted_rate_limit_waits_for_its_reset_by_the_servers_clock(hub, github, status):
    late = time.time() - 5_000
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(late) + 100), "X-RateLimit-Limit": "60"}
    hub.date = formatdate(late, usegmt=True)
    error = await read_error(hub, github, status, headers, error_body("API rate limit exceeded for 192.0.2.1."))
    assert type(error) is RateLimited
    assert error.retry_after == pytest.approx(101, abs=2)


@pytest.mark.parametrize("reset", [{}, {"X-RateLimit-Reset": "soon"}, {"X-RateLimit-Reset": "9" * 30}])
async def test_an_exhausted_rate_limit_without_a_valid_reset_waits_a_minute(hub, github, reset):
    headers = {"X-RateLimit-Remaining": "0"} | reset
    error = await write_error(hub, github, 403, headers, error_body("API rate limit exceeded for 192.0.2.1."))
    assert (type(error), error.retry_after) == (RateLimited, pytest.approx(60, abs=1))


async def test_a_success_that_exhausts_the_rate_limit_is_a_success(hub, github):
    hub.answers["GET /repos/octo/hello/issues/1/comments"] = (200, {"X-RateLimit-Remaining": "0"}, [])
    async with github(hub.url) as forge:
        assert list(await forge.comments.list(ISSUE)) == []


async def test_a_retry_after_date_is_read_by_the_servers_clock(hub, github):
    hub.date = formatdate(late := time.time() - 5_000, usegmt=True)
    error = await read_error(
        hub, github, 403, {"Retry-After": formatdate(late + 42, usegmt=True)}, error_body(SECONDARY)
    )
    assert (type(error), error.retry_after) == (RateLimited, pytest.approx(42, abs=2))


async def test_too_many_login_attempts_name_the_token_and_the_wait(hub, github):
    text = "Maximum number of login attempts exceeded. Please try again later."
    error = await read_error(hub, github, 403, {}, error_body(text))
    assert (type(error), error.retry_after) == (Forbidden, 60)
    assert error.suggestion.startswith("Check the token")


async def test_single_sign_on_names_the_page_to_authorise_the_token(hub, github):
    page = "https://github.com/orgs/octo/sso?authorization_request=AZ"
    error = await read_error(
        hub, github, 403, {"X-GitHub-SSO": f"required; url={page}"}, error_body("Resource protected")
    )
    assert type(error) is Forbidden
    assert page in error.suggestion


@pytest.mark.parametrize(
    ("headers", "remedy"),
    [
        ({"X-Accepted-GitHub-Permissions": "issues=read"}, "the permission issues=read"),
        ({"X-Accepted-OAuth-Scopes": "repo", "X-OAuth-Scopes": "gist"}, "the scopes repo"),
        ({"X-Accepted-OAuth-Scopes": "repo", "X-OAuth-Scopes": "gist"}, "it has the scopes gist"),
        ({}, "lacks the permission"),
        ({"X-Accepted-OAuth-Scopes": "repo", "X-OAuth-Scopes": ""}, "it has the scopes none"),
        ({"X-Accepted-OAuth-Scopes": "read:org, repo", "X-OAuth-Scopes": "gist"}, "one of the scopes read:org, repo;"),
    ],
)
async def test_a_missing_permission_is_named(hub, github, headers, remedy):
    error = await read_error(hub, github, 403, headers, error_body(BY_TOKEN))
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
async def test_a_scope_that_the_token_has_is_not_suggested(hub, github, accepted, held):
    """The token has the scope, or a wider one, or none is needed."""
    headers = {"X-Accepted-OAuth-Scopes": accepted, "X-OAuth-Scopes": held}
    headers["X-Accepted-GitHub-Permissions"] = "issues=read"
    error = await read_error(hub, github, 403, headers, error_body("Must have admin rights to Repository."))
    assert "needs one of" not in error.suggestion
    assert "permission" not in error.suggestion
    assert "its user lacks a role" in error.suggestion


def graphql_refusal(kind, text, **headers):
    """Create the answer of GitHub's GraphQL API to a token that lacks a permission."""
    body = {"data": None, "errors": [{"type": kind, "message": text}]}
    return ErrorResponse(status=200, message=text, headers=headers, body=body, writing=False)


def test_an_error_of_graphql_is_compared_with_the_tokens_scopes():
    headers = {"x-accepted-oauth-scopes": "repo", "x-oauth-scopes": "repo"}
    error = map_error(graphql_refusal("FORBIDDEN", "alice does not have permission", **headers))
    assert "needs one of" not in error.suggestion


def test_the_scopes_in_the_message_of_graphql_take_precedence():
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
    error = await read_error(hub, github, status, {}, error_body("Bad"))
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
async def test_invalid_fields_are_named(hub, github, errors, words):
    error = await write_error(hub, github, 422, {}, error_body("Validation Failed", errors=errors))
    assert type(error) is Rejected
    assert words in error.message


async def test_an_archived_repository_is_named(hub, github):
    error = await write_error(hub, github, 403, {}, error_body("Repository was archived so is read-only."))
    assert (type(error), str(REPOSITORY) in error.message) == (Archived, True)


async def test_a_locked_conversation_is_named(hub, github):
    error = await write_error(hub, github, 403, {}, error_body("Unable to create comment because issue is locked."))
    assert (type(error), str(ISSUE) in error.message) == (Locked, True)


async def test_the_web_page_of_a_proxy_is_not_githubs_message(hub, github):
    error = await read_error(hub, github, 403, {"Content-Type": "text/html"}, b"<html>Forbidden by a proxy</html>")
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
