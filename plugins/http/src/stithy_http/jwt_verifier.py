"""The tokens of an OAuth issuer: JWTs that its keys signed for this server (RFC 9068)."""

import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import anyio
import jwt
from attrs import define, field
from mcp.server.auth.provider import AccessToken

from stithy_core.errors import StithyError
from stithy_core.redaction import MASK, redact
from stithy_http.options import Issuer

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Those with a public key: with a shared secret, whoever can check a token could make one."""
LEEWAY = 30.0
AGE = 3_600.0
"""Seconds after which the keys are looked at again: an issuer takes old ones away."""
PAUSE = 30.0
"""Seconds between two looks: anybody can send tokens of keys that do not exist."""

ACCESS_TYPES = frozenset({"at+jwt", "okta-internal-at+jwt"})
"""Values of the header `typ` that only access tokens have: that of RFC 9068, and Okta's for its own server."""
UNTYPED = frozenset({"", "jwt"})
ACCESS_USES = frozenset({"access", "access_token", "at+jwt", "bearer", "dpop"})
OTHER_USES = frozenset({"id", "id_token", "refresh", "refresh_token", "offline", "logout"})
"""Values of the claims `token_use` (Cognito) and `typ` (Keycloak)."""
ID_TOKEN_CLAIMS = ("at_hash", "c_hash", "s_hash", "nonce")
"""Claims of OpenID Connect Core, sections 2 and 3.3.2, which say to whom an ID token belongs."""
ACCESS_CLAIMS = ("scope", "scp", "client_id", "cid", "appid", "gty")
"""Claims that issuers write into access tokens alone: RFC 9068, Okta, Entra, Auth0."""

log = logging.getLogger("stithy.web")


class NotAccessToken(jwt.InvalidTokenError):
    """A token that is good, and for something else."""


@define
class IssuedTokens:
    """Knows an issuer's tokens; implements the SDK's `TokenVerifier`.

    Args:
        issuer: Whose they are, and for whom.
        fetch: Gets the issuer's keys, as a JWK set.
        clock: Tells the time.
    """

    issuer: Issuer
    _fetch: Callable[[], Awaitable[Any]]
    _clock: Callable[[], float] = time.monotonic
    _keys: dict[str, jwt.PyJWK] = field(factory=dict, init=False, repr=False)
    _fetched: float | None = field(default=None, init=False)
    _tried: float | None = field(default=None, init=False)
    _turn: anyio.Lock = field(factory=anyio.Lock, init=False, repr=False)

    async def verify_token(self, token: str) -> AccessToken | None:
        """Say whom a token speaks for; None where it is not good here, for whatever reason."""
        try:
            header = jwt.get_unverified_header(token)
            key = await self._key(str(header.get("kid", "")))
            return None if key is None else self._read(token, header, key)
        except NotAccessToken as error:
            log.info("a bearer token is refused: %s", error)
            return None
        except (jwt.PyJWTError, ValueError, TypeError) as error:
            log.info("a bearer token is refused: %s", type(error).__name__)
            return None

    def _read(self, token: str, header: dict[str, Any], key: jwt.PyJWK) -> AccessToken:
        claims = jwt.decode(
            token,
            key,
            algorithms=list(ALGORITHMS),
            audience=self.issuer.resource,
            issuer=self.issuer.url,
            leeway=LEEWAY,
            options={"require": ["exp", "iss", "aud"]},
        )
        check_type(header, claims, self.issuer.typ)
        return AccessToken(
            token=MASK,  # what the SDK keeps of a request is printed by many
            client_id=str(claims.get("client_id") or claims.get("azp") or claims.get("sub") or "unknown"),
            scopes=_scopes(claims),
            resource=self.issuer.resource,
            subject=str(claims["sub"]) if claims.get("sub") else None,
            claims={"iss": self.issuer.url},
        )

    async def _key(self, kid: str) -> jwt.PyJWK | None:
        # Who has a known key does not wait for what others, or an issuer that is down, have begun.
        if kid not in self._keys or (self._is_old() and not self._turn.locked()):
            async with self._turn:
                if kid not in self._keys or self._is_old():
                    await self._look()
        return self._keys.get(kid)

    def _is_old(self) -> bool:
        return self._fetched is None or self._clock() - self._fetched > AGE

    async def _look(self) -> None:
        """Get the keys; where they cannot be had, those that are known go on."""
        if self._tried is not None and self._clock() - self._tried < PAUSE:
            return
        self._tried = self._clock()
        try:
            found = jwt.PyJWKSet.from_dict(await self._fetch())
        except (StithyError, jwt.PyJWTError, ValueError, TypeError, AttributeError) as error:
            log.warning("the keys of %s cannot be had: %s", self.issuer.url, redact(str(error)))
            return
        self._keys = {str(key.key_id or ""): key for key in found.keys}
        self._fetched = self._tried


def check_type(header: Mapping[str, Any], claims: Mapping[str, Any], wanted: str) -> None:
    """Check that a token is an access token: an issuer signs its ID tokens with the same keys.

    Args:
        header: The token's header, whose signature was verified.
        claims: Its claims, likewise.
        wanted: The value that the header `typ` must have; empty takes tokens of issuers that write none, too.

    Raises:
        NotAccessToken: It is an ID token or another one, or nothing tells it from an ID token.
    """
    typ = str(header.get("typ") or "").lower().removeprefix("application/")
    if wanted and typ != wanted:
        raise NotAccessToken(f"its header 'typ' is not {wanted!r}")
    if typ in ACCESS_TYPES:
        return
    if typ not in UNTYPED:
        raise NotAccessToken("its header 'typ' is not that of an access token")
    if not _is_access_token(claims):
        raise NotAccessToken("it is an ID token, or nothing in it tells it from one")


def _is_access_token(claims: Mapping[str, Any]) -> bool:
    """Return whether the claims of a token without a type are those of an access token."""
    use = str(claims.get("token_use", claims.get("typ"))).lower()
    if use in ACCESS_USES:  # though it has a nonce: Keycloak before 25 wrote it into every token
        return True
    if use in OTHER_USES:
        return False
    if any(name in claims for name in ID_TOKEN_CLAIMS):
        return False
    audience = claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]]
    # The audience of an ID token is the client that it was issued to.
    client = claims.get("azp", claims.get("client_id"))
    if client is not None:
        return client not in audience
    return any(name in claims for name in ACCESS_CLAIMS)


def _scopes(claims: dict[str, Any]) -> list[str]:
    """Read what a token is good for: a text with blanks (RFC 9068), or the list that some issuers write."""
    given = claims.get("scope", claims.get("scp", ""))
    return given.split() if isinstance(given, str) else [str(word) for word in given]
