"""What carries the requests: connections, whom they trust, and the proxies that the environment names."""

import logging
import ssl
from functools import cache
from typing import Any
from urllib.request import getproxies, proxy_bypass

import httpx

from stithy_core.errors import ConfigError
from stithy_core.http.addresses import Origin, origin
from stithy_core.http.hosts import Guard
from stithy_core.spi import ForgeConfig

LIMITS = httpx.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=15.0)

# At the level DEBUG it would write each answer's headers: a Location there may be signed.
logging.getLogger("httpcore").setLevel(logging.INFO)


class Carrier(httpx.AsyncBaseTransport):
    """The connections, opened when they are first needed, and again after they were closed.

    Args:
        link: Whose they are.
        home: The origin of the forge's API.
        ca_file: The certificate authority to trust, where it is a private one: alone at the forge itself, and beside
            everybody's where the forge leads elsewhere.
    """

    def __init__(self, config: ForgeConfig, home: Origin, ca_file: str | None) -> None:
        self._guard = Guard(config, home)
        self._config = config
        self._home = home
        self._ca_file = ca_file
        self._open: dict[Origin, httpx.AsyncHTTPTransport] = {}
        self._away: dict[str, httpx.AsyncHTTPTransport] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request.

        Raises:
            ConfigError: The certificate authority's file, or the proxy, cannot be used.
            Rejected: Another host has an address where the forge may not lead.
        """
        return await self._to(request.url).handle_async_request(request)

    def _to(self, url: httpx.URL) -> httpx.AsyncHTTPTransport:
        place = origin(url)
        if (transport := self._open.get(place)) is not None:
            return transport
        proxy = _proxy(url)
        if place == self._home:
            transport = self._open[place] = self._transport(_trust(self._config, self._ca_file, alone=True), proxy)
        elif (transport := self._away.get(proxy)) is None:
            transport = self._away[proxy] = self._transport(_trust(self._config, self._ca_file, alone=False), proxy)
            if not proxy:  # which looks names up by itself
                _connect_checked(transport, self._guard)
        return transport

    def _transport(self, trust: ssl.SSLContext, proxy: str) -> httpx.AsyncHTTPTransport:
        try:
            return httpx.AsyncHTTPTransport(verify=trust, limits=LIMITS, proxy=proxy or None)
        except (ImportError, ValueError, httpx.InvalidURL) as error:  # its address may hold a password
            raise ConfigError(
                f"the proxy on the way to [forges.{self._config.alias}] cannot be used",
                suggestion="See HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY; socks5:// needs the package socksio.",
            ) from error

    async def aclose(self) -> None:
        """Close the connections."""
        opened = [*self._open.values(), *self._away.values()]
        self._open.clear()
        self._away.clear()
        for transport in opened:
            await transport.aclose()


def _connect_checked(transport: httpx.AsyncHTTPTransport, guard: Guard) -> None:
    """Let a transport connect to checked addresses only; httpx has no argument for what its pool connects with."""
    from stithy_core.http.checked_connections import CheckedBackend

    pool: Any = transport._pool  # noqa: SLF001
    assert hasattr(pool, "_network_backend")
    pool._network_backend = CheckedBackend(guard)  # noqa: SLF001


def _proxy(url: httpx.URL) -> str:
    """Give the proxy that the environment, or the system, names for a URL."""
    if proxy_bypass(url.netloc.decode("ascii")):
        return ""
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all") or ""
    return proxy if not proxy or "://" in proxy else f"http://{proxy}"


def _trust(config: ForgeConfig, ca_file: str | None, *, alone: bool) -> ssl.SSLContext:
    """Say whom to trust.

    Raises:
        ConfigError: The file cannot be read, or holds no certificate.
    """
    if not ca_file:
        return _everyones()
    try:
        if alone:
            return ssl.create_default_context(cafile=ca_file)
        context = httpx.create_ssl_context()
        context.load_verify_locations(ca_file)
    except OSError as error:  # ssl.SSLError is one, too
        raise ConfigError(
            f"ca_file of [forges.{config.alias}] cannot be used: {ca_file}: {error.strerror or error}",
            suggestion="Name a file that holds the certificate authority's certificate, as PEM.",
        ) from error
    return context


@cache
def _everyones() -> ssl.SSLContext:
    """Trust whom everybody trusts; reading their certificates takes 20 ms, so all forges share it."""
    return httpx.create_ssl_context()
