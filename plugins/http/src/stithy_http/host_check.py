"""Who may ask at all: requests for this server's own names, from no web page but those that are allowed.

A page in a browser can make its own name lead to this machine (DNS rebinding), and then ask as if it were no stranger.
What it cannot do is to change the `Host` and the `Origin` that the browser sends.
"""

import re

from attrs import frozen
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from stithy_http.options import Options
from stithy_http.problems import Problem, refuse

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
FOREIGN_HOST = Problem(421, "host_refused", "the Host is none of this server's: [serve.http] hosts has its names")
FOREIGN_PAGE = Problem(403, "origin_refused", "the web page may not ask: [serve.http] origins has those that may")

_NAME = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?", re.IGNORECASE)
_ORIGIN = re.compile(r"https?://(.+)", re.IGNORECASE)


@frozen(eq=False)
class Gate:
    """Refuses foreign hosts (421) and origins (403), on every path.

    The address that a request arrived at is a name, too: probes and scrapers know the server by no other, and no page
    that was led here by its name can have it.

    Args:
        app: What answers the rest.
        options: Which names and pages there are.
    """

    app: ASGIApp
    options: Options

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not self._is_own(_name(host), scope):
            return await refuse(FOREIGN_HOST, scope, receive, send)
        if not self._may_ask(headers, host):
            return await refuse(FOREIGN_PAGE, scope, receive, send)
        return await self.app(scope, receive, send)

    def _is_own(self, name: str, scope: Scope) -> bool:
        return name in LOOPBACK or name in self.options.hosts or (bool(name) and name == _arrived_at(scope))

    def _may_ask(self, headers: Headers, host: str) -> bool:
        origin = headers.get("origin")
        if origin is None:  # no page, or one that shows what it gets and cannot read it
            return headers.get("sec-fetch-site") != "cross-site"
        page = _ORIGIN.fullmatch(origin)
        if page is None or len(headers.getlist("origin")) != 1:
            return False
        own = page[1].lower() == host.lower() or (self.options.loopback and _name(page[1]) in LOOPBACK)
        return own or origin.lower() in self.options.origins


def _name(host: str) -> str:
    """Give the name in a Host, without its port; empty where there is none."""
    found = _NAME.fullmatch(host)
    return found[1].lower().rstrip(".") if found else ""


def _arrived_at(scope: Scope) -> str:
    """Give the address that the client connected to, as a Host has it."""
    address = str((scope.get("server") or ("",))[0]).lower()
    return f"[{address}]" if ":" in address else address
