"""A response of a forge becomes JSON or one error."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from stithy_core.errors import (
    Conflict,
    Forbidden,
    ForgeError,
    NotFound,
    NotTheApi,
    RateLimited,
    Rejected,
    TooLarge,
    Unauthorized,
    Unavailable,
    Unclear,
)

pytestmark = pytest.mark.anyio

REFUSALS = [
    (400, Rejected),
    (401, Unauthorized),
    (403, Forbidden),
    (404, NotFound),
    (405, Rejected),
    (409, Conflict),
    (410, NotFound),
    (412, Conflict),
    (413, Rejected),
    (418, Rejected),
    (422, Rejected),
    (423, Conflict),
    (429, RateLimited),
]


async def refusal(awaited, kind=ForgeError):
    with pytest.raises(kind) as caught:
        await awaited
    assert type(caught.value) is kind or kind is ForgeError
    return caught.value


async def test_json_is_read(server, http):
    server.answer("GET /x", 200, {"a": [1, "ü"]})
    assert await http.get("/x") == {"a": [1, "ü"]}


async def test_the_path_is_below_the_forges_url(server, make):
    server.answer("GET /sub/x", 200, 1)
    assert await make(server.url + "/sub/").get("/x") == 1


async def test_a_query_is_escaped(server, http):
    server.answer("GET /x", 200, [])
    await http.get("/x", since="2026-01-31T12:00:00+00:00", limit=5)
    assert server.targets == ["GET /x?since=2026-01-31T12%3A00%3A00%2B00%3A00&limit=5"]


@pytest.mark.parametrize("status", [200, 201, 204])
async def test_a_success_without_a_body_is_none(server, http, status):
    server.answer("DELETE /x", status)
    assert await http.send("DELETE", "/x") is None


async def test_an_empty_body_is_none_for_a_read_too(server, http):
    server.answer("GET /x", 204)
    assert await http.get("/x") is None


@pytest.mark.parametrize(("status", "kind"), REFUSALS)
async def test_a_refused_read_is_the_error_of_its_status(server, http, status, kind):
    server.answer("GET /x", status, {"message": "so it is"})
    error = await refusal(http.get("/x"), kind)
    assert error.message == f"work answered {status}: so it is"


@pytest.mark.parametrize(("status", "kind"), REFUSALS)
async def test_a_refused_write_is_the_same_error(server, http, status, kind):
    server.answer("POST /x", status, {"message": "so it is"})
    await refusal(http.send("POST", "/x", {}), kind)


async def test_the_upstreams_own_words_stay_in_the_details(server, http):
    server.answer("GET /x", 422, {"message": "bad body"})
    error = await refusal(http.get("/x"))
    assert error.details == {"forge": "work", "status": 422, "message": "bad body"}


@pytest.mark.parametrize("body", [None, b"no JSON", [1], {"message": None}, {"other": 1}])
async def test_a_refusal_without_words_still_says_its_status(server, http, body):
    server.answer("GET /x", 403, body)
    assert (await refusal(http.get("/x"), Forbidden)).message == "work answered 403"


async def test_a_very_long_upstream_message_is_cut(server, http):
    server.answer("GET /x", 422, {"message": "m" * 10_000})
    assert len((await refusal(http.get("/x"))).details["message"]) == 500


@pytest.mark.parametrize("status", [500, 502, 503, 504])
async def test_a_read_that_the_server_failed_at_is_unavailable(server, http, status):
    server.answer("GET /x", status, {"message": "oh"})
    assert (await refusal(http.get("/x"), Unavailable)).details["status"] == status


@pytest.mark.parametrize("status", [500, 502, 503, 504])
async def test_a_write_that_the_server_failed_at_is_unclear(server, http, status):
    server.answer("POST /x", status, {"message": "oh"})
    assert (await refusal(http.send("POST", "/x", {}), Unclear)).details["status"] == status


@pytest.mark.parametrize(("given", "seconds"), [("17", 17.0), ("0", 0.0), ("soon", 60.0), ("-5", 60.0), ("1.5", 60.0)])
async def test_how_long_to_wait_is_read_in_seconds(server, http, given, seconds):
    server.answer("GET /x", 429, retry_after=given)
    assert (await refusal(http.get("/x"), RateLimited)).retry_after == seconds


async def test_how_long_to_wait_is_read_from_a_date(server, http):
    at = datetime.now(UTC) + timedelta(seconds=60)
    server.answer("GET /x", 429, retry_after=format_datetime(at, usegmt=True))
    assert 55 < (await refusal(http.get("/x"), RateLimited)).retry_after <= 60


async def test_a_date_gone_by_means_no_wait(server, http):
    server.answer("GET /x", 503, retry_after="Wed, 21 Oct 2015 07:28:00 GMT")
    assert (await refusal(http.get("/x"), Unavailable)).retry_after == 0


async def test_without_the_header_it_is_a_minute(server, http):
    server.answer("GET /x", 429)
    assert (await refusal(http.get("/x"), RateLimited)).retry_after == 60


async def test_a_wait_longer_than_any_number_is_not_taken(server, http):
    """JSON has no infinity, which so many digits would become."""
    server.answer("GET /x", 429, retry_after="9" * 400)
    assert (await refusal(http.get("/x"), RateLimited)).retry_after == 60


@pytest.mark.parametrize("status", [200, 401, 403, 404])
async def test_a_web_page_in_answer_to_a_read_is_not_the_api(server, http, status):
    server.page("GET /x", status)
    error = await refusal(http.get("/x"), NotTheApi)
    assert "web page" in error.message
    assert "proxy" in error.suggestion


async def test_a_web_page_behind_a_server_error_is_still_a_server_error(server, http):
    server.page("GET /x", 502)
    server.page("POST /x", 502)
    await refusal(http.get("/x"), Unavailable)
    await refusal(http.send("POST", "/x", {}), Unclear)


async def test_a_web_page_in_answer_to_a_write_leaves_it_unclear(server, http):
    server.page("POST /x", 200)
    await refusal(http.send("POST", "/x", {}), Unclear)


async def test_a_web_page_that_refuses_a_write_is_not_the_api(server, http):
    server.page("POST /x", 403)
    await refusal(http.send("POST", "/x", {}), NotTheApi)


BROKEN = [b'{"a": ', b"\xff\xfe", b"[" * 100_000, b"1" * 5_000]


@pytest.mark.parametrize("body", BROKEN, ids=["cut off", "no UTF-8", "nested too deep", "too many digits"])
async def test_a_read_of_no_json_is_not_the_api(server, http, body):
    server.answer("GET /x", 200, body)
    assert "not JSON" in (await refusal(http.get("/x"), NotTheApi)).message


@pytest.mark.parametrize("body", BROKEN, ids=["cut off", "no UTF-8", "nested too deep", "too many digits"])
async def test_a_write_answered_with_no_json_is_unclear(server, http, body):
    server.answer("POST /x", 201, body)
    assert "not JSON" in (await refusal(http.send("POST", "/x", {}), Unclear)).message


async def test_a_body_shorter_than_announced_is_no_answer(server, http):
    server.answer("GET /x", 200, b'{"a": 1}', content_length=100)
    server.answer("POST /x", 201, b'{"a": 1}', content_length=100)
    await refusal(http.get("/x"), Unavailable)
    await refusal(http.send("POST", "/x", {}), Unclear)


async def test_a_body_over_the_cap_is_cut_off(server, http):
    server.answer("GET /x", 200, b'"' + b"a" * 30_000_000 + b'"')
    assert "over 20,971,520 bytes" in (await refusal(http.get("/x"), TooLarge)).message


async def test_a_write_whose_answer_is_over_the_cap_is_unclear(server, http):
    server.answer("POST /x", 201, b'"' + b"a" * 30_000_000 + b'"')
    await refusal(http.send("POST", "/x", {}), Unclear)


async def test_an_undecompressable_answer_is_not_the_api(server, http):
    server.answer("GET /x", 200, b"no gzip", content_encoding="gzip")
    server.answer("POST /x", 200, b"no gzip", content_encoding="gzip")
    assert "decompressed" in (await refusal(http.get("/x"), NotTheApi)).message
    await refusal(http.send("POST", "/x", {}), Unclear)
