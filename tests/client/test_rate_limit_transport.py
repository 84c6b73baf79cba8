"""Rate limits: learned from responses, kept without asking the forge, and reported to callers that have to wait."""

import asyncio
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from stithy_core.errors import Forbidden, NotFound, RateLimited, Unavailable
from stithy_core.http import rate_limit_transport
from stithy_core.spi import Dialect, RateLimits

pytestmark = pytest.mark.anyio


def explain(refusal):
    """Distinguish a rate limit from a lack of permissions, as GitHub's plugin does."""
    limited = refusal.headers.get("x-ratelimit-remaining") == "0" or "retry-after" in refusal.headers
    limited = limited or "secondary rate limit" in refusal.message
    return RateLimited("slow down") if refusal.status == 403 and limited else None


@pytest.fixture
def forge(make, server, clock):
    """Make a client of a forge with limits."""

    def client(rate_limits=RateLimits(), **options):  # noqa: B008 -- it is frozen
        return make(server.url, clock=clock, dialect=Dialect(map_error=explain, rate_limits=rate_limits), **options)

    return client


@pytest.fixture
def left(clock):
    """The headers that tell what is left of a limit, which is renewed in 100 seconds."""

    def headers(remaining, resource="core", seconds=100):
        told = {"remaining": remaining, "reset": int(clock.now) + seconds, "resource": resource, "limit": 5000}
        return {f"x_ratelimit_{name}": value for name, value in told.items()}

    return headers


async def catch_limit(awaited):
    with pytest.raises(RateLimited) as caught:
        await awaited
    return caught.value


async def test_a_success_that_spends_the_last_is_one(server, forge, left):
    server.answer("GET /repos/a", 200, 1, **left(0))
    assert await forge().get("/repos/a") == 1


async def test_a_spent_budget_withholds_requests(server, forge, left):
    http = forge()
    server.answer("GET /repos/a", 200, 1, **left(0))
    await http.get("/repos/a")
    error = await catch_limit(http.get("/repos/b"))
    assert error.message == "work was not asked, since its limit core is spent"
    assert 100 < error.retry_after <= 101
    assert len(server.received) == 1
    assert http.counts.withheld == 1


async def test_a_write_is_not_sent_either_and_waits_for_nothing(server, forge, left, clock):
    http = forge()
    server.answer("GET /repos/a", 200, 1, **left(0))
    await http.get("/repos/a")
    await catch_limit(http.send("POST", "/repos/a", {}))
    assert clock.slept == []
    assert len(server.received) == 1


async def test_after_its_renewal_it_is_asked_again(server, forge, left, clock):
    http = forge()
    server.answer("GET /repos/a", 200, 1, **left(0))
    await http.get("/repos/a")
    clock.now += 102
    assert await http.get("/repos/a") == 1


async def test_another_limit_is_another(server, forge, left):
    http = forge()
    server.answer("GET /repos/a", 200, 1, **left(0))
    server.answer("GET /search/issues", 200, 2, **left(0, "search"))
    server.answer("GET /search/code", 200, 3, **left(9, "code_search"))
    for path in ("/repos/a", "/search/code", "/search/issues"):
        await http.get(path)
    assert await http.get("/search/code") == 3
    assert "search is spent" in (await catch_limit(http.get("/search/issues"))).message


async def test_another_token_has_another_limit(server, forge, left, tokens):
    http = forge(tokens=tokens("first", "second"))
    server.answer("GET /repos/a", 200, 1, **left(0))
    await http.get("/repos/a")
    assert await http.get("/repos/a") == 1


async def test_free_requests_are_sent_on_a_spent_budget(server, forge, left):
    http = forge(RateLimits(free=("/rate_limit",)))
    server.answer("GET /rate_limit", 200, 1, **left(0))
    assert [await http.get("/rate_limit") for _ in range(2)] == [1, 1]


async def test_running_requests_count_against_the_budget(server, forge, left):
    """Two at once must not spend what is left for one."""
    http = forge()
    server.answer("GET /repos/a", 200, 1, **left(1))
    await http.get("/repos/a")
    server.hold("GET /repos/b", 200, 1, **left(0))
    first = asyncio.create_task(http.get("/repos/b"))
    await server.wait_for(2)
    await catch_limit(http.get("/repos/c"))
    first.cancel()


async def test_a_confirmation_is_free(server, forge, left, say):
    http = forge()
    server.turns("GET /repos/a", say(200, 1, etag='"1"', **left(1)), say(304, **left(1)))
    assert [await http.get("/repos/a") for _ in range(4)] == [1] * 4


async def test_each_attempt_pays(server, forge, left, say):
    http = forge()
    server.turns("GET /repos/a", say(200, 1, **left(2)), say(502))
    await http.get("/repos/a")
    await catch_limit(http.get("/repos/a"))
    assert len(server.received) == 3


async def test_requests_withheld_by_the_breaker_cost_nothing(server, forge, left, clock):
    http = forge()
    server.answer("GET /repos/a", 502, **left(6))
    for _ in range(3):
        with pytest.raises(Unavailable):
            await http.get("/repos/a")
    clock.now += 15
    server.answer("GET /repos/a", 200, 1, **left(1))
    assert await http.get("/repos/a") == 1
    assert await http.get("/repos/a") == 1


async def test_a_limit_within_a_success_says_how_long_it_is_spent(server, make, clock, left):
    """GraphQL of GitHub says so in a 200."""
    spent = Dialect(graphql=lambda url: url + "/g", map_error=lambda _: RateLimited("spent"))
    http = make(server.url, clock=clock, dialect=spent)
    server.answer("POST /g", 200, {"errors": [{"type": "RATE_LIMITED"}]}, **left(0, "graphql"))
    server.answer("GET /repos/a", 200, 1)
    assert 100 < (await catch_limit(http.graphql("{ a }", {}))).retry_after <= 101
    assert "limit graphql is spent" in (await catch_limit(http.graphql("{ b }", {}))).message
    assert await http.get("/repos/a") == 1


async def test_a_lack_of_rights_with_the_last_request_is_no_wait(server, forge, left):
    server.answer("GET /a", 404, **left(0))
    with pytest.raises(NotFound) as caught:
        await forge().get("/a")
    assert caught.value.retry_after is None


async def test_the_limit_that_is_hit_is_waited_for(server, forge, left):
    http = forge()
    server.answer("GET /repos/a", 403, {"message": "API rate limit exceeded"}, **left(0))
    assert 100 < (await catch_limit(http.get("/repos/a"))).retry_after <= 101
    server.answer("GET /search/issues", 200, 2)
    assert await http.get("/search/issues") == 2


async def test_a_clock_that_is_wrong_does_no_harm(server, forge, clock):
    """The forge's reset is by the forge's clock."""
    theirs = datetime.fromtimestamp(clock.now, UTC) + timedelta(days=2)
    headers = {"x_ratelimit_remaining": 0, "x_ratelimit_reset": int(theirs.timestamp()) + 50}
    server.answer("GET /a", 429, **headers, date=format_datetime(theirs, usegmt=True))
    assert 49 < (await catch_limit(forge().get("/a"))).retry_after <= 52


async def test_the_names_of_the_draft_are_known_too(server, forge):
    server.answer("GET /a", 200, 1, ratelimit_remaining=0, ratelimit_reset=30)
    http = forge()
    await http.get("/a")
    assert 30 < (await catch_limit(http.get("/a"))).retry_after <= 31


@pytest.mark.parametrize("headers", [{"retry_after": 30}, {"retry_after": 30, "x_ratelimit_remaining": 7}])
async def test_being_told_to_wait_means_everything_of_that_token(server, forge, headers, clock):
    http = forge()
    server.answer("GET /repos/a", 403, {"message": "You have exceeded a secondary rate limit"}, **headers)
    assert (await catch_limit(http.get("/repos/a"))).retry_after == 30
    error = await catch_limit(http.get("/search/issues"))
    assert (error.retry_after, len(server.received)) == (30, 1)
    clock.now += 30
    server.answer("GET /search/issues", 200, 2)
    assert await http.get("/search/issues") == 2


async def test_a_limit_without_a_time_waits_a_minute_and_then_longer(server, forge, clock):
    http, waits = forge(), []
    server.answer("GET /a", 403, {"message": "You have exceeded a secondary rate limit"})
    for _ in range(8):
        waits.append((await catch_limit(http.get("/a"))).retry_after)
        clock.now += waits[-1]
    assert waits == [60, 120, 240, 480, 960, 1920, 3600, 3600]


async def test_a_burst_that_is_refused_is_refused_once(server, forge):
    http = forge()
    free = server.hold("GET /a", 429)
    calls = [asyncio.create_task(http.get("/a", n=n)) for n in range(5)]
    await server.wait_for(5)
    free.set()
    waits = [(await catch_limit(call)).retry_after for call in calls]
    assert waits == [60] * 5


async def test_a_lack_of_rights_blocks_nothing(server, forge):
    http = forge()
    server.answer("GET /a", 403, {"message": "Resource not accessible by integration"}, x_ratelimit_remaining=9)
    for _ in range(2):
        with pytest.raises(Forbidden):
            await http.get("/a")


async def test_an_endless_block_is_looked_at_again_after_an_hour(server, forge, clock):
    http = forge()
    server.answer("GET /a", 429, retry_after=10**9)
    assert (await catch_limit(http.get("/a"))).retry_after == 10**9
    clock.now += 3601
    server.answer("GET /a", 200, 1)
    assert await http.get("/a") == 1


async def test_no_more_than_so_many_at_once(server, forge):
    http = forge(RateLimits(concurrent=2))
    free = server.hold("GET /a", 200, 1)
    calls = [asyncio.create_task(http.get("/a", n=n)) for n in range(3)]
    await server.wait_for(2)
    for _ in range(20):
        await asyncio.sleep(0)
    assert len(server.received) == 2
    free.set()
    assert await asyncio.gather(*calls) == [1, 1, 1]


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_reads_and_writes_queue_for_a_slot(server, forge, method, clock):
    http = forge(RateLimits(concurrent=1))
    free = server.hold("GET /a", 200, 1)
    server.answer(f"{method} /b", 200, 2)
    first = asyncio.create_task(http.get("/a"))
    await server.wait_for(1)
    second = asyncio.create_task(http.get("/b") if method == "GET" else http.send("POST", "/b", {}))
    free.set()
    assert [await first, await second] == [1, 2]
    assert clock.slept == []


async def test_a_slot_is_not_waited_for_for_ever(server, forge, monkeypatch):
    monkeypatch.setattr(rate_limit_transport, "PATIENCE", 0.01)
    http = forge(RateLimits(concurrent=1))
    server.hold("GET /a", 200, 1)
    first = asyncio.create_task(http.get("/a"))
    await server.wait_for(1)
    assert "1 requests are under way" in (await catch_limit(http.get("/b"))).message
    first.cancel()


async def test_a_slot_is_given_back_whatever_happens(server, forge):
    http = forge(RateLimits(concurrent=1))
    server.answer("GET /a", 404)
    server.lose("GET /b")
    for path in ("/a", "/b", "/a"):
        with pytest.raises(Exception, match=r"work|gave no answer"):
            await http.get(path)
    with pytest.raises(NotFound):
        await http.get("/a")


async def test_reads_wait_some_seconds_for_points(server, forge, clock):
    clock.now = 1_000.0
    http = forge(RateLimits(points=2))
    server.answer("GET /a", 200, 1)
    await http.get("/a")
    await http.get("/a")
    clock.now += 58
    assert await http.get("/a") == 1
    assert clock.slept == [3]


async def test_longer_waits_for_points_are_the_callers(server, forge, clock):
    http = forge(RateLimits(points=2))
    server.answer("GET /a", 200, 1)
    await http.get("/a")
    await http.get("/a")
    assert 60 <= (await catch_limit(http.get("/a"))).retry_after <= 61
    assert clock.slept == []


async def test_writes_are_counted_by_themselves_and_never_wait(server, forge, clock):
    http = forge(RateLimits(writes=1, points=900))
    server.answer("POST /a", 201, 1)
    server.answer("GET /a", 200, 1)
    await http.send("POST", "/a", {})
    clock.now += 58
    assert "1 writes were sent" in (await catch_limit(http.send("POST", "/a", {}))).message
    assert await http.get("/a") == 1
    assert clock.slept == []
