"""Routes as plugins declare them, checked before they are served."""

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any

from attrs import define, field

from stithy_core.errors import InvalidSpec
from stithy_core.spi import Contribution, Route, Scope

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
OWN = ("mcp", "healthz", "readyz", "metrics", ".well-known")
"""What a path of the server's own begins with."""

_PATH = re.compile(r"(?:/(?:[A-Za-z0-9._~-]+|\{[a-z][a-z0-9_]*\}))+")
_VARIABLE = re.compile(r"\{([a-z0-9_]+)\}")


@define(eq=False, slots=False)
class Mounted:
    """A route that is served.

    Args:
        route: What its plugin says of it.
        origin: Whose it is.
        scope: The plugin's corner.
        resolve: Loads what was written as a reference.
    """

    route: Route
    origin: Contribution
    scope: Scope
    _resolve: Callable[[object], Any] = field(repr=False)

    @property
    def name(self) -> str:
        """What logs, metrics and errors call it."""
        return f"{self.route.method} {self.route.path}"

    @property
    def variables(self) -> int:
        """How many there are in its path: the fewer, the more it means one thing."""
        return len(_VARIABLE.findall(self.route.path))

    @cached_property
    def handler(self) -> Callable[..., Any]:
        """What answers; loaded at the first request.

        Raises:
            InvalidSpec: It cannot be loaded.
        """
        handler: Callable[..., Any] = self._resolve(self.route.handler)
        return handler


def mount(route: Route, origin: Contribution, scope: Scope, resolve: Callable[[object], Any]) -> Mounted:
    """Check a route.

    Raises:
        InvalidSpec: It cannot be served as it is declared.
    """
    if route.method not in METHODS:
        raise InvalidSpec(f"the method {route.method!r} is none of {', '.join(METHODS)}", suggestion="Use one of them.")
    if not _PATH.fullmatch(route.path):
        remedy = "Write /segments from a slash on, each of letters and digits, or one {variable}."
        raise InvalidSpec(f"the path {route.path!r} cannot be read", suggestion=remedy)
    names = _VARIABLE.findall(route.path)
    if len(set(names)) < len(names):
        raise InvalidSpec(f"the path {route.path!r} has a variable twice", suggestion="Give each a name of its own.")
    if route.path.split("/")[1] in OWN:
        raise InvalidSpec(f"the path {route.path!r} is the server's own", suggestion="Begin it with another word.")
    return Mounted(route, origin, scope, resolve)


def shape(route: Route) -> str:
    """Give what two routes share that answer the same requests: the names of variables do not matter."""
    return f"{route.method} {_VARIABLE.sub('{}', route.path)}"
