"""HTTP routes of plugins: their check at start, and one request from its arrival to its response."""

import re
from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import anyio
from attrs import define, field

from stithy_core.errors import InternalError, InvalidSpec, StithyError, ToolTimeout
from stithy_core.spi import Contribution, Route, Scope
from stithy_core.spi.call_state import WriteGuard
from stithy_core.spi.faults import ends_caller
from stithy_core.tools.context import CallContext, Jobs, Places
from stithy_core.tools.executor import Executor, ignore_progress, mask_error, plugin_error

if TYPE_CHECKING:
    from stithy_core.spi import Request, Response

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
OWN = ("mcp", "healthz", "readyz", "metrics", ".well-known")
"""First segments of the paths that are the server's own."""

_PATH = re.compile(r"(?:/(?:[A-Za-z0-9._~-]+|\{[a-z][a-z0-9_]*\}))+")
_VARIABLE = re.compile(r"\{([a-z0-9_]+)\}")


@define(eq=False, slots=False)
class MountedRoute:
    """A route that is served.

    Args:
        route: The plugin's declaration.
        origin: The plugin.
        scope: The plugin's scope.
        resolve: Loads a reference.
    """

    route: Route
    origin: Contribution
    scope: Scope
    _resolve: Callable[[object], Any] = field(repr=False)

    @property
    def name(self) -> str:
        """Its name in logs, metrics and errors."""
        return f"{self.route.method} {self.route.path}"

    @property
    def variables(self) -> int:
        """The number of variables in its path. A route with fewer is more specific."""
        return len(_VARIABLE.findall(self.route.path))

    @cached_property
    def handler(self) -> Callable[..., Any]:
        """The handler, loaded at the first request.

        Raises:
            InvalidSpec: The handler cannot be loaded.
        """
        handler: Callable[..., Any] = self._resolve(self.route.handler)
        return handler


def mount_route(route: Route, origin: Contribution, scope: Scope, resolve: Callable[[object], Any]) -> MountedRoute:
    """Check a route and bind it to its plugin.

    Raises:
        InvalidSpec: The method or the path is invalid.
    """
    if route.method not in METHODS:
        raise InvalidSpec(f"invalid method {route.method!r}", suggestion=f"Use one of {', '.join(METHODS)}.")
    if not _PATH.fullmatch(route.path):
        remedy = "Begin it with a slash, and make each segment of letters and digits, or one {variable}."
        raise InvalidSpec(f"invalid path {route.path!r}", suggestion=remedy)
    names = _VARIABLE.findall(route.path)
    if len(set(names)) < len(names):
        raise InvalidSpec(f"the path {route.path!r} has a variable twice", suggestion="Use each name once.")
    if route.path.split("/")[1] in OWN:
        raise InvalidSpec(f"the path {route.path!r} is reserved by the server", suggestion="Use another first word.")
    return MountedRoute(route, origin, scope, resolve)


def route_key(route: Route) -> str:
    """Return the method and the path without the names of variables: equal for routes that match the same requests."""
    return f"{route.method} {_VARIABLE.sub('{}', route.path)}"


MOST = 8 * 1024 * 1024
"""Bytes of a response's body. A larger one is a fault of the plugin, which should cut it and say so."""

_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t\x20-\x7e]*")


class RouteExecutor:
    """Runs the handlers of routes: within their time limit, with faults masked and responses checked.

    Args:
        places: Resolves the repositories and pull requests that requests name.
        jobs: Work that outlives requests.
        tools: Runs the calls of tools that handlers make.
    """

    def __init__(self, places: Places, jobs: Jobs, tools: Executor) -> None:
        self._places = places
        self._jobs = jobs
        self._tools = tools

    async def answer(self, mounted: MountedRoute, request: "Request") -> "Response":
        """Return the response to one request; an error becomes a response, too."""
        from stithy_core.spi import error_response

        try:
            return await self._answer(mounted, request)
        except StithyError as known:
            return error_response(known)
        except BaseException as unknown:  # the one place where a plugin's fault is masked
            if ends_caller(unknown):
                raise
            return error_response(mask_error(unknown, mounted.name, mounted.origin))

    async def _answer(self, mounted: MountedRoute, request: "Request") -> "Response":
        handler, seconds = _load_handler(mounted), mounted.route.seconds
        ends = anyio.current_time() + seconds
        passage = WriteGuard(mounted.name, writes=mounted.route.method != "GET", dry=False)
        context = CallContext(
            mounted.scope,
            ignore_progress,
            places=self._places,
            jobs=self._jobs,
            ends=ends,
            passage=passage,
            caller=request.caller,
            call_tool=partial(self._tools.call_for_plugin, session=f"{request.caller} {request.identity}"),
        )
        with passage, anyio.move_on_at(ends) as limit:
            response = await handler(context, request)
        if limit.cancelled_caught:
            raise ToolTimeout(f"{mounted.name} took longer than {seconds:g} seconds", suggestion="Try again.")
        if misfit := _response_fault(response):
            raise plugin_error(mounted.name, mounted.origin, f": {misfit}", "Report it to the plugin's author.")
        checked: Response = response
        return checked


def _load_handler(mounted: MountedRoute) -> Callable[..., Any]:
    try:
        return mounted.handler
    except InvalidSpec as error:
        raise InternalError(
            f"{mounted.name} of {mounted.origin}: {error.message}", suggestion=error.suggestion
        ) from error


def _response_fault(response: object) -> str:
    """Return what is wrong with what a handler returned; empty where it can be sent."""
    from stithy_core.spi import Response

    if not isinstance(response, Response):
        return f"its handler returned {type(response).__name__}, not Response"
    if response.status not in range(200, 600):  # RFC 9110, section 15
        return "its status is not between 200 and 599"
    if type(response.body) is not bytes:
        return "its body is not bytes"
    if len(response.body) > MOST:
        return f"its body of {len(response.body):,} bytes is larger than {MOST:,}"
    fit = all(_HEADER.fullmatch(name) and _VALUE.fullmatch(value) for name, value in response.headers.items())
    return "" if fit else "its headers cannot be sent"
