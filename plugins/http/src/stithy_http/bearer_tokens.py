"""The accepted bearer tokens: those of the settings, compared as texts, and the JWTs of an issuer."""

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hmac import compare_digest

from attrs import define, frozen
from mcp.server.auth.provider import AccessToken, TokenVerifier

from stithy_core.app import App
from stithy_core.config import TokenSource, read_token
from stithy_core.errors import ConfigError
from stithy_core.redaction import MASK, remember
from stithy_http.http_settings import OAuthSettings, ServeHttpSettings
from stithy_http.options import Issuer

SHORTEST = 16
"""Characters; a shorter token could be guessed."""

log = logging.getLogger("stithy.web")


@frozen
class StaticTokenVerifier:
    """Verifies the tokens of the settings; implements the SDK's `TokenVerifier`.

    Args:
        read: Returns the tokens by their holders' names, as they are now: a file may have changed.
    """

    read: Callable[[], Mapping[str, str]]

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return the holder of a token as `holder:NAME`; None for an unknown token."""
        # Every token is compared, each in constant time: the duration shows nothing of them.
        holders = [name for name, value in self.read().items() if compare_digest(value.encode(), token.encode())]
        # Never the token itself: the SDK keeps this object with the request, and loggers print it.
        return AccessToken(token=MASK, client_id=f"holder:{holders[0]}", scopes=[]) if holders else None


@define
class AnyVerifier:
    """Tries several verifiers in turn; implements the SDK's `TokenVerifier`."""

    verifiers: Sequence[TokenVerifier]

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return the answer of the first verifier that accepts the token; None if none does."""
        for verifier in self.verifiers:
            if (accepted := await verifier.verify_token(token)) is not None:
                return accepted
        return None


def create_verifier(app: App, settings: ServeHttpSettings) -> TokenVerifier | None:
    """Return the verifier of all accepted tokens; None if no token is accepted.

    Raises:
        ConfigError: A token of the settings cannot be read, or is too short.
    """
    verifiers: list[TokenVerifier] = []
    if settings.tokens:
        for name, source in settings.tokens.items():  # a wrong one is an error at the start
            _read_token(name, source, app.environ)
        verifiers.append(StaticTokenVerifier(partial(_read_tokens, settings.tokens, app.environ)))
    if settings.oauth is not None:
        from stithy_http.jwt_verifier import JwtVerifier

        verifiers.append(JwtVerifier(create_issuer(settings.oauth), partial(_fetch_keys, app, settings.oauth)))
    return AnyVerifier(verifiers) if verifiers else None


def create_issuer(settings: OAuthSettings) -> Issuer:
    """Return the issuer that the settings name."""
    return Issuer(url=settings.issuer, resource=settings.resource, scopes=settings.scopes, typ=settings.typ)


def _read_tokens(sources: Mapping[str, TokenSource], environ: Mapping[str, str]) -> Mapping[str, str]:
    """Return the tokens as they are now, by holder; without those that cannot be read at the moment."""
    tokens = {}
    for name, source in sources.items():
        try:
            tokens[name] = _read_token(name, source, environ)
        except ConfigError as error:
            log.warning("the token %s is not accepted: %s", name, error.message)
    return tokens


def _read_token(name: str, source: TokenSource, environ: Mapping[str, str]) -> str:
    if source.app is not None or source.command is not None:
        raise ConfigError(f"serve.http.tokens.{name} is from {source}", suggestion="Set it as env or as file.")
    value = read_token(source, environ)
    if len(value) < SHORTEST:
        raise ConfigError(
            f"the token {name} has fewer than {SHORTEST} characters",
            suggestion="`openssl rand -hex 32` creates one that nobody can guess.",
        )
    remember(value)
    return value


async def _fetch_keys(app: App, settings: OAuthSettings) -> object:
    """Fetch an issuer's public keys with the timeouts, limits and certificates of the forges' clients."""
    ca_file = str(settings.ca_file) if settings.ca_file else None
    return await app.connections.read_public(settings.keys, ca_file)
