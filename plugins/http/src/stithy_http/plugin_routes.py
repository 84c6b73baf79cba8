"""The routes of plugins as Starlette routes."""

from collections.abc import Mapping, Sequence

import anyio
from starlette.requests import Request as StarletteRequest
from starlette.responses import Response as StarletteResponse
from starlette.routing import BaseRoute
from starlette.routing import Route as StarletteRoute

from stithy_core.redaction import SECRET_HEADERS
from stithy_core.spi import Request, Response
from stithy_core.tools.route_executor import MountedRoute, RouteExecutor
from stithy_http.request_state import get_request_state

CLIENT_CLOSED = Response(status=499)
"""Nobody reads it; logs and metrics have the status that nginx uses."""


def create_plugin_routes(mounted: Sequence[MountedRoute], visits: RouteExecutor) -> list[BaseRoute]:
    """Return a Starlette route for each route of a plugin, in the same order."""
    return [_create_route(one, visits) for one in mounted]


def _create_route(mounted: MountedRoute, visits: RouteExecutor) -> BaseRoute:
    async def answer(request: StarletteRequest) -> StarletteResponse:
        get_request_state(request.scope).route = mounted.route.path
        plugin_request, response = await _to_plugin_request(request), CLIENT_CLOSED
        async with anyio.create_task_group() as group:
            group.start_soon(_cancel_on_disconnect, request, group.cancel_scope)
            response = await visits.answer(mounted, plugin_request)
            group.cancel_scope.cancel()
        return to_starlette_response(response)

    return StarletteRoute(mounted.route.path, answer, methods=[mounted.route.method], name=mounted.name)


async def _cancel_on_disconnect(request: StarletteRequest, scope: anyio.CancelScope) -> None:
    """Cancel a scope when the client disconnects: no further requests to forges are made for it."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


async def _to_plugin_request(request: StarletteRequest) -> Request:
    state = get_request_state(request.scope)
    return Request(
        method="GET" if request.method == "HEAD" else request.method,
        path=request.url.path,
        parameters=request.path_params,
        query={name: request.query_params.getlist(name) for name in request.query_params},
        headers=_copy_headers(request),
        body=await request.body(),
        id=state.id,
        caller=state.caller,
        identity=state.identity,
    )


def _copy_headers(request: StarletteRequest) -> Mapping[str, str]:
    """Return the headers of a request but those that authenticate, which no plugin needs."""
    names = [name for name in dict.fromkeys(request.headers) if name not in SECRET_HEADERS]
    return {name: ", ".join(request.headers.getlist(name)) for name in names}


def to_starlette_response(response: Response) -> StarletteResponse:
    """Return a plugin's response as a Starlette response."""
    return StarletteResponse(response.body, response.status, headers=dict(response.headers))
