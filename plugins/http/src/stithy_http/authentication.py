"""Authentication by bearer token, for every path whose area is not open."""

from hashlib import blake2b
from typing import NamedTuple

from attrs import define, field
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, BearerAuthBackend
from mcp.server.auth.provider import principal_components
from mcp.server.auth.routes import build_resource_metadata_url
from pydantic import AnyHttpUrl
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from stithy_core.server import CALLER_KEY
from stithy_http.options import ServerOptions, find_area
from stithy_http.problems import Problem, send_problem
from stithy_http.request_state import get_request_state

LONGEST = 128
"""Characters of each part of a caller's name."""


class _AuthFailure(NamedTuple):
    """Why a request is not authorized.

    Args:
        status: 401 or 403.
        error: The error code of RFC 6750; empty if the request has no token.
        message: What happened, and what to do next.
    """

    status: int
    error: str
    message: str


INVALID_TOKEN = _AuthFailure(401, "invalid_token", "the bearer token is wrong, has expired, or belongs elsewhere")
NO_TOKEN = _AuthFailure(401, "", "a token is required; send Authorization: Bearer TOKEN")
NOT_CONFIGURED = _AuthFailure(
    401, "", "no token is configured for this area; set STITHY_HTTP_TOKEN, or open it with --open"
)


@define(eq=False)
class AuthenticationMiddleware:
    """Refuses callers that cannot authenticate (401) or lack a scope (403); open areas need neither.

    Args:
        app: Answers all other requests.
        options: The open areas, and the verifier of tokens.
    """

    app: ASGIApp
    options: ServerOptions
    _backend: BearerAuthBackend | None = field(init=False)

    def __attrs_post_init__(self) -> None:
        # The SDK's backend does not check the audience: the verifier does, and a static token names no resource.
        self._backend = BearerAuthBackend(self.options.verifier) if self.options.verifier else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        user = await self._authenticate(HTTPConnection(scope))
        get_request_state(scope).caller = scope[CALLER_KEY] = _format_caller(scope, user)
        if user is not None:
            scope["user"] = user
        area = find_area(scope["path"])
        if area == "free" or area in self.options.open or (failure := self._check(scope, user)) is None:
            return await self.app(scope, receive, send)
        code = failure.error or "unauthorized"
        headers = {"WWW-Authenticate": self._create_challenge(failure.error)}
        return await send_problem(Problem(failure.status, code, failure.message, headers), scope, receive, send)

    async def _authenticate(self, connection: HTTPConnection) -> AuthenticatedUser | None:
        authenticated = await self._backend.authenticate(connection) if self._backend else None
        return authenticated[1] if authenticated else None

    def _check(self, scope: Scope, user: AuthenticatedUser | None) -> _AuthFailure | None:
        if user is None:
            if self._backend is None:
                return NOT_CONFIGURED
            return INVALID_TOKEN if "authorization" in HTTPConnection(scope).headers else NO_TOKEN
        required = self.options.issuer.scopes if self.options.issuer else ()
        missing = [name for name in required if name not in user.scopes]
        if not missing or user.access_token.claims is None:  # a static token has no claims, and grants everything
            return None
        return _AuthFailure(403, "insufficient_scope", f"the token lacks the scope {' '.join(missing)}")

    def _create_challenge(self, error: str) -> str:
        """Return the value of WWW-Authenticate (RFC 6750, section 3), with the metadata (RFC 9728, section 5.1)."""
        parts = ['Bearer realm="stithy"']
        if error:
            parts.append(f'error="{error}"')
        if (issuer := self.options.issuer) is not None:
            if issuer.scopes:
                parts.append(f'scope="{" ".join(issuer.scopes)}"')
            parts.append(f'resource_metadata="{build_resource_metadata_url(AnyHttpUrl(issuer.resource))}"')
        return ", ".join(parts)


def _format_caller(scope: Scope, user: AuthenticatedUser | None) -> str:
    """Return the caller: an address, `holder:NAME`, or the client, issuer and subject of a JWT. Never a token."""
    if user is None:
        return str((scope.get("client") or ("unknown",))[0])
    client, issuer, subject = principal_components(user.access_token)
    return " ".join(_shorten(part) for part in (client, issuer, subject) if part)


def _shorten(name: str) -> str:
    """Shorten a name that an issuer chose and that may have any length; a hash tells those apart that begin alike."""
    if len(name) <= LONGEST:
        return name
    return f"{name[:LONGEST]}…{blake2b(name.encode(errors='replace'), digest_size=8).hexdigest()}"
