"""What the application is told by the settings."""

from collections.abc import Set as AbstractSet
from typing import Literal, TypeAlias

from attrs import frozen
from mcp.server.auth.provider import TokenVerifier

Area: TypeAlias = Literal["mcp", "routes", "metrics", "free"]
"""What a path belongs to; what is free tells nobody anything, and answers whoever may reach the server."""

FREE = ("/healthz", "/readyz")
METADATA = "/.well-known/oauth-protected-resource"
MCP = "/mcp"
METRICS = "/metrics"


def area_of(path: str) -> Area:
    """Say what a path belongs to."""
    if path in FREE or path == METADATA or path.startswith(f"{METADATA}/"):
        return "free"
    if path == METRICS:
        return "metrics"
    return "mcp" if path == MCP else "routes"


def own_route(path: str) -> str:
    """Give a path of the server's own as logs and metrics have it; empty for the others."""
    area = area_of(path)
    return "" if area == "routes" else METADATA if path.startswith(METADATA) else path


@frozen(kw_only=True)
class Issuer:
    """Who issues tokens for this server (RFC 9728).

    Args:
        url: The authorization server.
        resource: This server's `/mcp`, as clients know it.
        scopes: What a token must be good for.
        typ: What the header `typ` of a token must be; empty takes access tokens without one, too.
    """

    url: str
    resource: str
    scopes: tuple[str, ...] = ()
    typ: str = ""


@frozen(kw_only=True)
class Options:
    """How the application guards itself; the defaults are those of a server that only its own machine reaches.

    Args:
        hosts: The names by which clients reach it, besides that of the loopback interface and the address itself.
        origins: The web pages that may ask.
        loopback: Whether only this machine reaches it.
        open: What nobody has to authenticate for.
        verifier: Knows the tokens that are taken; None where none is.
        issuer: Who issues tokens, where clients may ask somebody for one.
        forge_tokens: Whether callers may send forge tokens of their own.
        forge_token_fallback: Whether a request with such tokens may use the server's token for another forge.
        max_body: Bytes of a request.
        max_requests: How many are answered at a time.
        max_requests_each: How many of them may be one caller's.
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
