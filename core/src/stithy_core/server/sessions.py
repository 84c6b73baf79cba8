"""Who calls, where several callers share a server."""

from typing import Any

from mcp.server.context import ServerRequestContext

from stithy_core.spi.delegated_tokens import token_identity


def session_of(ctx: ServerRequestContext[Any, Any]) -> str | None:
    """Return what tells callers over HTTP apart: their name or address, and the forge tokens that they bring.

    A gateway may speak for many callers with one bearer token, and a forge token for each. What a client says of its
    session does not count: the server gave it none. None is the one user of a server on standard input and output.
    """
    if ctx.request is None:
        return None
    from stithy_core.server.web.marks import mark_of

    return f"{mark_of(ctx.request.scope).caller} {token_identity()}"
