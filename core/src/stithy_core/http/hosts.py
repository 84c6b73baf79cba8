"""Where a host is: on the network that everybody is on, or on a private one."""

import asyncio
import ipaddress
import socket

import httpx

from stithy_core.errors import Rejected
from stithy_core.http.addresses import Origin, origin
from stithy_core.spi import Link


class Guard:
    """Says whether the forge may lead to another host.

    Args:
        link: The forge.
        home: The origin of its API.
    """

    def __init__(self, link: Link, home: Origin) -> None:
        self._link = link
        self._home = home

    async def admit(self, place: httpx.URL, came_from: httpx.URL) -> None:
        """Pass where it may.

        Raises:
            Rejected: It leads from https to http, to something else, or from a public host to a private one, where an
                attacker may want us to knock.
        """
        if origin(place) == self._home:
            return
        if place.scheme not in ("http", "https") or (came_from.scheme == "https" and place.scheme == "http"):
            raise self._rejected(f"leads from {came_from.scheme} to {place.scheme} at {place.host}")
        if await is_private(place.host) and not await is_private(self._home[1]):
            raise self._rejected(f"is a public host and leads to a private one, {place.host}")

    def _rejected(self, why: str) -> Rejected:
        return Rejected(f"{self._link.alias} {why}", suggestion="Nothing was sent there.")


async def is_private(host: str) -> bool:
    """Say whether a host has an address that only some networks know; one that has none at all has not."""
    return any(not _is_public(address) for address in await addresses_of(host))


async def addresses_of(host: str) -> list[str]:
    """Look a host's addresses up; none where it is not known here, behind a proxy say."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return []
    return [str(address[0]) for *_, address in found]


def _is_public(address: str) -> bool:
    found = ipaddress.ip_address(address.partition("%")[0])
    mapped = getattr(found, "ipv4_mapped", None)
    return (mapped or found).is_global
