"""Redirects: a read follows them within the forge, a write never, and the token leaves the forge never."""

import pytest

from stithy_core.errors import Moved

pytestmark = pytest.mark.anyio


@pytest.fixture
async def elsewhere(start):
    """Another server, that would answer."""
    other = await start()
    other.answer("GET /x", 200, "stolen")
    other.answer("POST /x", 201, "stolen")
    return other


async def catch_moved(awaited):
    with pytest.raises(Moved) as caught:
        await awaited
    return caught.value


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_read_is_followed_within_the_forge(server, http, status):
    server.redirect("GET /old", "/new?page=2", status)
    server.answer("GET /new", 200, "here")
    assert await http.get("/old") == "here"
    assert server.targets == ["GET /old", "GET /new?page=2"]


async def test_the_token_is_sent_to_where_the_forge_itself_leads(server, http, secret):
    server.redirect("GET /old", "/new")
    server.answer("GET /new", 200, "here")
    await http.get("/old")
    assert [request.headers["authorization"] for request in server.received] == [f"Bearer {secret}"] * 2


async def test_a_read_is_not_followed_to_another_host(server, http, elsewhere):
    server.redirect("GET /x", f"{elsewhere.url}/x")
    error = await catch_moved(http.get("/x"))
    assert error.details["location"] == f"{elsewhere.url}/x"
    assert elsewhere.received == []


async def test_a_read_is_not_followed_from_where_the_forge_led_to_another_host(server, http, elsewhere):
    server.redirect("GET /old", "/x")
    server.redirect("GET /x", f"{elsewhere.url}/x")
    await catch_moved(http.get("/old"))
    assert elsewhere.received == []


async def test_another_scheme_is_another_place(server, http):
    server.redirect("GET /x", server.url.replace("http:", "https:") + "/x")
    await catch_moved(http.get("/x"))
    assert server.targets == ["GET /x"]


async def test_a_loop_ends(server, http):
    server.redirect("GET /x", "/x")
    assert (await catch_moved(http.get("/x"))).details["status"] == 302
    assert len(server.received) == 4


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_write_is_not_followed_within_the_forge(server, http, status):
    server.redirect("POST /x", "/y", status)
    error = await catch_moved(http.send("POST", "/x", {}))
    assert error.details["location"] == f"{server.url}/y"
    assert error.suggestion.startswith("Nothing was sent there.")
    assert server.targets == ["POST /x"]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
async def test_a_write_is_not_followed_to_another_host(server, http, elsewhere, method):
    server.redirect(f"{method} /x", f"{elsewhere.url}/x", 307)
    await catch_moved(http.send(method, "/x", {}))
    assert elsewhere.received == []


@pytest.mark.parametrize("to", ["http://[half", "http://a:99999/", "//", "http://x/\x01", "mailto:a@b.example"])
async def test_a_place_where_nothing_can_be_is_only_told(server, http, to):
    server.redirect("GET /x", to)
    server.redirect("POST /x", to)
    assert (await catch_moved(http.get("/x"))).details["status"] == 302
    await catch_moved(http.send("POST", "/x", {}))


async def test_a_redirect_without_a_place_is_one_still(server, http):
    server.answer("GET /x", 304)
    assert "location" not in (await catch_moved(http.get("/x"))).details


async def test_a_login_page_elsewhere_is_named_as_the_place(server, http, elsewhere):
    """A proxy that wants a log-in sends reads away: the place it names tells its user more than anything."""
    server.redirect("GET /x", f"{elsewhere.url}/login", content_type="text/html")
    assert "/login" in (await catch_moved(http.get("/x"))).details["location"]
