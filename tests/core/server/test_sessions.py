"""Who calls: the one user of standard input and output, or one of many over HTTP."""

from types import SimpleNamespace

from starlette.requests import Request

from stithy_core.server.tool_requests import CALLER_KEY, session_key
from stithy_core.spi.call_state import use_delegated_tokens


def session(name="", session_id="", token=""):
    """Return the session of a caller that was authenticated under a name, with a forge token of its own."""
    headers = [(b"mcp-session-id", session_id.encode())] if session_id else []
    scope = {"type": "http", "headers": headers, CALLER_KEY: name}
    with use_delegated_tokens({"work": token} if token else {}):
        return session_key(SimpleNamespace(request=Request(scope)))


def test_without_http_there_is_one_user():
    assert session_key(SimpleNamespace(request=None)) is None


def test_over_http_there_is_never_one_user():
    assert session() is not None


def test_callers_are_told_apart_by_name_and_by_forge_token():
    """A gateway may send the requests of all callers with one bearer token."""
    told = [session("ada"), session("bob"), session("ada", token="one"), session("ada", token="two")]
    assert len(set(told)) == len(told)


def test_a_session_that_the_client_made_up_does_not_count():
    """One caller could have as many shares of the server as it has ideas."""
    assert session("ada", "a") == session("ada", "b") == session("ada")


def test_session_keys_hold_no_token():
    assert "secret" not in session("ada", token="secret-of-a-caller")
