"""Connections to other hosts than the forge, made to the very addresses that were checked.

A name is looked up once for both, so that it cannot turn into another address in between (DNS rebinding). TLS still
verifies the host's name: the address is chosen below it.
"""

from collections.abc import Iterable
from typing import Any

import httpcore

from stithy_core.http.hosts import Guard

MOST_TRIED = 4


class CheckedBackend(httpcore.AsyncNetworkBackend):
    """Connects to addresses that a guard admits.

    Args:
        guard: Checks them.
    """

    def __init__(self, guard: Guard) -> None:
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
            httpcore.ConnectError: It has none, or none answers.
        """
        failure: Exception = httpcore.ConnectError("the name of the host is not known")
        for address in (await self._guard.check(host))[:MOST_TRIED]:
            try:
                return await self._inner.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure

    async def connect_unix_socket(self, *_: Any, **__: Any) -> httpcore.AsyncNetworkStream:
        """Refuse: no forge leads there."""
        raise httpcore.ConnectError("a socket of this machine is no other host")

    async def sleep(self, seconds: float) -> None:
        """Wait between attempts."""
        await self._inner.sleep(seconds)
