"""What tells callers apart who share a server."""

from typing import Any

from mcp.server.context import ServerRequestContext

from stithy_core.spi.call_state import token_identity

CALLER_KEY = "stithy.caller"
"""Key in the ASGI scope of a request under which a transport stores the caller's name or address."""


def session_key(ctx: ServerRequestContext[Any, Any]) -> str | None:
    """Return what tells callers apart: their name or address, and whose forge tokens they send.

    A gateway may send the requests of many callers with one bearer token, and a forge token for each. A session id of
    the client's does not count: the server issues none. None is the one user of standard input and output.
    """
    if ctx.request is None:
        return None
    return f"{ctx.request.scope[CALLER_KEY]} {token_identity()}"
