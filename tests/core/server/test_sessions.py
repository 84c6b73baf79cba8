"""Who calls: the one user of standard input and output, or one of many over HTTP."""

from types import SimpleNamespace

import pytest
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.requests import Request

from stithy_core.server.sessions import session_of


def caller(session="", subject="", token="secret-of-a-caller"):
    """Make what the SDK hands over for a request over HTTP."""
    headers = [(b"mcp-session-id", session.encode())] if session else []
    scope = {"type": "http", "headers": headers}
    if subject:
        scope["user"] = AuthenticatedUser(AccessToken(token=token, client_id="app", scopes=[], subject=subject))
    return SimpleNamespace(request=Request(scope))


def test_without_http_there_is_one_user():
    assert session_of(SimpleNamespace(request=None)) is None


def test_over_http_there_is_never_one_user():
    assert session_of(caller()) is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (caller("a"), caller("b")),
        (caller("a"), caller()),
        (caller(subject="ada"), caller(subject="bob")),
        (caller("a", "ada"), caller("a", "bob")),
        (caller("a", "ada"), caller("a")),
    ],
)
def test_sessions_and_users_are_told_apart(one, other):
    assert session_of(one) != session_of(other)


def test_a_renewed_token_is_of_the_same_user():
    assert session_of(caller("a", "ada")) == session_of(caller("a", "ada", "another-secret"))


def test_what_tells_them_apart_holds_no_token():
    assert "secret" not in session_of(caller("a", "ada"))
