"""GitHub ends what takes too long or costs too much, so that it is asked again for less at once."""

import pytest

from stithy_core.http import connection_transport
from stithy_core.spi import PullRequestRef, RepositoryRef, Unknown
from stithy_github import adaptive_page_size

pytestmark = pytest.mark.anyio

PR = PullRequestRef(RepositoryRef("octo", "hello"), 2)
TIMEOUT = {"message": "Something went wrong while executing your query. This may be the result of a timeout."}
COSTLY = {"type": "RESOURCE_LIMITS_EXCEEDED", "message": "Resource limits for this query exceeded."}
BUSY = (504, {}, b"<html>")


def errors(*listed):
    return {"data": None, "errors": list(listed)}


@pytest.fixture
def page(thread_row):
    """Answer for as many threads as are asked for, of eight; with more than `most`, in another way."""

    def make(most, refusal):
        def answer(given):
            if given["first"] > most:
                return refusal
            start = int(given["after"] or 0)
            end = min(start + given["first"], 8)
            rows = [thread_row("Why?", id=f"PRRT_{number}", line=number) for number in range(start, end)]
            found = {"totalCount": 8, "nodes": rows, "pageInfo": {"hasNextPage": end < 8, "endCursor": str(end)}}
            return {"data": {"repository": {"pullRequest": {"reviewThreads": found}}}}

        return answer

    return make


def sizes(hub):
    return [given["first"] for name, given, _ in hub.asked if name == "query Threads"]


@pytest.mark.parametrize("refusal", [errors(TIMEOUT), errors(COSTLY)], ids=["a timeout", "too costly"])
async def test_what_is_too_heavy_is_asked_in_smaller_portions_from_then_on(hub, github, page, refusal):
    hub.answers["query Threads"] = page(5, refusal)
    async with github(hub.url) as forge:
        threads = await forge.threads.list(PR)
    assert ([thread.line for thread in threads], threads.total) == (list(range(8)), 8)
    assert {thread.resolved for thread in threads} == {False}
    assert sizes(hub) == [100, 25, 5, 5]


async def test_what_is_more_than_we_take_in_is_asked_in_smaller_portions(hub, github, page, monkeypatch):
    monkeypatch.setattr(connection_transport, "LARGEST", 4_000)
    hub.answers["query Threads"] = page(100, None)
    async with github(hub.url) as forge:
        threads = await forge.threads.list(PR)
    assert ([thread.line for thread in threads], {thread.resolved for thread in threads}) == (list(range(8)), {False})
    assert sizes(hub) == [100, 25, 5, 5]


async def test_what_a_proxy_ends_after_a_while_is_asked_for_less(hub, github, page, monkeypatch):
    monkeypatch.setattr(adaptive_page_size, "SLOW", 0.0)
    hub.answers["query Threads"] = page(25, BUSY)
    async with github(hub.url) as forge:
        assert len(await forge.threads.list(PR)) == 8
    assert sizes(hub) == [100, 100, 100, 25]


async def test_what_fails_at_once_is_not_too_heavy(hub, github, page):
    hub.answers |= {"query Threads": page(25, BUSY), "GET /repos/octo/hello/pulls/2/comments": []}
    async with github(hub.url) as forge:
        assert list(await forge.threads.list(PR)) == []
    assert sizes(hub) == [100, 100, 100]


async def test_where_even_little_is_too_heavy_rest_is_asked(hub, github, page):
    row = {"id": 1, "path": "a.py", "body": "Why?", "created_at": "2026-01-05T09:00:00Z", "html_url": ""}
    hub.answers |= {"query Threads": page(0, errors(COSTLY)), "GET /repos/octo/hello/pulls/2/comments": [row]}
    hub.answers["GET /repos/octo/hello/pulls/2/reviews"] = []
    async with github(hub.url) as forge:
        (thread,) = await forge.threads.list(PR)
    assert sizes(hub) == [100, 25, 5]
    assert isinstance(thread.resolved, Unknown)
    assert "Resource limits" in thread.resolved.reason
