"""The table `[serve.http]` and the variables that begin with STITHY_HTTP_."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, TypeAlias
from urllib.parse import urlsplit

from attrs import Factory, evolve, field, frozen

from stithy_core.config import TokenSource
from stithy_core.config.field_readers import READER, read_address, read_text
from stithy_core.config.settings_errors import InvalidSetting, Mistake, Source
from stithy_core.spi import Meta

TOKEN, TOKEN_FILE, HOSTS = "STITHY_HTTP_TOKEN", "STITHY_HTTP_TOKEN_FILE", "STITHY_HTTP_HOSTS"

Count: TypeAlias = Annotated[int, Meta(ge=1)]
Seconds: TypeAlias = Annotated[int, Meta(ge=0, le=3_600)]

_HOST = re.compile(r"[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]")
_ORIGIN = re.compile(r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")


def read_hosts(value: object) -> tuple[str, ...]:
    """Return host names in lower case.

    Raises:
        InvalidSetting: The value is not a list of host names without schemes and ports.
    """
    return _read_list(value, _HOST, 'names such as "stithy.example", without https:// and without a port')


def read_origins(value: object) -> tuple[str, ...]:
    """Return the origins of web pages in lower case.

    Raises:
        InvalidSetting: The value is not a list of origins.
    """
    return _read_list(value, _ORIGIN, 'origins such as "https://app.example", without a path')


def _read_list(value: object, pattern: re.Pattern[str], expected: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) and pattern.fullmatch(name) for name in value):
        raise InvalidSetting(f"must be a list of {expected}", value)
    return tuple(name.lower() for name in value)


def read_issuer(value: object) -> str:
    """Return a URL unchanged: a token's issuer is compared letter by letter.

    Whoever can change an unencrypted answer could forge tokens, so only a server on this machine may lack HTTPS.

    Raises:
        InvalidSetting: The value is not a URL that begins with https://.
    """
    parts = urlsplit(read_address(value))
    if parts.scheme != "https" and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
        raise InvalidSetting("must begin with https://", value)
    return read_text(value)


@frozen(kw_only=True)
class OAuthSettings:
    """The table `[serve.http.oauth]`: the issuer of the JWTs that are accepted as bearer tokens.

    Args:
        issuer: The `iss` of a token, and the server that clients are sent to for one.
        resource: The URL of this server's `/mcp`, as clients know it: what a token's `aud` must name.
        keys: The URL of the issuer's public keys, a JWK set.
        scopes: The scopes that a token must have; empty requires none.
        typ: The value that a token's header `typ` must have; empty also accepts access tokens without one.
        ca_file: The certificates to trust for `keys`.
    """

    issuer: str = field(metadata={READER: read_issuer})
    resource: str = field(metadata={READER: read_address})
    keys: str = field(metadata={READER: read_issuer})
    scopes: tuple[str, ...] = ()
    typ: Literal["", "at+jwt"] = ""
    ca_file: Path | None = None


@frozen(kw_only=True)
class ServeHttpSettings:
    """The table `[serve.http]`, and the variables that begin with STITHY_HTTP_.

    Args:
        hosts: Names by which clients reach the server, besides the address that it listens at.
        origins: Web pages that may send requests, as "https://host".
        tokens: The accepted bearer tokens, by the names of their holders.
        oauth: The issuer of further tokens.
        open: Areas that need no authentication: "mcp", "routes", "metrics".
        forge_tokens: Whether callers may send forge tokens of their own, in the header `X-Forge-Token`.
        forge_token_fallback: Whether a request with such tokens may use the server's token for another forge.
        max_body: Largest body of a request, in bytes.
        max_requests: How many requests are answered at a time; streams count as long as they last.
        max_requests_each: The same for one caller.
        max_connections: How many connections may be open; fewer if the limit of open files is too low.
        header_seconds: Time for the headers of a request.
        idle_seconds: How long a connection is kept for the next request.
        drain_seconds: How long the server accepts requests after SIGTERM, until load balancers have noticed.
        grace_seconds: How long it then waits for requests in progress.
    """

    hosts: tuple[str, ...] = field(default=(), metadata={READER: read_hosts})
    origins: tuple[str, ...] = field(default=(), metadata={READER: read_origins})
    tokens: Mapping[str, TokenSource] = Factory(dict)
    oauth: OAuthSettings | None = None
    open: tuple[Literal["mcp", "routes", "metrics"], ...] = ()
    forge_tokens: bool = False
    forge_token_fallback: bool = False
    max_body: Count = 4 * 1024 * 1024
    max_requests: Count = 100
    max_requests_each: Count = 50
    max_connections: Count = 1_000
    header_seconds: Count = 10
    idle_seconds: Count = 75
    drain_seconds: Seconds = 0
    grace_seconds: Seconds = 30


def read_environment(environ: Mapping[str, str], settings: ServeHttpSettings) -> ServeHttpSettings:
    """Return the settings with the token, the token file and the host names that the environment adds.

    Raises:
        ConfigError: A host name is invalid.
    """
    tokens = dict(settings.tokens)
    if environ.get(TOKEN):
        tokens[TOKEN] = TokenSource(env=TOKEN)
    if path := environ.get(TOKEN_FILE):
        tokens[TOKEN_FILE] = TokenSource(file=path)
    try:
        names = read_hosts([name for name in map(str.strip, environ.get(HOSTS, "").split(",")) if name])
    except InvalidSetting as error:
        raise Source().create_error([Mistake((HOSTS,), error.format_message((HOSTS,)))]) from None
    return evolve(settings, tokens=tokens, hosts=(*settings.hosts, *names))
