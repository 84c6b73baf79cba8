"""From the settings to the guards of a server that speaks HTTP."""

import logging
from collections.abc import Iterable, Mapping
from functools import partial
from ipaddress import ip_address

from stithy_core.app.assembly import App
from stithy_core.config import OAuthSettings, TokenSource, token_of
from stithy_core.errors import ConfigError
from stithy_core.redaction import remember
from stithy_core.server.web import Issuer, Options
from stithy_core.server.web.tokens import GivenTokens, TokenVerifier, any_of

AREAS = frozenset({"mcp", "routes", "metrics"})
SHORTEST = 16
GUESSABLE = "openssl rand -hex 32 makes one that nobody guesses."

log = logging.getLogger("stithy.web")


def options_of(app: App, host: str, *, open_: Iterable[str] = ()) -> Options:
    """Say how a server guards itself.

    Args:
        app: What is served.
        host: The address that it listens at, or a name of it.
        open_: What nobody has to authenticate for, beside what the settings say.

    Raises:
        ConfigError: Others reach it, and nobody could authenticate; or a token cannot be read.
    """
    settings = app.config.serve.http
    verifier = _verifier(app)
    # Whoever gives it other names means others to come by them, through a proxy on this machine.
    alone = is_loopback(host) and not settings.hosts
    opened = frozenset((*settings.open, *open_)) | (AREAS if alone and verifier is None else frozenset())
    if verifier is None and not opened:
        raise ConfigError(
            f"at {host} others reach the server, and it has no token that they could show",
            suggestion="Set STITHY_HTTP_TOKEN or STITHY_HTTP_TOKEN_FILE, or a table [serve.http.oauth];"
            " --open mcp (routes, metrics) lets everybody in who reaches it.",
        )
    own = frozenset() if is_wildcard(host) else frozenset({host.lower()})
    return Options(
        hosts=own | frozenset(settings.hosts),
        origins=frozenset(settings.origins),
        loopback=alone,
        open=opened,
        verifier=verifier,
        issuer=_issuer(settings.oauth) if settings.oauth else None,
        forge_tokens=settings.forge_tokens,
        max_body=settings.max_body,
        max_requests=settings.max_requests,
        max_requests_each=settings.max_requests_each,
    )


def is_loopback(host: str) -> bool:
    """Say whether only this machine reaches an address."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def is_wildcard(host: str) -> bool:
    """Say whether an address means all of a machine's."""
    return host.strip("[]") in ("", "0.0.0.0", "::")  # noqa: S104 -- it is what is asked for


def _issuer(settings: OAuthSettings) -> Issuer:
    return Issuer(url=settings.issuer, resource=settings.resource, scopes=settings.scopes, typ=settings.typ)


def _verifier(app: App) -> TokenVerifier | None:
    settings = app.config.serve.http
    found: list[TokenVerifier] = []
    if settings.tokens:
        for name, source in settings.tokens.items():  # the start is the time to hear that one cannot be used
            _token(name, source, app.environ)
        found.append(GivenTokens(partial(_tokens, settings.tokens, app.environ)))
    if settings.oauth is not None:
        from stithy_core.server.web.issued import IssuedTokens

        found.append(IssuedTokens(_issuer(settings.oauth), partial(_keys, app, settings.oauth)))
    return any_of(found)


def _tokens(sources: Mapping[str, TokenSource], environ: Mapping[str, str]) -> Mapping[str, str]:
    """Read the tokens as they are now; one that cannot be read is nobody's, until it can."""
    found = {}
    for name, source in sources.items():
        try:
            found[name] = _token(name, source, environ)
        except ConfigError as error:
            log.warning("the token %s is not taken: %s", name, error.message)
    return found


def _token(name: str, source: TokenSource, environ: Mapping[str, str]) -> str:
    if source.app is not None or source.command is not None:
        raise ConfigError(f"serve.http.tokens.{name} is from {source}", suggestion="Give it as env or as file.")
    value = token_of(source, environ)
    if len(value) < SHORTEST:
        raise ConfigError(f"the token {name} has fewer than {SHORTEST} characters", suggestion=GUESSABLE)
    remember(value)
    return value


async def _keys(app: App, settings: OAuthSettings) -> object:
    """Get an issuer's public keys, with the patience, the limits and the certificates of the forges' clients."""
    return await app.connections.read_public(settings.keys, settings.ca_file)
