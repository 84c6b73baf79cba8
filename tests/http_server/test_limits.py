"""The limits of body sizes and of concurrent requests."""

import json

import anyio
import pytest

from stithy_core.spi import Response, Route
from stithy_http import body_limit
from stithy_http.body_limit import BodyLimit
from stithy_testing import browse

pytestmark = pytest.mark.anyio


async def size(context, request):
    return Response.of_json(len(request.body))


@pytest.fixture
def small(serve):
    """A server that accepts ten bytes."""
    return serve(Route(method="POST", path="/size", handler=size), settings="[serve.http]\nmax_body = 10")


@pytest.mark.parametrize(("sent", "status"), [(b"x" * 10, 200), (b"x" * 11, 413)])
async def test_a_body_that_is_too_large_is_refused(small, sent, status):
    async with browse(small) as ask:
        answer = await ask("POST", "/size", body=sent)
    assert answer.status == status


@pytest.mark.parametrize("declared", ["11", "9" * 5000])
async def test_a_declared_too_large_body_is_not_read(small, declared):
    async with browse(small) as ask:
        answer = await ask("POST", "/size", headers={"Content-Length": declared})
    assert (answer.status, json.loads(answer.body)["error"]["code"]) == (413, "body_too_large")


async def test_mcp_has_the_same_limit(small):
    async with browse(small) as ask:
        assert (await ask("POST", "/mcp", body=b"x" * 11)).status == 413


async def test_a_body_that_does_not_arrive_is_refused(monkeypatch):
    monkeypatch.setattr(body_limit, "BODY_SECONDS", 0.01)
    sent = []

    async def send(message):
        sent.append(message)

    await BodyLimit(None, 10)({"type": "http", "headers": []}, anyio.sleep_forever, send)
    assert sent[0]["status"] == 408


@pytest.fixture
def held(serve):
    """A server whose route waits: yields it, the requests in progress, and the event that ends them."""
    inside, go = anyio.Semaphore(0), anyio.Event()

    async def wait(context, request):
        inside.release()
        await go.wait()
        return Response()

    def make_server(settings):
        return serve(wait=wait, settings=f"[serve.http]\n{settings}"), inside, go

    return make_server


@pytest.mark.parametrize(
    ("settings", "status", "code"),
    [("max_requests = 2", 503, "busy"), ("max_requests_each = 2", 429, "too_many_of_yours")],
)
async def test_a_request_beyond_the_limit_is_refused_with_retry_after(held, settings, status, code):
    app, inside, go = held(settings)
    async with browse(app) as ask, anyio.create_task_group() as group:
        for _ in range(2):
            group.start_soon(ask, "GET", "/wait/a/b")
            await inside.acquire()
        answer = await ask("GET", "/wait/a/b")
        assert (answer.status, json.loads(answer.body)["error"]["code"]) == (status, code)
        assert answer.headers["retry-after"] == "1"
        assert (await ask("GET", "/healthz")).status == 200
        assert (await ask("GET", "/metrics")).status == 200
        go.set()
    async with browse(app) as ask:
        assert (await ask("GET", "/wait/a/b")).status == 200


async def test_a_completed_request_frees_its_slot(held):
    app, _, go = held("max_requests = 1")
    go.set()
    async with browse(app) as ask:
        assert [(await ask("GET", "/wait/a/b")).status for _ in range(3)] == [200] * 3
