"""The cache: each entry is confirmed before it is returned, belongs to one token, and is of a complete success."""

import asyncio
from contextlib import suppress

import pytest

from stithy_core.errors import ForgeError, NotTheApi
from stithy_core.http import open_store, response_cache
from stithy_core.http.memory_store import MemoryStore
from stithy_core.spi import Dialect

pytestmark = pytest.mark.anyio

NOW = "Wed, 21 Oct 2026 07:28:00 GMT"
EARLIER = "Wed, 21 Oct 2026 07:27:00 GMT"


@pytest.fixture
async def store():
    store = open_store("memory:")
    yield store
    await store.aclose()


@pytest.fixture
def http(make, server, store):
    return make(server.url, store=store)


def conditions(server):
    return [request.headers.get("if-none-match") for request in server.received]


async def test_a_copy_that_the_forge_confirms_is_given_again(server, http, say):
    server.turns("GET /x", say(200, {"a": 1}, etag='"1"'), say(304))
    assert [await http.get("/x"), await http.get("/x")] == [{"a": 1}] * 2
    assert conditions(server) == [None, '"1"']
    assert http.counts.confirmed == 1


async def test_a_copy_is_never_given_without_asking(server, http):
    server.answer("GET /x", 200, "fresh", etag='"1"', cache_control="private, max-age=60")
    await http.get("/x")
    server.answer("GET /x", 200, "changed", etag='"2"')
    assert await http.get("/x") == "changed"


async def test_no_cache_on_the_way_may_answer(server, http):
    server.answer("GET /x", 200, 1)
    await http.get("/x")
    assert server.received[0].headers["cache-control"] == "no-cache"


async def test_a_changed_answer_replaces_the_copy(server, http, say):
    server.turns("GET /x", say(200, 1, etag='"1"'), say(200, 2, etag='"2"'), say(304))
    assert [await http.get("/x") for _ in range(3)] == [1, 2, 2]
    assert conditions(server) == [None, '"1"', '"2"']


async def test_a_confirmation_keeps_the_link_to_the_next_page(server, http, say):
    """GitHub leaves it out of a 304, and later pages would be lost."""
    server.turns("GET /x", say(200, 1, etag='"1"', link='</x?page=2>; rel="next"', x_total_count=9), say(304))
    first, second = await http.fetch("/x"), await http.fetch("/x")
    assert second.headers["link"] == first.headers["link"]
    assert second.headers["x-total-count"] == "9"


async def test_a_confirmation_brings_its_own_headers_along(server, http, say):
    server.turns("GET /x", say(200, 1, etag='"1"', x_oauth_scopes="repo"), say(304, x_oauth_scopes="none"))
    await http.get("/x")
    headers = (await http.fetch("/x")).headers
    assert headers["x-oauth-scopes"] == "none"
    assert headers["content-type"] == "application/json"


async def test_the_clock_follows_the_confirmation(server, http, say):
    server.turns("GET /x", say(200, 1, etag='"1"', date=EARLIER), say(304, date=NOW))
    await http.get("/x")
    await http.get("/x")
    assert (http.now().hour, http.now().minute) == (7, 28)


async def test_another_token_gets_no_copy_and_no_condition(server, make, store, tokens, say):
    """Token B must see neither A's answer nor send A's validator."""
    server.turns("GET /x", say(200, "A's", etag='"A"'), say(200, "B's", etag='"B"'))
    assert await make(server.url, store=store, tokens=tokens("A")).get("/x") == "A's"
    assert await make(server.url, store=store, tokens=tokens("B")).get("/x") == "B's"
    assert conditions(server) == [None, None]


async def test_no_token_is_another_token(server, make, store, tokens):
    server.answer("GET /x", 200, 1, etag='"1"')
    await make(server.url, store=store).get("/x")
    await make(server.url, store=store, tokens=tokens(None)).get("/x")
    assert conditions(server) == [None, None]


async def test_another_media_type_or_version_is_another_answer(server, make, store):
    server.answer("GET /x", 200, 1, etag='"1"')
    for headers in ({}, {"Accept": "application/vnd.other+json"}, {"X-Api-Version": "2"}):
        await make(server.url, store=store, dialect=Dialect(headers=headers)).get("/x")
    assert conditions(server) == [None] * 3


async def test_a_copy_is_shared_by_clients_of_one_token(server, make, store, say):
    server.turns("GET /x", say(200, 1, etag='"1"'), say(304))
    assert [await make(server.url, store=store).get("/x") for _ in range(2)] == [1, 1]


async def test_many_readers_are_confirmed_by_one_request(server, http, say):
    server.turns("GET /x", say(200, [1], etag='"1"'), say(304))
    await http.get("/x")
    assert await asyncio.gather(*(http.get("/x") for _ in range(10))) == [[1]] * 10
    assert len(server.received) == 2


async def test_a_settled_time_of_change_is_a_condition(server, http, say):
    server.turns("GET /x", say(200, 1, last_modified=EARLIER, date=NOW), say(304))
    await http.get("/x")
    assert await http.get("/x") == 1
    assert server.received[1].headers["if-modified-since"] == EARLIER


@pytest.mark.parametrize("headers", [{"last_modified": NOW, "date": NOW}, {"last_modified": EARLIER}, {"etag": ""}, {}])
async def test_without_a_condition_that_proves_something_nothing_is_kept(server, http, headers):
    """Within the second of a change, its time is that of what was there before, too."""
    server.answer("GET /x", 200, 1, **headers)
    await http.get("/x")
    await http.get("/x")
    assert not {"if-none-match", "if-modified-since"} & server.received[1].headers.keys()


UNKEPT = {
    "an error": (404, {"message": "no"}, {}),
    "another success": (203, 1, {}),
    "a part": (200, 1, {"content_range": "bytes 0-0/9"}),
    "a page": (200, b"<html>", {"content_type": "text/html"}),
    "no JSON": (200, b'{"a": [1]', {}),
    "not to be stored": (200, 1, {"cache_control": "private, no-store"}),
    "of the moment": (200, 1, {"vary": "*"}),
}


@pytest.mark.parametrize("case", UNKEPT)
async def test_uncacheable_answers_are_not_stored(server, http, case):
    status, body, headers = UNKEPT[case]
    server.answer("GET /x", status, body, **{"etag": '"1"'} | headers)
    for _ in range(2):
        with suppress(ForgeError):
            await http.get("/x")
    assert set(conditions(server)) == {None}


@pytest.mark.parametrize("body", [b"", b"null", b"{}", b'"text"', b"7", b'{"rows": null}'])
async def test_a_broken_body_is_not_kept_with_the_validator_of_the_whole_one(server, http, say, body):
    """Else the server would confirm it for as long as it has the whole one (FIX-6)."""
    server.turns("GET /x", *[say(200, body, etag='"1"')] * 3, say(200, ["a"], etag='"1"'), say(304))
    with pytest.raises(NotTheApi):
        await http.items("/x", size=2)
    assert [(await http.items("/x", size=2)).items for _ in range(2)] == [("a",), ("a",)]
    assert conditions(server) == [None] * 4 + ['"1"']


async def test_a_copy_for_one_question_is_none_for_another(server, http):
    """What is a whole object may be a page without its list (FIX-6)."""
    server.answer("GET /x", 200, {"a": 1}, etag='"1"')
    assert await http.get("/x", limit=2, page=1) == {"a": 1}
    with pytest.raises(NotTheApi):
        await http.items("/x", size=2)
    assert set(conditions(server)) == {None}


async def test_a_body_that_may_be_cut_off_unseen_is_not_kept(server, http):
    """Without a length, the end of the connection is the end of the body, wherever it came."""
    server.answers["GET /x"] = b'HTTP/1.1 200 -\r\netag: "1"\r\nconnection: close\r\n\r\n[1]'
    assert [await http.get("/x"), await http.get("/x")] == [[1], [1]]
    assert conditions(server) == [None, None]


async def test_a_body_over_the_size_is_not_kept(server, http, monkeypatch):
    monkeypatch.setattr(response_cache, "LARGEST", 5)
    server.answer("GET /x", 200, "abcdef", etag='"1"')
    await http.get("/x")
    await http.get("/x")
    assert conditions(server) == [None, None]


async def test_a_confirmation_that_nobody_asked_for_is_no_answer(server, http):
    server.answer("GET /x", 304)
    with pytest.raises(ForgeError):
        await http.get("/x")


async def test_a_copy_outlives_errors(server, http, say):
    server.turns("GET /x", say(200, 1, etag='"1"'), say(500), say(304))
    await http.get("/x")
    with pytest.raises(ForgeError):
        await http.get("/x")
    assert await http.get("/x") == 1


async def test_a_stream_and_a_question_in_graphql_are_not_kept(server, make, store):
    http = make(server.url, store=store, dialect=Dialect(graphql=lambda url: url + "/graphql"))
    server.answer("GET /x", 200, b"log", etag='"1"')
    server.answer("POST /graphql", 200, {"data": {"a": 1}}, etag='"1"')
    for _ in range(2):
        assert [chunk async for chunk in http.stream("/x")] == [b"log"]
        await http.graphql("{ a }", {})
    assert conditions(server) == [None] * 4


async def test_a_damaged_copy_is_none(server, make, say):
    class Damaged(MemoryStore):
        """A store whose values are cut off on the way."""

        async def get(self, key):
            value = await super().get(key)
            return value and value[: self.left]

    store = Damaged()
    http = make(server.url, store=store)
    server.answer("GET /x", 200, ["body"], etag='"1"')
    for store.left in (0, 1, 20, -1):
        assert await http.get("/x") == ["body"]
    assert conditions(server) == [None] * 4


async def test_no_secret_is_in_the_store(server, make, store, secret):
    kept = []
    store.save = lambda key, value: kept.append(key.encode() + value) or store.get(key)
    server.answer("GET /x", 200, 1, etag='"1"', set_cookie="session=s3cret")
    await make(server.url, store=store).get("/x", page=2)
    assert len(kept) == 1
    assert secret.encode() not in kept[0]
    assert b"s3cret" not in kept[0]
    assert server.url.encode() not in kept[0]


async def test_a_compressed_answer_is_kept_as_it_reads(server, http, say, gzipped):
    server.turns("GET /x", say(200, gzipped(b'["a"]'), etag='"1"', content_encoding="gzip"), say(304))
    assert [await http.get("/x"), await http.get("/x")] == [["a"], ["a"]]


async def test_the_page_of_a_proxy_does_not_replace_a_copy(server, http, say):
    page = say(200, b"<html>", content_type="text/html", etag='"p"')
    server.turns("GET /x", say(200, 1, etag='"1"'), page, say(304))
    await http.get("/x")
    with pytest.raises(NotTheApi):
        await http.get("/x")
    assert await http.get("/x") == 1
