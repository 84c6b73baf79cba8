"""The verifier of an OAuth issuer's tokens: JWTs that its keys signed for this server (RFC 9068)."""

import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import anyio
import jwt
from attrs import define, field, frozen
from mcp.server.auth.provider import AccessToken

from stithy_core.errors import StithyError
from stithy_core.redaction import MASK, redact
from stithy_http.options import Issuer

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Those with a public key: with a shared secret, whoever can verify a token could create one."""
RSA_ALGORITHMS = tuple(name for name in ALGORITHMS if name[:2] in ("RS", "PS"))
"""Those of an RSA key that names none; of other keys, type and curve tell the algorithm."""
LEEWAY = 30.0
"""Seconds by which the clocks of issuer and server may differ."""
KEYS_MAX_AGE = 3_600.0
"""Seconds after which the keys are fetched again: an issuer withdraws old ones."""
FETCH_INTERVAL = 30.0
"""Seconds between two fetches: anybody can send tokens with unknown key ids."""

ACCESS_TYPES = frozenset({"at+jwt", "okta-internal-at+jwt"})
"""Values of the header `typ` that only access tokens have: that of RFC 9068, and Okta's for its own server."""
UNTYPED = frozenset({"", "jwt"})
ACCESS_USES = frozenset({"access", "access_token", "at+jwt", "bearer", "dpop"})
OTHER_USES = frozenset({"id", "id_token", "refresh", "refresh_token", "offline", "logout"})
"""Values of the claims `token_use` (Cognito) and `typ` (Keycloak)."""
ID_TOKEN_CLAIMS = ("at_hash", "c_hash", "s_hash", "nonce")
"""Claims of OpenID Connect Core, sections 2 and 3.3.2, which only ID tokens have."""
ACCESS_CLAIMS = ("scope", "scp", "client_id", "cid", "appid", "gty")
"""Claims that issuers write into access tokens only: RFC 9068, Okta, Entra, Auth0."""

log = logging.getLogger("stithy.web")


class NotAccessToken(jwt.InvalidTokenError):
    """A valid token that is not an access token."""


@define
class JwtVerifier:
    """Verifies an issuer's tokens; implements the SDK's `TokenVerifier`.

    Args:
        issuer: The issuer, and the resource that tokens must be for.
        fetch: Fetches the issuer's keys, a JWK set; raises `StithyError`.
        clock: Returns the time in seconds.
    """

    issuer: Issuer
    _fetch: Callable[[], Awaitable[Any]]
    _clock: Callable[[], float] = time.monotonic
    _keys: dict[str, "VerificationKey"] = field(factory=dict, init=False, repr=False)
    _fetched: float | None = field(default=None, init=False)
    _tried: float | None = field(default=None, init=False)
    _fetching: anyio.Lock = field(factory=anyio.Lock, init=False, repr=False)

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return what a token grants; None if it is invalid. The reason is logged without the token."""
        try:
            header = jwt.get_unverified_header(token)
            key = await self._find_key(str(header.get("kid", "")))
            if key is None:
                log.info("a bearer token is refused: the issuer has no key of its id")
                return None
            return self._verify(token, header, key)
        except NotAccessToken as error:
            log.info("a bearer token is refused: %s", error)
            return None
        except (jwt.PyJWTError, ValueError, TypeError) as error:
            log.info("a bearer token is refused: %s", type(error).__name__)
            return None

    def _verify(self, token: str, header: dict[str, Any], key: "VerificationKey") -> AccessToken:
        claims = jwt.decode(
            token,
            key.key,
            algorithms=key.algorithms,
            audience=self.issuer.resource,
            issuer=self.issuer.url,
            leeway=LEEWAY,
            options={"require": ["exp", "iss", "aud"]},
        )
        check_type(header, claims, self.issuer.typ)
        return AccessToken(
            token=MASK,  # the SDK keeps this object with the request, and loggers print it
            client_id=str(claims.get("client_id") or claims.get("azp") or claims.get("sub") or "unknown"),
            scopes=_read_scopes(claims),
            resource=self.issuer.resource,
            subject=str(claims["sub"]) if claims.get("sub") else None,
            claims={"iss": self.issuer.url},
        )

    async def _find_key(self, kid: str) -> "VerificationKey | None":
        # A token of a known key must not wait while the keys are refreshed: the issuer may be down.
        if kid not in self._keys or (self._is_stale() and not self._fetching.locked()):
            async with self._fetching:
                if kid not in self._keys or self._is_stale():
                    await self._refresh_keys()
        return self._keys.get(kid)

    def _is_stale(self) -> bool:
        return self._fetched is None or self._clock() - self._fetched > KEYS_MAX_AGE

    async def _refresh_keys(self) -> None:
        """Fetch the keys; if that fails, the known ones stay valid."""
        if self._tried is not None and self._clock() - self._tried < FETCH_INTERVAL:
            return
        self._tried = self._clock()
        try:
            fetched = read_keys(await self._fetch())
        except (StithyError, jwt.PyJWTError, ValueError, TypeError, AttributeError, KeyError) as error:
            log.warning("cannot fetch the keys of %s: %s", self.issuer.url, redact(str(error)))
            return
        self._keys = fetched
        self._fetched = self._tried


@frozen
class VerificationKey:
    """A public key, and the algorithms of the signatures that it may verify."""

    key: Any
    algorithms: Sequence[str]


def read_keys(raw: Any) -> dict[str, VerificationKey]:
    """Return the keys of a JWK set (RFC 7517) that verify signatures, by their id; others are skipped.

    Raises:
        ValueError: No key of it is usable.
    """
    keys: dict[str, VerificationKey] = {}
    for row in raw["keys"]:
        try:
            key = jwt.PyJWK(row)
        except jwt.PyJWTError:  # of a kind that is unknown here
            continue
        if key.public_key_use in (None, "sig"):
            algorithms = RSA_ALGORITHMS if key.key_type == "RSA" and "alg" not in row else (key.algorithm_name,)
            usable = [name for name in algorithms if name in ALGORITHMS]
            keys[key.key_id or ""] = VerificationKey(key.key, usable)
    if not keys:
        raise ValueError("no key of the set is usable")
    return keys


def check_type(header: Mapping[str, Any], claims: Mapping[str, Any], required: str) -> None:
    """Check that a token is an access token: an issuer signs ID tokens with the same keys.

    Args:
        header: The token's header, whose signature was verified.
        claims: Its claims, likewise.
        required: The value that the header `typ` must have; empty also accepts tokens without one.

    Raises:
        NotAccessToken: It is another kind of token, or cannot be told from an ID token.
    """
    typ = str(header.get("typ") or "").lower().removeprefix("application/")
    if required and typ != required:
        raise NotAccessToken(f"its header 'typ' is not {required!r}")
    if typ in ACCESS_TYPES:
        return
    if typ not in UNTYPED:
        raise NotAccessToken("its header 'typ' does not name an access token")
    if not _is_access_token(claims):
        raise NotAccessToken("it is an ID token, or its claims do not tell it from one")


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


def _read_scopes(claims: dict[str, Any]) -> list[str]:
    """Return a token's scopes: a text with spaces (RFC 9068), or the list that some issuers write."""
    scopes = claims.get("scope", claims.get("scp", ""))
    return scopes.split() if isinstance(scopes, str) else [str(scope) for scope in scopes]
