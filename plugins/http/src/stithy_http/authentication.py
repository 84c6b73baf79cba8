"""Who asks: a bearer token that somebody knows, wherever a path is not open to all."""

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
from stithy_http.options import Options, area_of
from stithy_http.problems import Problem, refuse
from stithy_http.request_state import mark_of

LONGEST = 128
"""Characters of each part of a caller's name."""


class _Refusal(NamedTuple):
    status: int
    error: str
    message: str


UNKNOWN = _Refusal(401, "invalid_token", "the bearer token is not valid here: it is wrong, has ended, or is another's")
MISSING = _Refusal(401, "", "a token is wanted: Authorization: Bearer TOKEN")
CLOSED = _Refusal(401, "", "the server was given no token for that: STITHY_HTTP_TOKEN is one, --open lets everybody in")


@define(eq=False)
class Authenticate:
    """Refuses who is nobody (401), or may not (403); what is open is answered for everybody.

    Args:
        app: What answers the rest.
        options: What is open, and who knows the tokens.
    """

    app: ASGIApp
    options: Options
    _backend: BearerAuthBackend | None = field(init=False)

    def __attrs_post_init__(self) -> None:
        # That a token is for this server is the verifier's to say: a static one names no resource.
        self._backend = BearerAuthBackend(self.options.verifier) if self.options.verifier else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        user = await self._user(HTTPConnection(scope))
        mark_of(scope).caller = scope[CALLER_KEY] = _caller(scope, user)
        if user is not None:
            scope["user"] = user
        area = area_of(scope["path"])
        if area == "free" or area in self.options.open or (refusal := self._refusal(scope, user)) is None:
            return await self.app(scope, receive, send)
        code = refusal.error or "unauthorized"
        headers = {"WWW-Authenticate": self._challenge(refusal.error)}
        return await refuse(Problem(refusal.status, code, refusal.message, headers), scope, receive, send)

    async def _user(self, connection: HTTPConnection) -> AuthenticatedUser | None:
        found = await self._backend.authenticate(connection) if self._backend else None
        return found[1] if found else None

    def _refusal(self, scope: Scope, user: AuthenticatedUser | None) -> _Refusal | None:
        if user is None:
            if self._backend is None:
                return CLOSED
            return UNKNOWN if "authorization" in HTTPConnection(scope).headers else MISSING
        wanted = self.options.issuer.scopes if self.options.issuer else ()
        lacking = [word for word in wanted if word not in user.scopes]
        if not lacking or user.access_token.claims is None:  # a static token is good for everything
            return None
        return _Refusal(403, "insufficient_scope", f"the token lacks the scope {' '.join(lacking)}")

    def _challenge(self, error: str) -> str:
        """Say what is wanted, and where a token can be had (RFC 6750, section 3; RFC 9728, section 5.1)."""
        parts = ['Bearer realm="stithy"']
        if error:
            parts.append(f'error="{error}"')
        if (issuer := self.options.issuer) is not None:
            if issuer.scopes:
                parts.append(f'scope="{" ".join(issuer.scopes)}"')
            parts.append(f'resource_metadata="{build_resource_metadata_url(AnyHttpUrl(issuer.resource))}"')
        return ", ".join(parts)


def _caller(scope: Scope, user: AuthenticatedUser | None) -> str:
    """Return the name of whoever asks: an address, holder:NAME, or what an issuer says of a token. Never a token."""
    if user is None:
        return str((scope.get("client") or ("unknown",))[0])
    client, issuer, subject = principal_components(user.access_token)
    return " ".join(_cut(part) for part in (client, issuer, subject) if part)


def _cut(name: str) -> str:
    """Cut a name that an issuer gave, which may be of any length; a hash keeps those apart that begin alike."""
    if len(name) <= LONGEST:
        return name
    return f"{name[:LONGEST]}…{blake2b(name.encode(errors='replace'), digest_size=8).hexdigest()}"
