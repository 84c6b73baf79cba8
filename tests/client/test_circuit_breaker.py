"""The circuit breaker: a host that fails is not asked for a while, and one probe tests if it works again."""

import asyncio

import anyio
import httpx
import pytest

from stithy_core.errors import ForgeError, NotFound, RateLimited, Unavailable
from stithy_core.http import connection_transport, request_sender
from stithy_core.http.memory_store import LocalCircuitBreakers

pytestmark = pytest.mark.anyio


@pytest.fixture
def http(make, server, clock):
    return make(server.url, clock=clock)


async def unavailable(awaited):
    with pytest.raises(Unavailable) as caught:
        await awaited
    return caught.value


async def break_it(http):
    """Fail five times: three attempts of a read, and two of the next."""
    await unavailable(http.get("/down"))
    return await unavailable(http.get("/down"))


@pytest.fixture
def down(server):
    """A forge that fails."""
    server.answer("GET /down", 502)
    server.answer("GET /x", 200, 1)
    return server


async def test_a_host_that_fails_in_a_row_is_left_alone(down, http):
    error = await break_it(http)
    assert error.message.endswith("is not asked for the moment, since it failed several times (it answered 502)")
    assert (await unavailable(http.get("/x"))).retry_after == 15
    assert len(down.received) == 5


async def test_a_write_meets_it_as_something_that_was_not_sent(down, http):
    await break_it(http)
    assert "Nothing was changed" in (await unavailable(http.send("POST", "/x", {}))).suggestion
    assert len(down.received) == 5


async def test_one_request_finds_out_whether_it_is_back(down, http, clock):
    await break_it(http)
    clock.now += 15
    free = down.hold("GET /x", 200, 1)
    probe = asyncio.create_task(http.get("/x"))
    await down.wait_for(6)
    await unavailable(http.get("/y"))
    free.set()
    assert await probe == 1
    assert await http.get("/x") == 1


async def test_a_probe_that_takes_long_is_the_only_one(down, http, clock):
    await break_it(http)
    clock.now += 15
    free = down.hold("GET /x", 200, 1)
    probe = asyncio.create_task(http.get("/x"))
    await down.wait_for(6)
    clock.now += connection_transport.LONGEST
    assert (await unavailable(http.get("/y"))).retry_after <= 15
    assert len(down.received) == 6
    free.set()
    assert await probe == 1


async def test_a_probe_that_fails_leaves_it_alone_again(down, http, clock):
    await break_it(http)
    clock.now += 15
    await unavailable(http.get("/down"))
    assert (await unavailable(http.get("/x"))).retry_after == 15
    assert len(down.received) == 6


async def test_a_probe_that_is_given_up_lets_another_find_out(down, http, clock):
    await break_it(http)
    clock.now += 15
    down.hold("GET /y", 200, 1)
    probe = asyncio.create_task(http.get("/y"))
    await down.wait_for(6)
    probe.cancel()
    await asyncio.wait([probe])
    await down.turned_away.wait()
    assert await http.get("/x") == 1


async def test_a_success_in_between_starts_the_count_again(down, http):
    await unavailable(http.get("/down"))
    await http.get("/x")
    await unavailable(http.get("/down"))
    assert await http.get("/x") == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422, 500])
async def test_refusals_do_not_count_as_a_hosts_failures(server, http, status):
    """Nor is 500: Gitea says it of numbers that are not there."""
    server.answer("GET /no", status)
    server.answer("GET /x", 200, 1)
    for _ in range(6):
        with pytest.raises(ForgeError):
            await http.get("/no")
    assert await http.get("/x") == 1


async def test_a_limit_is_no_failure(server, make, clock):
    http = make(server.url, clock=clock)
    server.answer("GET /no", 429, retry_after=0)
    for _ in range(6):
        with pytest.raises(RateLimited):
            await http.get("/no")
    assert len(server.received) == 6


async def test_lost_answers_are_failures(server, http):
    server.lose("GET /x")
    await unavailable(http.get("/x"))
    assert "is not asked" in (await unavailable(http.get("/x"))).message


async def test_answers_that_never_come_are_failures(server, http, monkeypatch):
    monkeypatch.setattr(request_sender, "TIMEOUT", httpx.Timeout(120, read=0.05))
    server.hang("GET /x")
    for sent in range(1, 6):
        await unavailable(http.get("/x"))
        while len(server.received) < sent:  # the server may be slower than the limit
            await anyio.lowlevel.checkpoint()
    assert "(ReadTimeout)" in (await unavailable(http.get("/x"))).message
    assert len(server.received) == 5


async def test_a_certificate_that_is_not_trusted_goes_on_being_named(make, start, authority):
    secure = await start(authority[0])
    http = make(secure.url)
    for _ in range(6):
        assert "is not trusted" in (await unavailable(http.get("/x"))).message


async def test_a_host_without_an_address_is_named_at_once_each_time(make):
    """A name that does not exist (RFC 6761) is looked up once for each request, and never counts as a failing host."""
    http = make("https://nowhere.invalid")
    for _ in range(6):
        error = await unavailable(http.get("/x"))
        assert error.message.startswith("the host of https://nowhere.invalid has no address")
        assert "DNS" in error.suggestion
    assert http.counts.repeated == 0


async def test_a_port_that_does_not_speak_tls_goes_on_being_named(make):
    async def answer_in_clear(_, writer):
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer_in_clear, "127.0.0.1", 0) as plain:
        http = make(f"https://127.0.0.1:{plain.sockets[0].getsockname()[1]}")
        for _ in range(6):
            assert "no TLS connection to https://127.0.0.1" in (await unavailable(http.get("/x"))).message
        assert http.counts.repeated == 0


async def test_another_host_has_another_breaker(down, http, start):
    """Where logs are kept may be down while the forge is not."""
    store = await start()
    store.answer("GET /log", 503)
    down.redirect("GET /log", f"{store.url}/log")
    for _ in range(2):
        await unavailable(anext(http.stream("/log")))
    error = await unavailable(anext(http.stream("/log")))
    assert error.message.startswith("127.0.0.1, to which work leads, is not asked for the moment")
    assert await http.get("/x") == 1
    assert len(store.received) == 5


async def test_each_host_is_told_its_own_failure(down, http, start):
    store = await start()
    store.answer("GET /log", 503)
    down.redirect("GET /log", f"{store.url}/log")
    for _ in range(2):
        await unavailable(anext(http.stream("/log")))
    await unavailable(http.get("/down"))
    assert "(it answered 503)" in (await unavailable(anext(http.stream("/log")))).message


async def test_absence_is_no_failure_of_a_store_of_logs(down, http, start):
    store = await start()
    down.redirect("GET /log", f"{store.url}/log")
    for _ in range(6):
        with pytest.raises(NotFound):
            await anext(http.stream("/log"))


async def test_hosts_are_not_kept_without_end():
    local = LocalCircuitBreakers()
    for number in range(1_500):
        await local.record_failure(str(number), await local.admit(str(number), 0), 0, "")
    assert len(local._circuits) == 1_000
