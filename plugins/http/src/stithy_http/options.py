"""The options of the application, and the areas that paths belong to."""

from collections.abc import Set as AbstractSet
from typing import Literal, TypeAlias

from attrs import frozen
from mcp.server.auth.provider import TokenVerifier

Area: TypeAlias = Literal["mcp", "routes", "metrics", "free"]
"""What a path belongs to. Access is set by area; "free" paths reveal nothing and need no authentication."""

PROBE_PATHS = ("/healthz", "/readyz")
METADATA = "/.well-known/oauth-protected-resource"
MCP = "/mcp"
METRICS = "/metrics"


def find_area(path: str) -> Area:
    """Return the area of a path; unknown paths belong to "routes"."""
    if path in PROBE_PATHS or path == METADATA or path.startswith(f"{METADATA}/"):
        return "free"
    if path == METRICS:
        return "metrics"
    return "mcp" if path == MCP else "routes"


def find_own_route(path: str) -> str:
    """Return the route of the server's own endpoint, for logs and metrics; empty for all other paths."""
    area = find_area(path)
    return "" if area == "routes" else METADATA if path.startswith(METADATA) else path


@frozen(kw_only=True)
class Issuer:
    """An OAuth issuer of tokens for this server (RFC 9728).

    Args:
        url: The authorization server.
        resource: The URL of this server's `/mcp`, as clients know it.
        scopes: The scopes that a token must have.
        typ: The value that a token's header `typ` must have; empty also accepts access tokens without one.
    """

    url: str
    resource: str
    scopes: tuple[str, ...] = ()
    typ: str = ""


@frozen(kw_only=True)
class ServerOptions:
    """Who has access to the application, and its limits; the defaults are for a server on the loopback interface.

    Args:
        hosts: Names by which clients reach it, besides those of the loopback interface and the address itself.
        origins: The allowed origins of web pages.
        loopback: Whether only this machine reaches it.
        open: Areas that need no authentication.
        verifier: Verifies bearer tokens; None if no token is accepted.
        issuer: The OAuth issuer, if clients can get tokens from one.
        forge_tokens: Whether callers may send forge tokens of their own.
        forge_token_fallback: Whether a request with such tokens may use the server's token for another forge.
        max_body: Largest body of a request, in bytes.
        max_requests: How many requests may be in progress.
        max_requests_each: The same for one caller.
    """

    hosts: AbstractSet[str] = frozenset()
    origins: AbstractSet[str] = frozenset()
    loopback: bool = True
    open: AbstractSet[str] = frozenset({"mcp", "routes", "metrics"})
    verifier: TokenVerifier | None = None
    issuer: Issuer | None = None
    forge_tokens: bool = False
    forge_token_fallback: bool = False
    max_body: int = 4 * 1024 * 1024
    max_requests: int = 100
    max_requests_each: int = 50
