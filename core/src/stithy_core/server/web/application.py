"""The ASGI application."""

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stithy_core.server.adapter import build
from stithy_core.server.contents import Contents
from stithy_core.server.web import visiting
from stithy_core.tools.visits import Visits

MCP = "/mcp"


def application(contents: Contents) -> Starlette:
    """Make what answers every request."""
    sessions = StreamableHTTPSessionManager(build(contents), stateless=True)
    own = [Route("/healthz", _alive)]
    given = visiting.routes(contents.routes, Visits(contents.places, contents.jobs))
    return Starlette(routes=[*own, *given], lifespan=lambda _: sessions.run())


async def _alive(request: Request) -> Response:  # noqa: ARG001 -- Starlette's signature
    return Response(status_code=200)
