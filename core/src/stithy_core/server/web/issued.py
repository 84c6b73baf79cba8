"""The tokens of an OAuth issuer: JWTs that its keys signed for this server (RFC 9068)."""

import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import jwt
from attrs import define, field
from mcp.server.auth.provider import AccessToken

from stithy_core.errors import StithyError
from stithy_core.redaction import MASK, redact
from stithy_core.server.web.options import Issuer

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Those with a public key: with a shared secret, whoever can check a token could make one."""
LEEWAY = 30.0
AGE = 3_600.0
"""Seconds after which the keys are looked at again: an issuer takes old ones away."""
PAUSE = 30.0
"""Seconds between two looks: anybody can send tokens of keys that do not exist."""

log = logging.getLogger("stithy.web")


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
            key = await self._key(str(jwt.get_unverified_header(token).get("kid", "")))
            return None if key is None else self._read(token, key)
        except (jwt.PyJWTError, ValueError, TypeError) as error:
            log.info("a bearer token is refused: %s", type(error).__name__)
            return None

    def _read(self, token: str, key: jwt.PyJWK) -> AccessToken:
        claims = jwt.decode(
            token,
            key,
            algorithms=list(ALGORITHMS),
            audience=self.issuer.resource,
            issuer=self.issuer.url,
            leeway=LEEWAY,
            options={"require": ["exp", "iss", "aud"]},
        )
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


def _scopes(claims: dict[str, Any]) -> list[str]:
    """Read what a token is good for: a text with blanks (RFC 9068), or the list that some issuers write."""
    given = claims.get("scope", claims.get("scp", ""))
    return given.split() if isinstance(given, str) else [str(word) for word in given]
