"""Routes of plugins, asked as an HTTP client asks."""

import json

import pytest

from stithy_core.plugins import Entry
from stithy_core.spi import Contribution, NotFound, Response, Route, hookimpl
from stithy_core.testing import browse, make_app

pytestmark = pytest.mark.anyio


class Plugin:
    """A plugin of nothing but routes."""

    STITHY_API = 0

    def __init__(self, routes):
        self._routes = routes

    @hookimpl
    def stithy_routes(self):
        return self._routes


@pytest.fixture
def serve(tmp_path):
    """Put a server together of some routes, by their paths."""

    def app(**handlers):
        routes = [
            Route(method="GET", path=f"/{name}/{{owner}}/{{repo}}", handler=handler)
            for name, handler in handlers.items()
        ]
        origin = Contribution("stithy-test", "1.0", "test")
        return make_app(tmp_path, entries=[Entry(origin, load=lambda: Plugin(routes))])

    return app


async def echo(context, request):
    return Response.of_json(
        {"parameters": request.parameters, "query": request.query, "headers": request.headers, "path": request.path}
    )


async def test_a_route_is_given_what_stands_in_its_path_and_behind_it(serve):
    async with browse(serve(echo=echo)) as ask:
        answer = await ask("GET", "/echo/a%20b/c?since=1&since=2")
    said = json.loads(answer.body)
    assert said["parameters"] == {"owner": "a b", "repo": "c"}
    assert said["query"] == {"since": ["1", "2"]}


async def test_an_error_is_answered_in_the_shape_of_the_specification(serve):
    async def absent(context, request):
        raise NotFound("no pull request 7", suggestion="Look at the number.", details={"status": 404})

    async with browse(serve(absent=absent)) as ask:
        answer = await ask("GET", "/absent/a/b")
    assert answer.status == 404
    assert json.loads(answer.body)["error"] == {
        "code": "not_found",
        "message": "no pull request 7. Look at the number.",
        "upstream_status": 404,
    }
