"""Clients of a forge on the loopback interface, whose stores are in one Redis: a real one, or one in memory."""

import functools
from collections.abc import AsyncIterator, Callable
from typing import Any

import fakeredis
import pytest
from http_clients import (  # noqa: F401 -- pytest finds fixtures by their names
    Hands,
    _no_proxy,
    _no_waits,
    clock,
    gzipped,
    http,
    make,
    say,
    secret,
    server,
    start,
    tokens,
)
from redis.asyncio import Redis

from stithy_core.http.memory_store import MemoryStore
from stithy_redis import connection
from stithy_redis.redis_store import RedisStore, open_store


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for an answer of Redis, however busy the machine is; a test of the limit sets its own."""
    monkeypatch.setattr(connection, "PATIENCE", 120)


@pytest.fixture(params=["fake", pytest.param("real", marks=pytest.mark.redis)])
async def connect_redis(request: pytest.FixtureRequest) -> AsyncIterator[Callable[[], Any]]:
    """Connect to one Redis, empty at first: several times, as several processes would."""
    opened: list[Any] = []
    make: Callable[[], Any]
    if request.param == "fake":
        state = fakeredis.FakeServer()
        make = functools.partial(fakeredis.FakeAsyncRedis, server=state)
    else:
        make = functools.partial(Redis.from_url, str(request.getfixturevalue("redis_server")))

    def connect() -> Any:
        opened.append(make())
        return opened[-1]

    await connect().flushall()
    yield connect
    for client in opened:
        await client.aclose()


@pytest.fixture
def share(connect_redis: Callable[[], Any], clock: Hands) -> Callable[[], RedisStore]:  # noqa: F811 -- the fixture
    """Create the store of another process that shares the Redis."""
    return lambda: RedisStore(connect_redis(), MemoryStore(), clock.time)


@pytest.fixture
def open_url() -> Callable[[str], Any]:
    """Create the store of a URL, as a server does."""
    return lambda url: open_store(url, MemoryStore())
