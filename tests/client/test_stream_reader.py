"""Streams: read wherever the forge keeps them, without its token on other hosts, up to a size."""

import asyncio

import httpx
import pytest

from stithy_core.errors import Forbidden, Moved, NotFound, NotTheApi, Rejected, TooLarge, Unavailable
from stithy_core.http import forge_urls
from stithy_core.spi import Dialect

pytestmark = pytest.mark.anyio

SIGNED = "/log?sig=S1GNATURE&se=2026"


async def read(http, path="/x", **options):
    return b"".join([chunk async for chunk in http.stream(path, **options)])


async def failure(http, kind, **options):
    with pytest.raises(kind) as caught:
        await read(http, **options)
    assert "S1GNATURE" not in str(caught.value.as_dict()) + repr(caught.value.__cause__)
    return caught.value


@pytest.fixture
async def elsewhere(start, server):
    """Where the forge keeps its logs."""
    store = await start()
    store.answer("GET /log", 200, b"line 1\nline 2\n", content_type="text/plain")
    server.redirect("GET /x", store.url + SIGNED)
    return store


async def test_bytes_come_as_they_are(server, http):
    server.answer("GET /x", 200, b"\x00\xff\r\n", content_type="application/octet-stream")
    assert await read(http) == b"\x00\xff\r\n"


async def test_a_media_type_can_be_asked_for(server, http, secret):
    server.answer("GET /x", 200, b"diff")
    await read(http, accept="application/vnd.github.diff")
    headers = server.received[0].headers
    assert (headers["accept"], headers["authorization"]) == ("application/vnd.github.diff", f"Bearer {secret}")


async def test_a_page_is_as_good_as_a_log(server, http):
    server.page("GET /x", 200)
    assert (await read(http)).startswith(b"<html>")


async def test_bytes_are_given_before_the_last_one_came(server, http):
    arrived = asyncio.Event()

    async def two(_):
        yield b"HTTP/1.1 200 -\r\ncontent-length: 11\r\n\r\nfirst"
        await arrived.wait()
        yield b"second"

    server.answers["GET /x"] = two
    stream = http.stream("/x")
    assert await anext(stream) == b"first"
    arrived.set()
    assert [chunk async for chunk in stream] == [b"second"]


async def test_it_is_followed_to_another_host_without_anything_of_the_forges(server, make, elsewhere):
    http = make(server.url, dialect=Dialect(headers={"X-GitHub-Api-Version": "2022-11-28", "Accept": "application/x"}))
    assert await read(http) == b"line 1\nline 2\n"
    assert elsewhere.targets == [f"GET {SIGNED}"]
    assert not {"authorization", "x-github-api-version", "accept", "cookie"} & elsewhere.received[0].headers.keys()


async def test_it_is_followed_within_the_forge_with_its_token(server, http, secret):
    server.redirect("GET /x", "/y")
    server.answer("GET /y", 200, b"log")
    assert await read(http) == b"log"
    assert server.received[1].headers["authorization"] == f"Bearer {secret}"


async def test_once_away_the_token_stays_away(server, http, elsewhere):
    elsewhere.redirect("GET /log", f"{server.url}/back")
    server.answer("GET /back", 200, b"log")
    assert await read(http) == b"log"
    assert "authorization" not in server.received[1].headers


async def test_it_is_not_followed_on_and_on(server, http):
    server.redirect("GET /x", "/x")
    await failure(http, Moved)
    assert len(server.received) == 4


@pytest.mark.parametrize(("status", "kind"), [(404, NotFound), (410, NotFound), (403, Unavailable), (400, Unavailable)])
async def test_a_redirect_targets_refusal_is_reported_without_its_url(server, http, elsewhere, status, kind):
    elsewhere.answer("GET /log", status, b"<Error>S1GNATURE did not match</Error>", content_type="application/xml")
    assert (await failure(http, kind)).message == f"127.0.0.1, to which work leads, answered {status}"


async def test_another_host_that_is_not_there_is_named(server, http, elsewhere):
    elsewhere.lose("GET /log")
    error = await failure(http, Unavailable)
    assert error.message.startswith("127.0.0.1, to which work leads, gave no answer")
    assert error.details == {"forge": "work", "host": "127.0.0.1"}


async def test_another_host_whose_body_breaks_off_is_named(server, http, elsewhere):
    elsewhere.answer("GET /log", 200, b"half", content_length=100)
    assert (await failure(http, Unavailable)).message.startswith("127.0.0.1, to which work leads, gave no answer")


async def test_the_dialect_is_not_asked_about_another_host(server, make, elsewhere):
    http = make(server.url, dialect=Dialect(map_error=lambda _: Forbidden("of the forge")))
    elsewhere.answer("GET /log", 404)
    await failure(http, NotFound)


async def test_a_refusal_of_the_forge_is_its_error(server, http):
    server.answer("GET /x", 410, {"message": "gone"})
    assert (await failure(http, NotFound)).message == "work answered 410: gone"


async def test_the_log_names_no_signed_place(server, http, elsewhere, caplog):
    caplog.set_level("DEBUG")
    await read(http)
    elsewhere.answer("GET /log", 404)
    await failure(http, NotFound)
    assert "S1GNATURE" not in caplog.text


@pytest.mark.parametrize("to", ["http://other.example/log", "ftp://other.example/log"])
async def test_from_https_it_leads_to_https_only(make, to):
    asked = []

    def answer(request):
        asked.append(request.url.host)
        return httpx.Response(302, headers={"location": to})

    error = await failure(make("https://git.example", transport=httpx.MockTransport(answer)), Rejected)
    assert "redirects from https to" in error.message
    assert asked == ["git.example"]


PRIVATE = ["127.0.0.1", "10.1.2.3", "169.254.169.254", "192.168.0.1", "100.64.0.1", "[::1]", "[fd00::1]", "localhost"]
PRIVATE += ["[::ffff:10.0.0.1]", "2130706433", "0.0.0.0"]


@pytest.mark.parametrize("host", PRIVATE)
async def test_a_public_forge_leads_to_no_private_place(make, host):
    """There may be what answers anybody, such as a cloud's own address for credentials."""
    asked = []

    def answer(request):
        asked.append(request.url.host)
        return httpx.Response(302, headers={"location": f"https://{host}/secrets"})

    error = await failure(make("https://8.8.8.8", transport=httpx.MockTransport(answer)), Rejected)
    assert "leads to a private one" in error.message
    assert asked == ["8.8.8.8"]


async def test_a_public_forge_leads_to_public_places(make, monkeypatch):
    async def addresses_of(host):
        return {"git.example": ["8.8.8.8"], "store.example": ["8.8.4.4", "2606:4700::1111"]}[host]

    def answer(request):
        to = {"location": "https://store.example/log"}
        return httpx.Response(200, content=b"log") if request.url.path == "/log" else httpx.Response(302, headers=to)

    monkeypatch.setattr(forge_urls, "resolve_host", addresses_of)
    assert await read(make("https://git.example", transport=httpx.MockTransport(answer))) == b"log"


async def test_a_too_large_stream_is_read_up_to_the_limit(server, http):
    server.answer("GET /x", 200, b"a" * 300_000)
    given = []
    with pytest.raises(TooLarge, match="more than 100,000 bytes at /x"):
        given += [given.append(chunk) async for chunk in http.stream("/x", most=100_000)]
    assert 0 < sum(map(len, given)) <= 100_000


async def test_a_stream_of_exactly_the_limit_is_read(server, http):
    server.answer("GET /x", 200, b"a" * 1_000)
    assert len(await read(http, most=1_000)) == 1_000


async def test_a_compressed_stream_is_decompressed_and_counted_as_that(server, http, gzipped):
    server.answer("GET /x", 200, gzipped(bytes(500_000)), content_encoding="gzip")
    assert await read(http) == bytes(500_000)
    await failure(http, TooLarge, most=400_000)


async def test_an_answer_that_breaks_off_is_no_whole_one(server, http, gzipped):
    server.answer("GET /x", 200, b"half", content_length=100)
    await failure(http, Unavailable)
    server.answer("GET /x", 200, gzipped(b"a" * 100)[:-9], content_encoding="gzip")
    await failure(http, NotTheApi)


async def test_a_stream_that_nobody_reads_on_ends(server, http):
    server.answer("GET /x", 200, b"a" * 10_000_000)
    stream = http.stream("/x")
    await anext(stream)
    await stream.aclose()
    server.answer("GET /x", 200, b"log")
    assert await read(http) == b"log"


async def test_a_stream_to_another_host_by_its_url_is_not_opened(http):
    with pytest.raises(Rejected, match="another host"):
        await read(http, "https://other.example/log?sig=S1GNATURE")
