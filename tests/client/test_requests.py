"""The requests of the client: headers, queries, bodies, and what is never sent."""

import sys
import time
from datetime import UTC, datetime, timedelta

import pytest

from stithy_core.errors import ForgeError, Refused, Rejected
from stithy_core.http import forge_http
from stithy_core.http.hidden_imports import hide_module
from stithy_core.version import __version__

pytestmark = pytest.mark.anyio


async def test_the_token_is_sent_as_bearer(server, http, secret):
    server.answer("GET /x", 200, 1)
    await http.get("/x")
    request = server.received[0]
    assert request.headers["authorization"] == f"Bearer {secret}"
    assert secret not in request.target


async def test_a_new_token_is_used_at_once(server, make, tokens):
    http = make(server.url, tokens=tokens("first", "second"))
    server.answer("GET /x", 200, 1)
    await http.get("/x")
    await http.get("/x")
    assert [request.headers["authorization"] for request in server.received] == ["Bearer first", "Bearer second"]


async def test_without_a_token_nothing_is_authorized(server, make):
    server.answer("GET /x", 200, 1)
    await make(server.url, tokens=forge_http.NO_TOKENS).get("/x")
    assert "authorization" not in server.received[0].headers


@pytest.mark.parametrize("status", [301, 401, 403, 404, 422, 429, 500])
async def test_the_token_is_in_no_error(server, http, secret, status):
    server.answer("GET /x", status, {"message": "no"}, location="https://other.example/")
    with pytest.raises(ForgeError) as caught:
        await http.get("/x")
    assert secret not in str(caught.value.as_dict()) + repr(caught.value)


async def test_the_token_is_in_no_error_of_the_connection(server, http, secret):
    server.lose("POST /x")
    with pytest.raises(ForgeError) as caught:
        await http.send("POST", "/x", {})
    assert secret not in str(caught.value.as_dict()) + repr(caught.value) + repr(caught.value.__cause__)


async def test_json_is_sent_with_everything_but_ascii_escaped(server, http):
    server.answer("POST /x", 201, {})
    await http.send("POST", "/x", {"body": "grün 🔨\u2028"})
    assert server.received[0].body == b'{"body": "gr\\u00fcn \\ud83d\\udd28\\u2028"}'
    assert server.received[0].headers["content-type"] == "application/json"


async def test_a_write_without_a_body_sends_none(server, http):
    server.answer("DELETE /x", 204)
    await http.send("DELETE", "/x")
    assert server.received[0].body == b""
    assert "content-type" not in server.received[0].headers


@pytest.mark.parametrize("body", [0, False, "", [], {}])
async def test_a_body_that_is_empty_is_one_still(server, http, body):
    server.answer("PUT /x", 200, {})
    await http.send("PUT", "/x", body)
    assert server.received[0].body != b""


@pytest.mark.parametrize("path", ["/repos/../../user", "/repos/%2e%2e/x", "/repos/./x", "/.."])
async def test_a_name_leads_nowhere_else(server, http, path):
    with pytest.raises(Rejected, match="not canonical"):
        await http.get(path)
    assert server.received == []


async def test_dots_in_a_name_are_no_way_out(server, http):
    server.answer("GET /compare/main...greet", 200, 1)
    assert await http.get("/compare/main...greet") == 1


async def test_the_client_says_who_it_is(server, http):
    server.answer("GET /x", 200, 1)
    await http.get("/x")
    assert server.received[0].headers["user-agent"] == f"stithy/{__version__}"
    assert server.received[0].headers["accept"] == "application/json"


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
async def test_a_read_only_forge_is_sent_no_write(server, make, method):
    with pytest.raises(Refused, match="work is read-only here") as caught:
        await make(server.url, read_only=True).send(method, "/x", {})
    assert "[forges.work]" in caught.value.suggestion
    assert server.received == []


async def test_a_read_only_forge_is_read(server, make):
    server.answer("GET /x", 200, 1)
    assert await make(server.url, read_only=True).get("/x") == 1


async def test_the_time_is_the_servers(server, http):
    server.answer("GET /x", 200, 1, date="Wed, 21 Oct 2015 07:28:00 GMT")
    await http.get("/x")
    assert timedelta(0) <= http.now() - datetime(2015, 10, 21, 7, 28, tzinfo=UTC) < timedelta(seconds=30)


async def test_a_refusal_tells_the_time_too(server, http):
    server.answer("GET /x", 404, date="Wed, 21 Oct 2015 07:28:00 GMT")
    with pytest.raises(ForgeError):
        await http.get("/x")
    assert http.now().year == 2015


@pytest.mark.parametrize("date", ["Wed Oct 21 07:28:00 2015", "Wed, 21 Oct 2015 07:28:00 -0000"])
async def test_a_date_without_a_zone_is_in_utc(server, http, date, monkeypatch):
    """As RFC 9110, section 5.6.7, says of the form of asctime, which recipients must accept."""
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        server.answer("GET /x", 200, 1, date=date)
        await http.get("/x")
        assert timedelta(0) <= http.now() - datetime(2015, 10, 21, 7, 28, tzinfo=UTC) < timedelta(seconds=30)
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    "date", [None, "yesterday", "Fri, 31 Dec 9999 23:59:59 -2300", "Fri, 31 Dec 9999 23:59:59 GMT"]
)
async def test_without_a_usable_date_the_time_is_our_own(server, http, date):
    server.answer("GET /x", 200, 1, **({"date": date} if date else {}))
    await http.get("/x")
    assert abs(http.now() - datetime.now(UTC)) < timedelta(seconds=30)


async def test_before_the_first_answer_the_time_is_our_own(http):
    assert abs(http.now() - datetime.now(UTC)) < timedelta(seconds=30)


def test_a_hidden_module_is_importable_afterwards(monkeypatch):
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    with hide_module("colorsys"), pytest.raises(ImportError):
        import colorsys
    import colorsys

    assert colorsys.hsv_to_rgb(0, 0, 1) == (1, 1, 1)
