"""GitHub aborts queries that take too long or cost too much; they are repeated with smaller pages."""

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
    """A function that answers with pages of eight threads, and with a refusal if more than `most` are requested."""

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
async def test_pages_shrink_for_good_after_a_query_was_too_heavy(hub, github, page, refusal):
    hub.answers["query Threads"] = page(5, refusal)
    async with github(hub.url) as forge:
        threads = await forge.threads.list(PR)
    assert ([thread.line for thread in threads], threads.total) == (list(range(8)), 8)
    assert {thread.resolved for thread in threads} == {False}
    assert sizes(hub) == [100, 25, 5, 5]


async def test_pages_shrink_after_an_answer_was_too_large(hub, github, page, monkeypatch):
    monkeypatch.setattr(connection_transport, "LARGEST", 4_000)
    hub.answers["query Threads"] = page(100, None)
    async with github(hub.url) as forge:
        threads = await forge.threads.list(PR)
    assert ([thread.line for thread in threads], {thread.resolved for thread in threads}) == (list(range(8)), {False})
    assert sizes(hub) == [100, 25, 5, 5]


async def test_pages_shrink_after_a_slow_error_of_a_proxy(hub, github, page, monkeypatch):
    monkeypatch.setattr(adaptive_page_size, "SLOW", 0.0)
    hub.answers["query Threads"] = page(25, BUSY)
    async with github(hub.url) as forge:
        assert len(await forge.threads.list(PR)) == 8
    assert sizes(hub) == [100, 100, 100, 25]


async def test_pages_do_not_shrink_after_a_fast_error(hub, github, page):
    hub.answers |= {"query Threads": page(25, BUSY), "GET /repos/octo/hello/pulls/2/comments": []}
    async with github(hub.url) as forge:
        assert list(await forge.threads.list(PR)) == []
    assert sizes(hub) == [100, 100, 100]


async def test_rest_is_read_if_the_smallest_page_is_too_heavy(hub, github, page):
    row = {"id": 1, "path": "a.py", "body": "Why?", "created_at": "2026-01-05T09:00:00Z", "html_url": ""}
    hub.answers |= {"query Threads": page(0, errors(COSTLY)), "GET /repos/octo/hello/pulls/2/comments": [row]}
    hub.answers["GET /repos/octo/hello/pulls/2/reviews"] = []
    async with github(hub.url) as forge:
        (thread,) = await forge.threads.list(PR)
    assert sizes(hub) == [100, 25, 5]
    assert isinstance(thread.resolved, Unknown)
    assert "Resource limits" in thread.resolved.reason
