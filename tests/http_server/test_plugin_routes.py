"""Routes of plugins, requested as an HTTP client does."""

import json

import anyio
import pytest

from stithy_core.spi import NotFound, RateLimited, Response, Route, Unauthorized
from stithy_core.spi.call_state import PlannedWrite, check_write
from stithy_testing import browse

pytestmark = pytest.mark.anyio


async def echo(context, request):
    """Return the request as the plugin received it."""
    told = {"parameters": request.parameters, "query": request.query, "headers": request.headers, "path": request.path}
    return Response.of_json(told | {"method": request.method, "id": request.id, "since": request.one("since")})


async def send_request(app, target="/echo/a/b", method="GET", **options):
    async with browse(app) as ask:
        return await ask(method, target, **options)


def error_of(answer):
    return json.loads(answer.body)["error"]


async def test_a_route_receives_path_and_query_parameters(serve):
    said = json.loads((await send_request(serve(echo=echo), "/echo/a%20b/%C3%A9?state=1&state=2&since=x%2By")).body)
    assert said["parameters"] == {"owner": "a b", "repo": "é"}
    assert said["query"] == {"state": ["1", "2"], "since": ["x+y"]}
    assert (said["path"], said["since"]) == ("/echo/a b/é", "x+y")


async def test_plugins_do_not_receive_credentials(serve):
    headers = {"Authorization": "Bearer secret-of-a-caller", "Cookie": "a=b", "If-None-Match": '"1"'}
    said = json.loads((await send_request(serve(echo=echo), headers=headers)).body)
    assert said["headers"] == {"host": "127.0.0.1", "if-none-match": '"1"'}


async def test_a_slash_in_a_variable_makes_another_path(serve):
    assert (await send_request(serve(echo=echo), "/echo/a%2Fb/c")).status == 404


async def test_a_repeated_parameter_is_refused_where_one_is_expected(serve):
    answer = await send_request(serve(echo=echo), "/echo/a/b?since=1&since=2")
    assert (answer.status, error_of(answer)["code"]) == (400, "invalid_arguments")


async def test_head_is_answered_by_get_without_its_body(serve):
    answer = await send_request(serve(echo=echo), method="HEAD")
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json; charset=utf-8")


@pytest.mark.parametrize(("target", "method", "status"), [("/nothing", "GET", 404), ("/echo/a/b", "DELETE", 405)])
async def test_unknown_paths_and_methods_have_the_common_error_shape(serve, target, method, status):
    answer = await send_request(serve(echo=echo), target, method)
    assert (answer.status, set(error_of(answer))) == (status, {"code", "message"})


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (NotFound("no 7", details={"status": 404}), 404, "not_found"),
        (Unauthorized("no token", details={"status": 401}), 502, "unauthorized"),
        (RateLimited("slow down", retry_after=1.2, details={"status": 403}), 429, "rate_limited"),
    ],
)
async def test_an_error_of_a_forge_has_the_common_error_shape(serve, error, status, code):
    async def fails(context, request):
        raise error

    answer = await send_request(serve(fails=fails), "/fails/a/b")
    said = error_of(answer)
    assert (answer.status, said["code"], said["upstream_status"]) == (status, code, error.details["status"])
    assert answer.headers.get("retry-after") == (str(said["retry_after_seconds"]) if error.retry_after else None)


async def test_retry_after_is_rounded_up_and_the_suggestion_ends_the_message(serve):
    async def fails(context, request):
        raise RateLimited("slow down", suggestion="Wait.", retry_after=1.2)

    said = error_of(await send_request(serve(fails=fails), "/fails/a/b"))
    assert said == {"code": "rate_limited", "message": "slow down. Wait.", "retry_after_seconds": 2}


async def test_a_plugins_exception_is_masked(serve, caplog):
    async def breaks(context, request):
        raise ValueError("the password is hunter2")

    answer = await send_request(serve(breaks=breaks), "/breaks/a/b")
    assert (answer.status, error_of(answer)["code"]) == (500, "internal_error")
    assert b"hunter2" not in answer.body
    assert "stithy-test 1.0" in error_of(answer)["message"]
    assert "hunter2" in caplog.text


@pytest.mark.parametrize(
    "given",
    [
        {"a": 1},
        Response(status=99),
        Response(body="text"),
        Response(headers={"X": "a\r\nSet-Cookie: b=c"}),
        Response(headers={"A B": "c"}),
        Response(body=bytes(8 * 1024 * 1024 + 1)),
    ],
)
async def test_an_invalid_response_is_the_plugins_fault(serve, given):
    async def odd(context, request):
        return given

    answer = await send_request(serve(odd=odd), "/odd/a/b")
    assert (answer.status, error_of(answer)["code"]) == (500, "internal_error")


async def test_a_route_that_takes_too_long_is_cancelled_and_answered(serve):
    async def sleeps(context, request):
        await anyio.sleep_forever()

    answer = await send_request(serve(Route(method="GET", path="/sleeps", handler=sleeps, seconds=0.01)), "/sleeps")
    assert (answer.status, error_of(answer)["code"]) == (504, "tool_timeout")


async def test_a_route_that_cannot_be_loaded_names_its_plugin(serve):
    answer = await send_request(serve(Route(method="GET", path="/gone", handler="stithy_gone:answer")), "/gone")
    assert answer.status == 500
    assert "stithy-test 1.0" in error_of(answer)["message"]


@pytest.mark.parametrize(("method", "status"), [("GET", 403), ("POST", 200)])
async def test_a_get_writes_nothing(serve, method, status):
    async def writes(context, request):
        check_write(PlannedWrite())
        return Response()

    app = serve(Route(method=method, path="/writes", handler=writes))
    assert (await send_request(app, "/writes", method)).status == status


async def test_the_more_specific_route_wins(serve):
    def saying(word):
        async def say(context, request):
            return Response(body=word)

        return say

    app = serve(
        Route(method="GET", path="/a/{name}", handler=saying(b"any")),
        Route(method="GET", path="/a/me", handler=saying(b"me")),
    )
    async with browse(app) as ask:
        assert [(await ask("GET", path)).body for path in ("/a/me", "/a/you")] == [b"me", b"any"]


@pytest.mark.parametrize(
    "route",
    [
        {"path": "/mcp"},
        {"path": "/metrics/more"},
        {"path": "/.well-known/x"},
        {"path": "relative"},
        {"path": "/a/{b}{c}"},
        {"path": "/a/{b}/{b}"},
        {"path": "/a/"},
        {"path": "/a b"},
        {"path": "/a", "method": "get"},
    ],
)
def test_an_invalid_route_is_omitted_and_reported(serve, route):
    app = serve(Route(**{"method": "GET", "handler": echo} | route), echo=echo)
    (failed,) = app.all_failed
    assert failed.offer.startswith("route ")
    assert failed.remedy
    assert [mounted.name for mounted in app.routes] == ["GET /echo/{owner}/{repo}"]


def test_two_routes_for_the_same_requests_are_both_omitted(serve):
    app = serve(*(Route(method="GET", path=path, handler=echo) for path in ("/a/{b}", "/a/{c}", "/a")))
    assert [mounted.route.path for mounted in app.routes] == ["/a"]
    assert "route GET /a/{} 2 times" in app.all_failed[0].cause
