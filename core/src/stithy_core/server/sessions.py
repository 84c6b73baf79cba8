"""Who calls, where several callers share a server."""

from typing import Any

from mcp.server.context import ServerRequestContext


def session_of(ctx: ServerRequestContext[Any, Any]) -> str | None:
    """Give what tells callers over HTTP apart: their session, where their era has any, and whom a token speaks for.

    None is the one user of a server on standard input and output.
    """
    if ctx.request is None:
        return None
    from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, authorization_context

    user = ctx.request.scope.get("user")
    principal = sorted(authorization_context(user).items()) if isinstance(user, AuthenticatedUser) else ""
    return f"{ctx.request.headers.get('mcp-session-id', '')} {principal}"
