"""The store in Redis: several replicas share it, and without it each works alone."""

import asyncio
import logging
import socket

import fakeredis
import pytest
from last_pages import SIZE, STYLES, read_while_rows_are_added
from redis.exceptions import BusyLoadingError, OutOfMemoryError, ReadOnlyError

from stithy_core.errors import ConfigError, RateLimited, Unavailable
from stithy_core.http.memory_store import MemoryStore
from stithy_redis import connection
from stithy_redis.redis_store import KEPT, RedisStore

pytestmark = pytest.mark.anyio


@pytest.fixture
def replicas(make, server, share, clock):
    """Clients of two replicas."""
    return [make(server.url, store=share(), clock=clock) for _ in range(2)]


async def test_a_copy_of_one_replica_is_anothers(server, replicas, say):
    first, second = replicas
    server.turns("GET /x", say(200, ["a"], etag='"1"', link='</y>; rel="next"'), say(304))
    await first.get("/x")
    answer = await second.fetch("/x")
    assert (answer.body, answer.headers["link"]) == (["a"], '</y>; rel="next"')
    assert server.received[1].headers["if-none-match"] == '"1"'


async def test_replicas_share_a_spent_budget(server, replicas):
    first, second = replicas
    headers = {"x_ratelimit_remaining": 0, "x_ratelimit_reset": 100, "x_ratelimit_resource": "core"}
    server.answer("GET /repos/a", 200, 1, **headers)
    await first.get("/repos/a")
    with pytest.raises(RateLimited) as caught:
        await second.get("/repos/b")
    assert 100 < caught.value.retry_after <= 101
    assert len(server.received) == 1


async def test_a_wait_of_one_replica_holds_for_all(server, replicas):
    server.answer("GET /a", 429, retry_after=30)
    for http in replicas:
        with pytest.raises(RateLimited):
            await http.get("/a")
    assert len(server.received) == 1


async def test_a_host_that_failed_one_replica_is_left_alone_by_all(server, replicas):
    first, second = replicas
    server.answer("GET /a", 502)
    for http in (first, second, first):
        with pytest.raises(Unavailable) as caught:
            await http.get("/a")
    assert len(server.received) == 5
    assert "(it answered 502)" in caught.value.message


async def test_slots_are_given_back_when_a_request_is_given_up(server, replicas, connect_redis):
    server.hold("GET /a", 200, 1)
    reader = asyncio.create_task(replicas[0].get("/a"))
    await server.wait_for(1)
    redis = connect_redis()
    (leases,) = [key for key in await redis.keys() if key.endswith(b":leases")]
    assert await redis.zcard(leases) == 1
    reader.cancel()
    await asyncio.wait([reader])
    while await redis.zcard(leases):  # noqa: ASYNC110 -- it is another process that changes it
        await asyncio.sleep(0)


async def test_keys_expire_and_hold_no_secret(server, replicas, connect_redis, secret):
    server.answer("GET /x", 200, 1, etag='"1"', x_ratelimit_remaining=9, x_ratelimit_reset=50)
    await replicas[0].get("/x")
    redis = connect_redis()
    for key in await redis.keys():
        assert 0 < await redis.ttl(key) <= KEPT
        value = await redis.dump(key)
        assert secret.encode() not in key + value


async def test_a_foreign_value_does_not_count_as_a_copy(connect_redis, share):
    redis = connect_redis()
    await redis.rpush("stithy:1:answer:a", "list")
    store = share()
    assert await store.get("a") is None


@pytest.fixture
async def lost(open_url, clock):
    """A store whose Redis is not there."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        store = open_url(f"redis://:pa55word@127.0.0.1:{bound.getsockname()[1]}/0")
        store._connection.time = clock.time
        yield store
        await store.aclose()


async def test_without_redis_a_client_goes_on_alone(server, make, lost, clock, caplog):
    http = make(server.url, store=lost, clock=clock)
    server.answer("GET /x", 200, 1, etag='"1"')
    assert [await http.get("/x"), await http.get("/x")] == [1, 1]
    assert "if-none-match" not in server.received[1].headers


async def test_without_redis_limits_and_breakers_are_kept_here(server, make, lost, clock):
    http = make(server.url, store=lost, clock=clock)
    server.answer("GET /a", 429, retry_after=30)
    for _ in range(2):
        with pytest.raises(RateLimited):
            await http.get("/a")
    assert len(server.received) == 1


async def test_redis_that_is_lost_is_not_tried_again_for_a_while(lost, clock, caplog):
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            assert await lost.get("a") is None
        assert len(caplog.records) == 1
        clock.now += 11
        await lost.save("a", b"1")
    assert len(caplog.records) == 2
    assert "pa55word" not in caplog.text


async def test_redis_that_does_not_answer_is_not_waited_for(monkeypatch, server, make, open_url):
    monkeypatch.setattr(connection, "PATIENCE", 0.01)
    server.answer("GET /x", 200, 1)
    server.answer("POST /x", 201, 2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        store = open_url(f"redis://127.0.0.1:{silent.getsockname()[1]}")
        http = make(server.url, store=store)
        assert [await http.get("/x"), await http.send("POST", "/x", {})] == [1, 2]
        await store.aclose()


async def test_a_lost_redis_is_logged_once_for_any_number_of_waiters(lost, caplog):
    with caplog.at_level(logging.WARNING):
        await asyncio.gather(*(lost.get(str(number)) for number in range(20)))
    assert len(caplog.records) == 1


@pytest.mark.parametrize("failure", [ConnectionError, BusyLoadingError, ReadOnlyError, OutOfMemoryError])
async def test_redis_that_fails_between_two_requests_fails_none_of_them(server, make, clock, failure):
    redis = fakeredis.FakeAsyncRedis()
    http = make(server.url, store=RedisStore(redis, MemoryStore(), clock.time), clock=clock)
    server.answer("GET /x", 200, 1, etag='"1"')
    await http.get("/x")
    commands = []

    async def fail(*command, **_):
        commands.append(command)
        raise failure("gone")

    redis.execute_command = fail
    assert [await http.get("/x"), await http.get("/x")] == [1, 1]
    assert len(commands) == 1
    await redis.aclose()


@pytest.mark.redis
async def test_redis_that_comes_back_is_used_again(redis_server, open_url, clock):
    store = open_url(redis_server)
    store._connection.time = clock.time
    store._connection._lost_until = clock.now + 5
    await store.save("back", b"1")
    assert await store.get("back") is None
    clock.now += 6
    await store.save("back", b"1")
    assert await store.get("back") == b"1"
    await store.aclose()


@pytest.mark.redis
async def test_a_url_may_ask_for_text(redis_server, make, server, open_url):
    """It decodes what scripts answer, so that stithy receives text only."""
    store = open_url(f"{redis_server}?decode_responses=True")
    http = make(server.url, store=store)
    server.answer("GET /x", 200, 1, etag='"1"')
    assert [await http.get("/x"), await http.get("/x")] == [1, 1]
    await store.aclose()


@pytest.mark.parametrize("before", [SIZE, 2 * SIZE])
@pytest.mark.parametrize("style", STYLES)
async def test_a_row_behind_a_full_last_page_is_found(server, make, share, style, before):
    await read_while_rows_are_added(server, make, share, style, before)


@pytest.mark.parametrize("url", ["redis://:pa55word@host:port/0", "rediss://u:pa55word@[/0"])
def test_the_password_of_an_invalid_url_is_in_no_error(open_url, url):
    with pytest.raises(ConfigError) as caught:
        open_url(url)
    assert "pa55word" not in str(caught.value.as_dict())
