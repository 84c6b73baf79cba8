"""Two server processes with one Redis share what they know."""

from contextlib import AsyncExitStack

import httpx
import pytest
from loopback import message

pytestmark = [pytest.mark.anyio, pytest.mark.redis]

OWN = "o-forge-token-0123456789"


@pytest.fixture
async def replicas(pond, own_redis):
    """Clients of two servers that share a Redis."""
    async with AsyncExitStack() as stack:

        async def start():
            served = await stack.enter_async_context(pond(POND=OWN, STITHY_REDIS_URL=own_redis.url))
            return await stack.enter_async_context(httpx.AsyncClient(base_url=served.url, timeout=300))

        yield [await start(), await start()]


async def figure(client, name):
    lines = (await client.get("/metrics")).text.splitlines()
    return next((float(line.split()[-1]) for line in lines if line.startswith(name)), None)


async def test_an_answer_cached_by_one_is_revalidated_by_the_other_and_without_redis_both_go_on(
    replicas, forge, own_redis
):
    await check_the_other_revalidates(*replicas, forge)
    await check_both_continue_alone_and_report_it(replicas, forge, own_redis)


async def check_the_other_revalidates(first, second, forge):
    forge.turns("GET /thing", message(200, "seen", etag='"1"'), message(304))
    assert [(await client.get("/read/thing")).json() for client in (first, second)] == ["seen", "seen"]
    assert [request.headers.get("if-none-match") for request in forge.received] == [None, '"1"']
    assert await figure(first, 'stithy_upstream_reads_total{forge="pond",mode="missed"}') == 1
    assert await figure(second, 'stithy_upstream_reads_total{forge="pond",mode="revalidated"}') == 1


async def check_both_continue_alone_and_report_it(replicas, forge, own_redis):
    forge.answer("GET /other", 200, "seen")
    assert (await replicas[0].get("/read/other")).status_code == 200
    assert await figure(replicas[0], "stithy_shared_store_up") == 1
    own_redis.stop()
    assert [(await client.get("/read/other")).status_code for client in replicas] == [200, 200]
    assert [await figure(client, "stithy_shared_store_up") for client in replicas] == [0, 0]
    assert [(await client.get("/readyz")).status_code for client in replicas] == [200, 200]


async def test_a_rate_limit_exhausted_by_one_stops_the_other(replicas, forge):
    first, second = replicas
    spent = {"x_ratelimit_remaining": 0, "x_ratelimit_reset": 100, "x_ratelimit_resource": "core"}
    forge.answer("GET /other", 200, 1, **spent)
    assert (await first.get("/read/other")).status_code == 200
    refused = await second.get("/read/other")
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "rate_limited")
    assert 1 <= int(refused.headers["retry-after"]) <= 101
    assert len(forge.received) == 1
    assert await figure(first, 'stithy_upstream_limit_left{forge="pond",limit="core"}') == 0


async def test_a_circuit_opened_by_one_is_open_for_both(replicas, forge):
    first, second = replicas
    forge.answer("GET /down", 502)
    for client in (first, second, first, second):
        assert (await client.get("/read/down")).status_code == 503
    asked = len(forge.received)
    assert (await second.get("/read/down")).json()["error"]["retry_after_seconds"]
    assert len(forge.received) == asked <= 6
