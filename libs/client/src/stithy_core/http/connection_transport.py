"""The innermost transports: connections, and bodies that are read within bounds of size and time.

Connections have limits, certificates, proxies, and checked addresses of other hosts. Bodies are decompressed piece by
piece.
"""

import logging
import ssl
import time
import zlib
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from functools import cache
from typing import Any, Final
from urllib.request import getproxies, proxy_bypass

import anyio
import httpcore
import httpx

from stithy_core.errors import ConfigError
from stithy_core.http.forge_urls import Origin, RedirectGuard, get_origin
from stithy_core.http.request_context import UnusableBody, get_context
from stithy_core.spi import ForgeConfig

LIMITS = httpx.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=15.0)
MOST_ADDRESSES = 4
"""Addresses of another host that are tried."""

log = logging.getLogger("stithy.http")

# At the level DEBUG it would log the headers of each response: a Location may be signed.
logging.getLogger("httpcore").setLevel(logging.INFO)


class ConnectionTransport(httpx.AsyncBaseTransport):
    """The connections to a forge and to the hosts it leads to. They are opened at first use, also after `aclose`.

    Args:
        config: The forge.
        home: The origin of its API.
        ca_file: The file of a private certificate authority. At the forge it is trusted alone, at other hosts beside
            the public ones.
    """

    def __init__(self, config: ForgeConfig, home: Origin, ca_file: str | None) -> None:
        self._guard = RedirectGuard(config, home)
        self._config = config
        self._home = home
        self._ca_file = ca_file
        self._by_origin: dict[Origin, httpx.AsyncHTTPTransport] = {}
        self._by_proxy: dict[str, httpx.AsyncHTTPTransport] = {}  # for other hosts; "" without a proxy

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request.

        Raises:
            ConfigError: The file of the certificate authority, or the proxy, cannot be used.
            Rejected: Another host has an address where the forge may not lead.
        """
        return await self._get_transport(request.url).handle_async_request(request)

    def _get_transport(self, url: httpx.URL) -> httpx.AsyncHTTPTransport:
        origin = get_origin(url)
        if (transport := self._by_origin.get(origin)) is not None:
            return transport
        proxy = _find_proxy(url)
        if origin == self._home:
            trust = _create_ssl_context(self._config, self._ca_file, alone=True)
            transport = self._by_origin[origin] = self._create_transport(trust, proxy)
        elif (transport := self._by_proxy.get(proxy)) is None:
            trust = _create_ssl_context(self._config, self._ca_file, alone=False)
            transport = self._by_proxy[proxy] = self._create_transport(trust, proxy)
            if not proxy:  # a proxy resolves names by itself
                _check_addresses(transport, self._guard)
        return transport

    def _create_transport(self, trust: ssl.SSLContext, proxy: str) -> httpx.AsyncHTTPTransport:
        try:
            return httpx.AsyncHTTPTransport(verify=trust, limits=LIMITS, proxy=proxy or None)
        except (ImportError, ValueError, httpx.InvalidURL) as error:  # its URL may hold a password
            raise ConfigError(
                f"the proxy for [forges.{self._config.alias}] cannot be used",
                suggestion="Check HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY; socks5:// needs the package socksio.",
            ) from error

    async def aclose(self) -> None:
        """Close the connections."""
        opened = [*self._by_origin.values(), *self._by_proxy.values()]
        self._by_origin.clear()
        self._by_proxy.clear()
        for transport in opened:
            await transport.aclose()


class CheckedBackend(httpcore.AsyncNetworkBackend):
    """Connects to the very addresses that a guard checked.

    A name is resolved once for both, so that it cannot become another address in between (DNS rebinding). TLS still
    verifies the host's name, since the address is chosen below it.

    Args:
        guard: Checks the addresses.
    """

    def __init__(self, guard: RedirectGuard) -> None:
        self._guard = guard
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 -- httpcore's own signature
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first address of a host that answers.

        Raises:
            Rejected: The guard refuses one of its addresses.
            httpcore.ConnectError: It has no address, or none answers.
        """
        failure: Exception = httpcore.ConnectError("the name of the host cannot be resolved")
        for address in (await self._guard.check_host(host))[:MOST_ADDRESSES]:
            try:
                return await self._inner.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure

    async def connect_unix_socket(self, *_: Any, **__: Any) -> httpcore.AsyncNetworkStream:
        """Refuse the connection: no URL leads to a socket."""
        raise httpcore.ConnectError("Unix sockets are not supported")

    async def sleep(self, seconds: float) -> None:
        """Wait between attempts."""
        await self._inner.sleep(seconds)


def _check_addresses(transport: httpx.AsyncHTTPTransport, guard: RedirectGuard) -> None:
    """Let a transport connect to checked addresses only; httpx has no argument for the backend of its pool."""
    pool: Any = transport._pool  # noqa: SLF001
    assert hasattr(pool, "_network_backend")
    pool._network_backend = CheckedBackend(guard)  # noqa: SLF001


def _find_proxy(url: httpx.URL) -> str:
    """Return the URL of the proxy that the environment or the system names; "" without a proxy."""
    if proxy_bypass(url.netloc.decode("ascii")):
        return ""
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all") or ""
    return proxy if not proxy or "://" in proxy else f"http://{proxy}"


def _create_ssl_context(config: ForgeConfig, ca_file: str | None, *, alone: bool) -> ssl.SSLContext:
    """Create a TLS context that trusts a private certificate authority, and the public ones unless `alone`.

    Raises:
        ConfigError: The file cannot be read, or holds no certificate.
    """
    if not ca_file:
        return create_public_context()
    try:
        if alone:
            return ssl.create_default_context(cafile=ca_file)
        context = httpx.create_ssl_context()
        context.load_verify_locations(ca_file)
    except OSError as error:  # ssl.SSLError is one, too
        raise ConfigError(
            f"ca_file of [forges.{config.alias}] cannot be used: {ca_file}: {error.strerror or error}",
            suggestion="Set it to a PEM file that holds the certificate of the certificate authority.",
        ) from error
    return context


@cache
def create_public_context() -> ssl.SSLContext:
    """Create the context that trusts the public certificate authorities; all forges share it, as it takes 20 ms."""
    return httpx.create_ssl_context()


LARGEST: Final = 20 * 1024 * 1024
"""Bytes of a body that is read whole."""
LONGEST = 60.0
"""Seconds from sending a request to the end of its body."""
PLAIN = ("", "identity")
CODINGS = (*PLAIN, "gzip", "x-gzip")
PIECE = 256 * 1024
"""Bytes that are decompressed at once."""
GZIP = 16 + zlib.MAX_WBITS
"""The `wbits` of zlib for a gzip header."""


class BoundedBodyTransport(httpx.AsyncBaseTransport):
    """Reads each body to its end, except of a successful response that is streamed.

    It is the innermost transport, so that the failure of a body is a failure of the attempt: it is counted and retried.

    Args:
        inner: Sends the requests.
    """

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request, and read and decode the response.

        Raises:
            UnusableBody: The body is too large, or cannot be decompressed or decoded.
            httpx.ReadTimeout: The whole took too long; httpx itself limits the time between two chunks only.
        """
        began = time.perf_counter()
        try:
            with anyio.fail_after(LONGEST):
                response, context = await self._inner.handle_async_request(request), get_context(request)
                if not (streamed := response.is_success and context.streamed):
                    await _read_body(response)
                    response = _decode_body(response, context.decode)
        except TimeoutError as error:
            raise httpx.ReadTimeout(f"the response took over {LONGEST:.0f} seconds", request=request) from error
        if log.isEnabledFor(logging.DEBUG):
            # Neither query nor headers: the URL of another host may be signed.
            size = "a stream" if streamed else f"{len(response.content):,} bytes"
            milliseconds = (time.perf_counter() - began) * 1_000
            log.debug(
                "%s %s: %d in %.0f ms, %s", request.method, request.url.path, response.status_code, milliseconds, size
            )
        return response

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


async def _read_body(response: httpx.Response) -> None:
    BoundedBody(response, LARGEST)
    try:
        await response.aread()
    except BaseException:
        await response.aclose()
        raise


def _decode_body(response: httpx.Response, decode: Callable[[bytes], bytes]) -> httpx.Response:
    """Return a response, which was read, with its body decoded.

    Raises:
        UnusableBody: The body of a success cannot be decoded. That of an error stays: its status has a meaning.
    """
    try:
        body = decode(response.content)
    except Exception as error:  # a plugin's fault must not hide whether a write succeeded
        log.exception("a body of a response of status %d cannot be decoded", response.status_code)
        if response.is_success:
            raise UnusableBody(response.status_code, "its body cannot be decoded") from error
        return response
    if body is response.content:
        return response
    return httpx.Response(response.status_code, headers=response.headers, content=body, extensions=response.extensions)


class BoundedBody(httpx.AsyncByteStream):
    """A body that is decompressed piece by piece and ends with an error at a size.

    httpx decompresses each chunk whole, and a chunk of 64 KB may hold 64 MB. Of such a bomb this holds one piece.

    Args:
        response: The response; this takes the place of its stream.
        most: The largest size in bytes, decompressed.
    """

    def __init__(self, response: httpx.Response, most: int) -> None:
        self._status = response.status_code
        self._stream = response.stream
        self._most = most
        # Without the header httpx does not decompress a second time.
        self._coding = response.headers.pop("content-encoding", "").strip().lower()
        self._decoder = GzipDecoder()
        response.stream = self

    async def __aiter__(self) -> AsyncIterator[bytes]:
        length = 0
        async for piece in self._iterate_pieces():
            length += len(piece)
            if length > self._most:
                raise UnusableBody(self._status, f"its body is over {self._most:,} bytes", too_large=True)
            yield piece

    async def _iterate_pieces(self) -> AsyncIterator[bytes]:
        if self._coding not in CODINGS:
            raise UnusableBody(self._status, f"its body cannot be decompressed ({self._coding[:20]})")
        assert isinstance(self._stream, httpx.AsyncByteStream)
        if self._coding in PLAIN:
            async for chunk in self._stream:
                yield chunk
            return
        try:
            async for chunk in self._stream:
                for piece in self._decoder.decode(chunk):
                    yield piece
            self._decoder.finish()
        except zlib.error as error:
            raise UnusableBody(self._status, "its body cannot be decompressed") from error

    async def aclose(self) -> None:
        """Close the connection, or return it to the pool."""
        assert isinstance(self._stream, httpx.AsyncByteStream)
        await self._stream.aclose()


class GzipDecoder:
    """Decompresses gzip of one or more members (RFC 1952)."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(GZIP)
        self._has_begun = False

    def decode(self, data: bytes) -> Iterator[bytes]:
        """Iterate the content of the next bytes, in pieces.

        Raises:
            zlib.error: They are not gzip.
        """
        full = False
        while data or full:
            if self._member.eof:
                self._member = zlib.decompressobj(GZIP)
            self._has_begun = True
            piece = self._member.decompress(data, PIECE)
            full = len(piece) == PIECE and not self._member.eof  # zlib may hold more output without any input left
            data = self._member.unused_data if self._member.eof else self._member.unconsumed_tail
            if piece:
                yield piece

    def finish(self) -> None:
        """Check that the last member is complete.

        Raises:
            zlib.error: It is cut off.
        """
        if self._has_begun and not self._member.eof:
            raise zlib.error("cut off")
