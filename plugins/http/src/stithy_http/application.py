"""The ASGI application: the endpoints, and the middleware that every request passes."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager

from attrs import define, field, frozen
from mcp.server.auth.routes import create_protected_resource_routes
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from pydantic import AnyHttpUrl, ConfigDict, TypeAdapter
from pydantic_core import from_json
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from stithy_core.server import ServerContents, build_server
from stithy_core.server.invalid_messages import refuse_message
from stithy_core.tools.route_executor import RouteExecutor
from stithy_http.authentication import AuthenticationMiddleware
from stithy_http.body_limit import BodyLimit, replay_body
from stithy_http.concurrency_limit import ConcurrencyLimit
from stithy_http.delegated_token_middleware import DelegatedTokenMiddleware
from stithy_http.host_check import HostCheck
from stithy_http.metrics import HttpMetrics
from stithy_http.options import MCP, Issuer, ServerOptions
from stithy_http.plugin_routes import create_plugin_routes
from stithy_http.problems import Problem
from stithy_http.request_log import RequestLogMiddleware
from stithy_http.request_state import get_request_state

ALL = ["*"]
BAD_REQUEST = 400
NOT_FOUND = 404
REQUEST_ID = "X-Request-Id"
UNKNOWN_PATH = "unknown path; this server has /mcp, /healthz, /readyz, /metrics and the routes of its plugins"


@define(eq=False)
class Drain:
    """Whether the server shuts down, and so wants no further requests.

    Args:
        close: Ends the streams of listening clients, and tells them that the end is intended.

    Attributes:
        begun: Whether shutdown has begun; requests are still answered.
    """

    _close: Callable[[], None]
    begun: bool = field(default=False, init=False)

    def begin(self) -> None:
        """Begin to shut down. A second call ends the streams of clients that have reconnected meanwhile."""
        self.begun = True
        self._close()


@frozen(eq=False)
class JsonRpcCheck:
    """Answers messages that are not valid JSON-RPC requests with -32600 and their id.

    The SDK answers them with -32602 and without an id. A message whose id is null or not an integer it takes for a
    notification: 202, and nothing else.

    Args:
        app: Answers all other requests; their bodies arrive in one piece.
    """

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        first = await receive()
        try:
            errors = refuse_message(from_json(first.get("body", b"")))
        except ValueError:  # not JSON: the SDK answers it
            errors = []
        if not errors:
            return await self.app(scope, replay_body(first, receive), send)
        error = errors[0] if len(errors) == 1 else errors[0].model_copy(update={"id": None})
        content = error.model_dump_json(by_alias=True, exclude_unset=True)
        return await Response(content, BAD_REQUEST, media_type="application/json")(scope, receive, send)


@define(eq=False)
class Application:
    """The ASGI application of one app, for this package's server or any other ASGI server.

    Args:
        drain: Whether the server shuts down.
    """

    drain: Drain
    _inner: Starlette
    _outer: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or follow the server's lifespan."""
        # Paths always begin at the root: below another one, the path that is checked and the path that is routed
        # could differ.
        at_root = {**scope, "root_path": ""}
        await (self._outer if scope["type"] == "http" else self._inner)(at_root, receive, send)

    def running(self) -> AbstractAsyncContextManager[object]:
        """Return a context manager that runs the app's services and jobs, without an ASGI server."""
        return self._inner.router.lifespan_context(self._inner)


def build_application(contents: ServerContents, options: ServerOptions) -> Application:
    """Return the application.

    Args:
        contents: The tools, documents, prompts and routes to serve.
        options: Who has access, and the limits.
    """
    server = build_server(contents, remote=True)
    drain = Drain(server.listening.close)
    metrics = HttpMetrics(contents)
    sessions = StreamableHTTPSessionManager(server, stateless=True, max_request_body_size=options.max_body)
    routes: list[BaseRoute] = [
        # Without sessions there is no stream that a GET could open, and nothing to DELETE.
        Route(MCP, JsonRpcCheck(sessions.asgi_app), methods=["POST"]),
        *create_health_routes(drain, contents.failed_services),
        metrics.create_route(),
        *(_create_metadata_routes(options.issuer) if options.issuer else ()),
        *create_plugin_routes(contents.routes, RouteExecutor(contents.places, contents.jobs, contents.executor)),
    ]
    inner = Starlette(
        routes=routes, exception_handlers={HTTPException: _answer_error}, lifespan=lambda _: sessions.run()
    )
    inner.router.redirect_slashes = False
    return Application(drain, inner, _add_middleware(inner, contents, options, metrics))


def _add_middleware(app: ASGIApp, contents: ServerContents, options: ServerOptions, metrics: HttpMetrics) -> ASGIApp:
    """Return the application behind its middleware; what is added last is passed first."""
    app = DelegatedTokenMiddleware(app, options.forge_tokens, contents.check_forge, options.forge_token_fallback)
    app = BodyLimit(app, options.max_body)
    app = ConcurrencyLimit(app, options.max_requests, options.max_requests_each)
    app = AuthenticationMiddleware(app, options)
    if options.origins:  # a browser's preflight request has no token
        app = CORSMiddleware(app, sorted(options.origins), ALL, ALL, expose_headers=[REQUEST_ID])
    return RequestLogMiddleware(HostCheck(app, options), metrics)


def create_health_routes(drain: Drain, failed_services: Callable[[], Sequence[str]]) -> list[BaseRoute]:
    """Create `/healthz`, which is 200 as long as anything answers, and `/readyz`, which is 503 during shutdown.

    A forge or Redis that is down changes neither: other replicas have the same problem, and a restart does not help. A
    service that failed does not either, since it is restarted; `/readyz` names it.

    Args:
        drain: Whether the server shuts down.
        failed_services: Returns the names of the services that failed and will be restarted.
    """

    async def answer_liveness(request: Request) -> Response:  # noqa: ARG001 -- Starlette's signature
        return PlainTextResponse("ok\n")

    async def answer_readiness(request: Request) -> Response:  # noqa: ARG001 -- Starlette's signature
        lines = [f"service {name} failed and will be restarted\n" for name in failed_services()]
        return PlainTextResponse("ending\n", 503) if drain.begun else PlainTextResponse("".join(["ok\n", *lines]))

    return [Route("/healthz", answer_liveness), Route("/readyz", answer_readiness)]


def _create_metadata_routes(issuer: Issuer) -> list[BaseRoute]:
    """Create the route that tells clients where to get a token (RFC 9728)."""
    # An issuer is compared letter by letter (RFC 8414, section 3.3): it must not gain a slash.
    as_written = TypeAdapter(AnyHttpUrl, config=ConfigDict(url_preserve_empty_path=True)).validate_python
    resource, url = as_written(issuer.resource), as_written(issuer.url)
    return [*create_protected_resource_routes(resource, [url], list(issuer.scopes) or None)]


async def _answer_error(request: Request, error: Exception) -> Response:
    """Answer an unknown path or method in the shape of all other errors."""
    assert isinstance(error, HTTPException)
    code, text = ("not_found", UNKNOWN_PATH) if error.status_code == NOT_FOUND else ("not_allowed", error.detail)
    get_request_state(request.scope).refused = code
    return Problem(error.status_code, code, text, dict(error.headers or {})).create_response()
