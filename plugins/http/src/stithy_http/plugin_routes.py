"""The routes of plugins as an ASGI application knows them."""

from collections.abc import Mapping, Sequence

import anyio
from starlette.requests import Request as Incoming
from starlette.responses import Response as Outgoing
from starlette.routing import BaseRoute
from starlette.routing import Route as Path

from stithy_core.spi import Request, Response
from stithy_core.tools.mounting import Mounted
from stithy_core.tools.visits import Visits
from stithy_http.request_state import mark_of

GONE = Response(status=499)
"""Nobody reads it; logs and metrics have the status that nginx has for it."""
SECRETS = frozenset({"authorization", "proxy-authorization", "cookie"})
"""Headers that authenticate: no plugin has a use for them."""


def routes(mounted: Sequence[Mounted], visits: Visits) -> list[BaseRoute]:
    """Give what answers for each route, in the same order."""
    return [_route(one, visits) for one in mounted]


def _route(mounted: Mounted, visits: Visits) -> BaseRoute:
    async def answer(incoming: Incoming) -> Outgoing:
        mark_of(incoming.scope).route = mounted.route.path
        request, response = await _neutral(incoming), GONE
        async with anyio.create_task_group() as group:
            group.start_soon(_end_when_gone, incoming, group.cancel_scope)
            response = await visits.answer(mounted, request)
            group.cancel_scope.cancel()
        return outgoing(response)

    return Path(mounted.route.path, answer, methods=[mounted.route.method], name=mounted.name)


async def _end_when_gone(incoming: Incoming, scope: anyio.CancelScope) -> None:
    """Wait until who asked has gone: then nobody wants the answer, and the forge is not asked on for it."""
    while (await incoming.receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


async def _neutral(incoming: Incoming) -> Request:
    mark = mark_of(incoming.scope)
    return Request(
        method="GET" if incoming.method == "HEAD" else incoming.method,
        path=incoming.url.path,
        parameters=incoming.path_params,
        query={name: incoming.query_params.getlist(name) for name in incoming.query_params},
        headers=_headers(incoming),
        body=await incoming.body(),
        id=mark.id,
        caller=mark.caller,
        identity=mark.identity,
    )


def _headers(incoming: Incoming) -> Mapping[str, str]:
    names = [name for name in dict.fromkeys(incoming.headers) if name not in SECRETS]
    return {name: ", ".join(incoming.headers.getlist(name)) for name in names}


def outgoing(response: Response) -> Outgoing:
    """Give a neutral response as it is sent."""
    return Outgoing(response.body, response.status, headers=dict(response.headers))
