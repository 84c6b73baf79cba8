"""The ASGI application: what every request passes, from the outside in."""

from contextlib import AbstractAsyncContextManager

from attrs import define
from mcp.server.auth.routes import create_protected_resource_routes
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from pydantic import AnyHttpUrl, ConfigDict, TypeAdapter
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from stithy_core.server.adapter import build
from stithy_core.server.contents import Contents
from stithy_core.tools.visits import Visits
from stithy_http import health_routes, plugin_routes
from stithy_http.authentication import Authenticate
from stithy_http.body_limit import Bodies
from stithy_http.concurrency_limit import Crowd
from stithy_http.delegated_token_middleware import DelegatedTokenMiddleware
from stithy_http.health_routes import Drain
from stithy_http.host_check import Gate
from stithy_http.message_shape import MessageShape
from stithy_http.metrics import Metrics
from stithy_http.options import MCP, Issuer, Options
from stithy_http.problems import Problem
from stithy_http.request_log import Requests
from stithy_http.request_state import mark_of

ALL = ["*"]
NOT_FOUND = 404
REQUEST_ID = "X-Request-Id"
UNKNOWN = "no path of this server: /mcp, /healthz, /readyz, /metrics and what its plugins bring"


@define(eq=False)
class Application:
    """One ASGI application, which `serve` or any other ASGI server runs.

    Args:
        drain: Tells that the end has begun.
    """

    drain: Drain
    _inner: Starlette
    _outer: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or follow the server's life.

        Its paths begin at the root: where it hung below one, what guards a path and what answers it could differ.
        """
        at_root = {**scope, "root_path": ""}
        await (self._outer if scope["type"] == "http" else self._inner)(at_root, receive, send)

    def running(self) -> AbstractAsyncContextManager[object]:
        """Run what runs beside it, without any ASGI server."""
        return self._inner.router.lifespan_context(self._inner)


def build_application(contents: Contents, options: Options) -> Application:
    """Put it together.

    Args:
        contents: What is served.
        options: How it guards itself.
    """
    server = build(contents, remote=True)
    drain = Drain(server.listening.close)
    metrics = Metrics(contents)
    sessions = StreamableHTTPSessionManager(server, stateless=True, max_request_body_size=options.max_body)
    routes: list[BaseRoute] = [
        # Without sessions there is no stream that a GET could open, and nothing to DELETE.
        Route(MCP, MessageShape(sessions.asgi_app), methods=["POST"]),
        *health_routes.routes(drain, contents.failed_services),
        metrics.route(),
        *(_metadata(options.issuer) if options.issuer else ()),
        *plugin_routes.routes(contents.routes, Visits(contents.places, contents.jobs)),
    ]
    inner = Starlette(routes=routes, exception_handlers={HTTPException: _problem}, lifespan=lambda _: sessions.run())
    inner.router.redirect_slashes = False
    return Application(drain, inner, _guarded(inner, contents, options, metrics))


def _guarded(inner: ASGIApp, contents: Contents, options: Options, metrics: Metrics) -> ASGIApp:
    """Put before it what every request passes; the last is the innermost."""
    app: ASGIApp = DelegatedTokenMiddleware(
        inner, options.forge_tokens, contents.check_forge, options.forge_token_fallback
    )
    app = Bodies(app, options.max_body)
    app = Crowd(app, options.max_requests, options.max_requests_each)
    app = Authenticate(app, options)
    if options.origins:  # a browser asks beforehand, and without a token
        app = CORSMiddleware(app, sorted(options.origins), ALL, ALL, expose_headers=[REQUEST_ID])
    return Requests(Gate(app, options), metrics)


def _metadata(issuer: Issuer) -> list[BaseRoute]:
    """Tell clients where a token can be had (RFC 9728)."""
    # An issuer is compared letter by letter (RFC 8414, section 3.3): it must not gain a slash.
    as_written = TypeAdapter(AnyHttpUrl, config=ConfigDict(url_preserve_empty_path=True)).validate_python
    resource, url = as_written(issuer.resource), as_written(issuer.url)
    return [*create_protected_resource_routes(resource, [url], list(issuer.scopes) or None)]


async def _problem(request: Request, error: Exception) -> Response:
    """Answer what no path answers, in the shape of the other errors."""
    assert isinstance(error, HTTPException)
    code, text = ("not_found", UNKNOWN) if error.status_code == NOT_FOUND else ("not_allowed", error.detail)
    mark_of(request.scope).refused = code
    return Problem(error.status_code, code, text, dict(error.headers or {})).response()
