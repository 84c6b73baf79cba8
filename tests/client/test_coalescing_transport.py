"""Identical reads at once share one request, and the cancellation of one caller does not affect the others."""

import asyncio
import gc

import anyio
import httpx
import pytest

from stithy_core.errors import Forbidden, Unavailable

pytestmark = pytest.mark.anyio


async def start_all(*calls):
    tasks = [asyncio.create_task(call) for call in calls]
    await asyncio.sleep(0)  # each of them asks
    return tasks


async def test_a_thousand_identical_reads_are_one_request(server, http):
    free = server.hold("GET /x", 200, {"a": [1]})
    readers = await start_all(*(http.get("/x") for _ in range(1_000)))
    free.set()
    assert await asyncio.gather(*readers) == [{"a": [1]}] * 1_000
    assert len(server.received) == 1
    assert http.counts.shared == 999


async def test_joined_callers_get_separate_answers(server, http):
    free = server.hold("GET /x", 200, {"a": [1]})
    first, second = await start_all(http.get("/x"), http.get("/x"))
    free.set()
    (await first)["a"].append(2)
    assert await second == {"a": [1]}


async def test_reads_one_after_the_other_are_asked_each(server, http):
    server.answer("GET /x", 200, 1)
    await http.get("/x")
    await http.get("/x")
    assert len(server.received) == 2


async def test_other_queries_are_other_reads(server, http):
    free = server.hold("GET /x", 200, 1)
    readers = await start_all(http.get("/x", page=1), http.get("/x", page=2))
    free.set()
    await asyncio.gather(*readers)
    assert len(server.received) == 2


async def test_another_token_is_another_read(server, make, tokens):
    """The forge may answer each of them something else."""
    http = make(server.url, tokens=tokens("first", "second"))
    free = server.hold("GET /x", 200, 1)
    readers = await start_all(http.get("/x"), http.get("/x"))
    free.set()
    await asyncio.gather(*readers)
    assert {request.headers["authorization"] for request in server.received} == {"Bearer first", "Bearer second"}


async def test_the_one_who_asked_first_may_turn_away(server, http):
    free = server.hold("GET /x", 200, 1)
    first, second, third = await start_all(http.get("/x"), http.get("/x"), http.get("/x"))
    first.cancel()
    second.cancel()
    await asyncio.wait([first, second])
    free.set()
    assert await third == 1
    assert len(server.received) == 1


async def test_a_caller_whose_time_is_up_harms_no_other(server, http):
    free = server.hold("GET /x", 200, 1)
    (other,) = await start_all(http.get("/x"))
    with anyio.move_on_after(0):
        await http.get("/x")
    free.set()
    assert await other == 1


async def test_when_the_last_one_turns_away_the_request_ends(server, http):
    server.hold("GET /x", 200, 1)
    readers = await start_all(http.get("/x"), http.get("/x"))
    await server.wait_for(1)
    for reader in readers:
        reader.cancel()
    await asyncio.wait(readers)
    await server.turned_away.wait()


async def test_a_failure_that_nobody_waits_for_is_no_news(make, caplog):
    asked, gone = asyncio.Event(), asyncio.Event()

    class Stubborn(httpx.AsyncBaseTransport):
        """Fails when it is given up."""

        async def handle_async_request(self, request):
            asked.set()
            try:
                await asyncio.Event().wait()
            finally:
                gone.set()
                raise httpx.ReadTimeout("closed", request=request)

    (reader,) = await start_all(make("http://git.example", transport=Stubborn()).get("/x"))
    await asked.wait()
    reader.cancel()
    await gone.wait()
    await asyncio.wait([reader])
    del reader
    gc.collect()
    assert "never retrieved" not in caplog.text


async def test_a_cancelled_request_is_not_joined(server, http):
    free = server.hold("GET /x", 200, 1)
    (reader,) = await start_all(http.get("/x"))
    reader.cancel()
    second = asyncio.create_task(http.get("/x"))
    free.set()
    assert await second == 1


async def test_a_failure_is_everybodys_own(server, http):
    free = server.hold("GET /x", 403, {"message": "no"})
    readers = await start_all(http.get("/x"), http.get("/x"))
    free.set()
    errors = await asyncio.gather(*readers, return_exceptions=True)
    assert [type(error) for error in errors] == [Forbidden] * 2
    assert errors[0] is not errors[1]
    assert len(server.received) == 1


async def test_a_read_after_a_write_joins_none_from_before(server, http, say):
    """Its answer may have been made before the write: what was written would seem lost."""
    before = server.hold("GET /x", 200, "before")
    (early,) = await start_all(http.get("/x"))
    await server.wait_for(1)
    server.answer("POST /x", 201)
    await http.send("POST", "/x", {})
    server.answer("GET /x", 200, "after")
    assert await http.get("/x") == "after"
    before.set()
    assert await early == "before"


async def test_a_write_is_never_shared(server, http):
    free = server.hold("POST /x", 201)
    writers = await start_all(http.send("POST", "/x", {}), http.send("POST", "/x", {}))
    free.set()
    await asyncio.gather(*writers)
    assert len(server.received) == 2


async def test_a_client_that_is_closed_ends_what_is_under_way(server, http):
    server.hold("GET /x", 200, 1)
    (reader,) = await start_all(http.get("/x"))
    await server.wait_for(1)
    await http.aclose()
    await asyncio.wait([reader])
    assert isinstance(reader.exception(), Unavailable)
