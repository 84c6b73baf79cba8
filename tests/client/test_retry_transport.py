"""Which requests are repeated, which are not, and for how long."""

import anyio
import pytest
import stamina
import stamina.instrumentation

from stithy_core.errors import Conflict, Moved, Unavailable, Unclear
from stithy_core.http import failure_transports
from stithy_core.spi import Dialect

pytestmark = pytest.mark.anyio

LOST = b""


async def failure(awaited, kind):
    with pytest.raises(kind) as caught:
        await awaited
    return caught.value


@pytest.mark.parametrize("status", [502, 503, 504])
async def test_a_read_that_failed_in_passing_is_asked_again(server, http, say, status):
    server.turns("GET /x", say(status), say(status), say(200, 1))
    assert await http.get("/x") == 1
    assert http.counts.repeated == 2


async def test_a_read_whose_answer_is_lost_is_asked_again(server, http, say):
    server.turns("GET /x", LOST, say(200, b'{"a"', content_length=100), say(200, 1))
    assert await http.get("/x") == 1


async def test_three_times_are_enough(server, http):
    server.answer("GET /x", 502, {"message": "oh"})
    assert (await failure(http.get("/x"), Unavailable)).message == "work answered 502: oh"
    assert len(server.received) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 408, 409, 422, 429, 500, 501])
async def test_an_answer_is_not_asked_for_again(server, http, status):
    server.answer("GET /x", status)
    with pytest.raises(Exception, match=str(status)):
        await http.get("/x")
    assert len(server.received) == 1


@pytest.mark.parametrize("answer", [502, 503, 504, None])
async def test_a_write_is_sent_once(server, http, say, answer):
    server.answers["POST /x"] = say(answer) if answer else LOST
    await failure(http.send("POST", "/x", {}), Unclear)
    assert len(server.received) == 1


@pytest.mark.parametrize("answer", [503, None])
async def test_a_write_that_may_be_repeated_is(server, http, say, answer):
    server.turns("PUT /x", say(answer) if answer else LOST, say(200, 1))
    assert await http.send("PUT", "/x", {"a": 1}, idempotent=True) == 1
    assert [request.body for request in server.received] == [b'{"a": 1}'] * 2


async def test_a_write_waits_for_nothing_that_the_forge_wants(server, http):
    server.answer("PUT /x", 503, retry_after="1")
    assert (await failure(http.send("PUT", "/x", {}, idempotent=True), Unclear)).retry_after == 1
    assert len(server.received) == 1


async def test_a_write_that_may_be_repeated_at_once_is(server, http, say):
    server.turns("PUT /x", say(503, retry_after="0"), say(200, 1))
    assert await http.send("PUT", "/x", {}, idempotent=True) == 1


async def test_a_question_in_graphql_is_asked_again_and_a_change_is_not(server, make, say):
    http = make(server.url, dialect=Dialect(graphql=lambda url: url + "/g"))
    server.turns("POST /g", say(502), say(200, {"data": {"a": 1}}))
    assert await http.graphql("{ a }", {}) == {"a": 1}
    server.answer("POST /g", 502)
    await failure(http.graphql("mutation { a }", {}, writes=True), Unclear)
    assert len(server.received) == 3


async def test_a_stream_is_opened_again(server, http, say):
    server.turns("GET /x", say(503), say(200, b"log"))
    assert [chunk async for chunk in http.stream("/x")] == [b"log"]


async def test_a_conflict_that_passes_is_asked_again(server, make, say):
    def explain(refusal):
        passing = refusal.message == "Git Repository is being created."
        return Conflict(refusal.message, retry_after=1) if passing else None

    http = make(server.url, dialect=Dialect(map_error=explain))
    server.turns("GET /x", say(409, {"message": "Git Repository is being created."}), say(200, 1))
    assert await http.get("/x") == 1


async def test_a_conflict_of_a_write_stays_one(server, make):
    http = make(server.url, dialect=Dialect(map_error=lambda _: Conflict("no", retry_after=1)))
    server.answer("PUT /x", 409)
    await failure(http.send("PUT", "/x", {}, idempotent=True), Conflict)
    assert len(server.received) == 1


async def test_a_redirect_is_no_failure(server, http):
    server.redirect("GET /x", "https://other.example/")
    await failure(http.get("/x"), Moved)
    assert len(server.received) == 1


@pytest.fixture
def first_wait(monkeypatch):
    """Return the wait before the second attempt in seconds; the wait itself is cut short."""
    stamina.set_testing(False)
    monkeypatch.setattr(failure_transports, "PATIENCE", 120)  # it counts a stalled machine's time, too
    before = stamina.instrumentation.get_on_retry_hooks()

    async def first(awaited):
        found, scope = [], anyio.CancelScope()

        def note(details):
            found.append(details.wait_for)
            scope.cancel()

        stamina.instrumentation.set_on_retry_hooks([note])
        with scope:
            await awaited
        return found[0]

    yield first
    stamina.instrumentation.set_on_retry_hooks(before)


async def test_a_wait_is_as_long_as_the_forge_says(server, http, first_wait):
    server.answer("GET /x", 503, retry_after="3")
    assert await first_wait(http.get("/x")) == 3


async def test_a_wait_until_a_date_is_by_the_servers_clock(server, http, first_wait):
    date, later = "Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2015 07:28:02 GMT"
    server.answer("GET /x", 503, date=date, retry_after=later)
    assert await first_wait(http.get("/x")) == 2


async def test_a_wait_that_nobody_named_is_short(server, http, first_wait):
    server.answer("GET /x", 503)
    assert 0.1 <= await first_wait(http.get("/x")) <= 0.3


async def test_waits_differ_so_that_not_everybody_comes_back_at_once(server, make, first_wait):
    server.answer("GET /x", 503)
    assert len({await first_wait(make(server.url).get("/x")) for _ in range(5)}) > 1


async def test_a_longer_wait_is_the_callers(server, http):
    server.answer("GET /x", 503, retry_after="6")
    assert (await failure(http.get("/x"), Unavailable)).retry_after == 6
    assert len(server.received) == 1


async def test_time_that_is_used_up_ends_the_asking(server, make, clock, say):
    def late(_):
        clock.now += 6
        return say(503)

    server.answers["GET /x"] = late
    await failure(make(server.url, clock=clock).get("/x"), Unavailable)
    assert len(server.received) == 1


async def test_retries_write_nothing_to_standard_output(server, http, capfd):
    """A server on stdio speaks MCP there."""
    server.answer("GET /x", 503)
    await failure(http.get("/x"), Unavailable)
    assert capfd.readouterr().out == ""
