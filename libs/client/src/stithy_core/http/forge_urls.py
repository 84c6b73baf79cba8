"""URLs: of a forge's API, of redirects and next pages, and of hosts where a forge must not lead."""

import asyncio
import socket
from collections.abc import Iterable, Mapping
from enum import Enum
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import quote_plus, unquote

import httpx

from stithy_core.errors import Rejected
from stithy_core.spi import Dialect, ForgeConfig

DOT_SEGMENTS = {".", ".."}
METADATA = frozenset(
    map(ip_address, ("fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "192.0.0.192", "168.63.129.16"))
)
"""Metadata services of clouds outside of 169.254.0.0/16: AWS, Google, Alibaba, Oracle, Azure."""
NAT64 = IPv6Network("64:ff9b::/96")
COMPATIBLE = IPv6Network("::/96")

ASK = "Nothing was sent there. Check the url of the forge, and the root URL in its own settings."

Query = Mapping[str, str | int]
Origin = tuple[str, str, int | None]
"""Scheme, host, and port if it is not the scheme's own."""
Address = IPv4Address | IPv6Address


class ForgeUrls:
    """The URLs of a forge's API.

    Args:
        config: The forge.
        dialect: Where its APIs are below its URL.
    """

    def __init__(self, config: ForgeConfig, dialect: Dialect) -> None:
        self._config = config
        self._graphql = dialect.graphql
        self._base = dialect.api(config.url).rstrip("/")
        api = httpx.URL(self._base)
        self.base_path = api.path
        self.origin = get_origin(api)

    def build_url(self, path: str, query: Query) -> httpx.URL:
        """Return the URL of a path below the API, or of one of the forge's own URLs.

        Args:
            path: The path, or a whole URL. It may have a query of its own.
            query: Parameters to add; those that are empty or None are left out.

        Raises:
            Rejected: The URL is of another host, where the token must not go, or has a `.` or `..` segment.
        """
        _check_segments(path, path.partition("?")[0])
        if path.startswith(("https://", "http://")):
            url = self.check_origin(httpx.URL(path))
            parameters = _format_query(query)
            return url.copy_merge_params(parameters) if parameters else url
        added = "&".join(f"{quote_plus(name)}={quote_plus(value)}" for name, value in _format_query(query).items())
        separator = "" if not added else "&" if "?" in path else "?"
        return httpx.URL(f"{self._base}/{path.lstrip('/')}{separator}{added}")

    def build_web_url(self, path: str) -> str:
        """Return the URL of a path below the address where people find the forge.

        Raises:
            Rejected: The path leads elsewhere.
        """
        home = self._config.url.rstrip("/")
        url = httpx.URL(f"{home}/{path.lstrip('/')}")
        _check_segments(path, path)
        is_below = url.path.startswith(f"{httpx.URL(home).path.rstrip('/')}/")
        if not is_below or get_origin(url) != get_origin(httpx.URL(home)):
            raise _not_canonical(path)
        return str(url)

    def build_graphql_url(self) -> httpx.URL:
        """Return the URL of the GraphQL API.

        Raises:
            Rejected: The forge has no GraphQL API.
        """
        if self._graphql is None:
            raise Rejected(f"{self._config.alias} has no GraphQL API", suggestion="Use the REST API.")
        return self.check_origin(httpx.URL(self._graphql(self._config.url)))

    def resolve_page(self, url: httpx.URL, reference: str) -> str:
        """Return the URL of a next page, as a page at `url` refers to it.

        Raises:
            Rejected: It is not a URL, of another host, or outside of the API.
        """
        try:
            target = self.check_origin(url.join(reference))
        except (httpx.InvalidURL, TypeError, ValueError) as error:
            raise Rejected(f"{self._config.alias} refers to an invalid URL of a next page", suggestion=ASK) from error
        _check_segments(target.path, target.path)
        if not f"{target.path}/".startswith(f"{self.base_path.rstrip('/')}/"):
            raise Rejected(
                f"{self._config.alias} refers to a next page outside of its API: {target.path}", suggestion=ASK
            )
        return str(target)

    def check_origin(self, url: httpx.URL) -> httpx.URL:
        """Return a URL that has the origin of the API.

        Raises:
            Rejected: Its scheme, host or port differs.
        """
        if get_origin(url) != self.origin:
            place = strip_secrets(url.copy_with(path="/"))
            raise Rejected(f"{self._config.alias} refers to another host: {place}", suggestion=ASK)
        return url


def get_origin(url: httpx.URL) -> Origin:
    """Return the origin of a URL, which decides whether the token may be sent to it."""
    return url.scheme, url.host, url.port


def get_redirect_target(response: httpx.Response) -> httpx.URL | None:
    """Return the URL of a redirect; None if it is not a redirect or its URL is not valid."""
    if not response.has_redirect_location:
        return None
    try:
        return response.request.url.join(response.headers["location"])
    except httpx.InvalidURL:
        return None


def strip_secrets(url: httpx.URL) -> str:
    """Return a URL for people and programs: without its query, which may be signed, and without a user."""
    return str(url.copy_with(query=None, fragment=None, userinfo=b""))


def _check_segments(path: str, checked: str) -> None:
    # A proxy or server resolves `..`, percent-encoded as well, and would then answer for another resource.
    if not DOT_SEGMENTS.isdisjoint(unquote(checked).split("/")):
        raise _not_canonical(path)


def _not_canonical(path: str) -> Rejected:
    return Rejected(
        f"path {path!r} is not canonical: segments must not be '.' or '..'",
        suggestion="No owner, repository, branch or file can be named so.",
    )


def _format_query(query: Query) -> dict[str, str]:
    return {name: _format_value(value) for name, value in query.items() if value not in ("", None)}


def _format_value(value: str | int) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class NetworkKind(Enum):
    """The network that an address is on; the values are as they are written in errors."""

    PUBLIC = "a public host"
    PRIVATE = "a private host"
    LOOPBACK = "a host on its own machine"
    LINK_LOCAL = "a link-local or metadata address"


class RedirectGuard:
    """Decides to which other hosts a forge may lead: to inner networks only from inside them.

    Args:
        config: The forge.
        home: The origin of its API.
    """

    def __init__(self, config: ForgeConfig, home: Origin) -> None:
        self._config = config
        self._home = home

    async def check_redirect(self, target: httpx.URL, source: httpx.URL) -> None:
        """Check the target of a redirect, as far as is possible before a connection is made.

        Raises:
            Rejected: It leads from https to http, to another scheme, or to a host that `check_host` refuses.
        """
        if get_origin(target) == self._home:
            return
        if target.scheme not in ("http", "https") or (source.scheme == "https" and target.scheme == "http"):
            raise self._create_error(f"redirects from {source.scheme} to {target.scheme} at {target.host}")
        await self.check_host(target.host)

    async def check_host(self, host: str) -> list[str]:
        """Resolve another host than the forge's.

        Returns:
            Its addresses, all of which may be connected to; [] if it cannot be resolved here, as behind a proxy.

        Raises:
            Rejected: An address is link-local or a cloud's metadata service, or it is on this machine or a private
                network and the forge itself is not there (server-side request forgery).
        """
        addresses = await resolve_host(host)
        inner = classify_addresses(addresses) - {NetworkKind.PUBLIC}
        if not inner:
            return addresses
        home = classify_addresses(await resolve_host(self._home[1]))
        if not home - {NetworkKind.PUBLIC}:
            raise self._create_error(f"is a public host and leads to a private one, {host}")
        if NetworkKind.LINK_LOCAL in inner:
            raise self._create_error(f"leads to {NetworkKind.LINK_LOCAL.value}, {host}")
        if not inner <= home:
            raise self._create_error(f"leads to {(inner - home).pop().value}, {host}, and is not there itself")
        return addresses

    def _create_error(self, why: str) -> Rejected:
        return Rejected(f"{self._config.alias} {why}", suggestion="Nothing was sent there.")


async def resolve_host(host: str) -> list[str]:
    """Return the addresses of a host; [] if it cannot be resolved here, as behind a proxy."""
    try:
        rows = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return []
    return list(dict.fromkeys(str(address[0]) for *_, address in rows))


def classify_addresses(addresses: Iterable[str]) -> set[NetworkKind]:
    """Return the networks that addresses are on."""
    # A link-local IPv6 address may have a zone, as in fe80::1%eth0.
    return {_classify(_unwrap_address(ip_address(address.partition("%")[0]))) for address in addresses}


def _classify(address: Address) -> NetworkKind:
    if address.is_link_local or address in METADATA:
        return NetworkKind.LINK_LOCAL
    if address.is_loopback or address.is_unspecified:  # a connection to 0.0.0.0 reaches this machine
        return NetworkKind.LOOPBACK
    return NetworkKind.PUBLIC if address.is_global else NetworkKind.PRIVATE


def _unwrap_address(address: Address) -> Address:
    """Return the IPv4 address inside an IPv6 one: mapped, compatible, of 6to4, Teredo or NAT64 (RFC 6052)."""
    if isinstance(address, IPv4Address):
        return address
    if address in NAT64 or (address in COMPATIBLE and int(address) > 1):  # :: and ::1 are themselves
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None) or address
