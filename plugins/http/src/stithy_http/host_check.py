"""The check of `Host` and `Origin`: requests must be for the server's own names, and from allowed web pages.

A web page can make its own host name resolve to this machine (DNS rebinding), and then send requests from a browser on
it. It cannot change the `Host` and the `Origin` that the browser sends.
"""

import re

from attrs import frozen
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from stithy_http.options import ServerOptions
from stithy_http.problems import Problem, send_problem

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
FOREIGN_HOST = Problem(421, "host_refused", "the Host is not one of this server's names; add it to [serve.http] hosts")
FOREIGN_ORIGIN = Problem(403, "origin_refused", "the web page is not allowed; add its origin to [serve.http] origins")

_NAME = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?", re.IGNORECASE)
_ORIGIN = re.compile(r"https?://(.+)", re.IGNORECASE)


@frozen(eq=False)
class HostCheck:
    """Refuses foreign hosts (421) and origins (403), on every path.

    The address at which a request arrived is a name, too: probes and scrapers know no other, and a web page cannot have
    it as its own name.

    Args:
        app: Answers all other requests.
        options: The server's names and the allowed origins.
    """

    app: ASGIApp
    options: ServerOptions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not self._is_own(_parse_name(host), scope):
            return await send_problem(FOREIGN_HOST, scope, receive, send)
        if not self._is_allowed_origin(headers, host):
            return await send_problem(FOREIGN_ORIGIN, scope, receive, send)
        return await self.app(scope, receive, send)

    def _is_own(self, name: str, scope: Scope) -> bool:
        return name in LOOPBACK or name in self.options.hosts or (bool(name) and name == _server_address(scope))

    def _is_allowed_origin(self, headers: Headers, host: str) -> bool:
        origin = headers.get("origin")
        if origin is None:  # not from a page, or from one that embeds the answer and cannot read it
            return headers.get("sec-fetch-site") != "cross-site"
        page = _ORIGIN.fullmatch(origin)
        if page is None or len(headers.getlist("origin")) != 1:
            return False
        own = page[1].lower() == host.lower() or (self.options.loopback and _parse_name(page[1]) in LOOPBACK)
        return own or origin.lower() in self.options.origins


def _parse_name(host: str) -> str:
    """Return the name in a Host header, in lower case and without its port; empty for an invalid header."""
    match = _NAME.fullmatch(host)
    return match[1].lower().rstrip(".") if match else ""


def _server_address(scope: Scope) -> str:
    """Return the address that the client connected to, as a Host header would have it."""
    address = str((scope.get("server") or ("",))[0]).lower()
    return f"[{address}]" if ":" in address else address
