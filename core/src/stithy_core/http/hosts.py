"""Where a forge may lead: never to what tells a machine its secrets, and to inner networks only from inside them."""

import asyncio
import socket
from collections.abc import Iterable
from enum import Enum
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

import httpx

from stithy_core.errors import Rejected
from stithy_core.http.addresses import Origin, origin
from stithy_core.spi import ForgeConfig

METADATA = frozenset(
    map(ip_address, ("fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "192.0.0.192", "168.63.129.16"))
)
"""Where clouds answer a machine's questions about itself beside 169.254.0.0/16: AWS, Google, Alibaba, Oracle, Azure."""
NAT64 = IPv6Network("64:ff9b::/96")
COMPATIBLE = IPv6Network("::/96")

Address = IPv4Address | IPv6Address


class Reach(Enum):
    """Which network an address is on; each is named as it stands in an error."""

    PUBLIC = "a public host"
    PRIVATE = "a private host"
    LOOPBACK = "a host on its own machine"
    LINK_LOCAL = "a link-local or metadata address"


class Guard:
    """Says whether the forge may lead to another host.

    Args:
        config: The forge.
        home: The origin of its API.
    """

    def __init__(self, config: ForgeConfig, home: Origin) -> None:
        self._config = config
        self._home = home

    async def admit(self, place: httpx.URL, came_from: httpx.URL) -> None:
        """Pass where the forge may lead, as far as that can be told before a connection is made.

        Raises:
            Rejected: It leads from https to http, to something else, or where `check` refuses it.
        """
        if origin(place) == self._home:
            return
        if place.scheme not in ("http", "https") or (came_from.scheme == "https" and place.scheme == "http"):
            raise self._rejected(f"leads from {came_from.scheme} to {place.scheme} at {place.host}")
        await self.check(place.host)

    async def check(self, host: str) -> list[str]:
        """Resolve another host than the forge's to its addresses, all of which may be connected to.

        Returns:
            The addresses; none where the host is not known here, behind a proxy say.

        Raises:
            Rejected: One is link-local or a cloud's metadata service, or it is on the own machine or a private network,
                where an attacker may want us to knock, and the forge itself is not there.
        """
        found = await addresses_of(host)
        inner = reaches_of(found) - {Reach.PUBLIC}
        if not inner:
            return found
        home = reaches_of(await addresses_of(self._home[1]))
        if not home - {Reach.PUBLIC}:
            raise self._rejected(f"is a public host and leads to a private one, {host}")
        if Reach.LINK_LOCAL in inner:
            raise self._rejected(f"leads to {Reach.LINK_LOCAL.value}, {host}")
        if not inner <= home:
            raise self._rejected(f"leads to {(inner - home).pop().value}, {host}, and is not there itself")
        return found

    def _rejected(self, why: str) -> Rejected:
        return Rejected(f"{self._config.alias} {why}", suggestion="Nothing was sent there.")


async def addresses_of(host: str) -> list[str]:
    """Look a host's addresses up; none where it is not known here, behind a proxy say."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return []
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def reaches_of(addresses: Iterable[str]) -> set[Reach]:
    """Return the networks that addresses are on."""
    return {_reach_of(_inner_address(ip_address(address.partition("%")[0]))) for address in addresses}


def _reach_of(address: Address) -> Reach:
    if address.is_link_local or address in METADATA:
        return Reach.LINK_LOCAL
    if address.is_loopback or address.is_unspecified:  # a connection to 0.0.0.0 arrives at the own machine
        return Reach.LOOPBACK
    return Reach.PUBLIC if address.is_global else Reach.PRIVATE


def _inner_address(address: Address) -> Address:
    """Return the IPv4 address that stands in an IPv6 one: mapped, compatible, of 6to4, Teredo or NAT64 (RFC 6052)."""
    if isinstance(address, IPv4Address):
        return address
    if address in NAT64 or (address in COMPATIBLE and int(address) > 1):  # :: and ::1 are themselves
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None) or address
