"""Streams: a log, a diff, an archive, wherever the forge keeps it."""

from collections.abc import AsyncIterator

import httpx

from stithy_core.errors import Moved, TooLarge
from stithy_core.http.addresses import Addresses, location, origin
from stithy_core.http.bodies import Body
from stithy_core.http.faults import Faults
from stithy_core.http.hosts import Guard
from stithy_core.http.sending import Ask, Sender
from stithy_core.http.signals import Unreadable

MOST_REDIRECTS = 3


class Streams:
    """Reads streams of one forge.

    Args:
        sender: Sends the requests.
        addresses: Those of the forge.
        guard: Says where else they may lead.
        faults: Say what a failure means.
    """

    def __init__(self, sender: Sender, addresses: Addresses, guard: Guard, faults: Faults) -> None:
        self._sender = sender
        self._addresses = addresses
        self._guard = guard
        self._faults = faults

    async def read(self, path: str, accept: str, most: int) -> AsyncIterator[bytes]:
        """Read bytes as they come; for the arguments and errors, see `stithy_core.spi.Http.stream`."""
        response = await self._open(self._addresses.url(path, {}), accept)
        url = response.request.url
        host = "" if origin(url) == self._addresses.origin else url.host
        try:
            if not response.is_success:
                raise self._faults.astray(response, host) if host else self._faults.refused(response, writing=False)
            Body(response, most)
            async for chunk in response.stream:  # type: ignore[union-attr]
                yield chunk
        except Unreadable as error:
            if error.too_large:
                raise TooLarge(f"there are more than {most:,} bytes at {path}", suggestion="Ask for less.") from error
            raise self._faults.unanswered(error, writing=False, host=host) from error
        except httpx.TransportError as error:
            raise self._faults.unanswered(error, writing=False, host=host) from error
        finally:
            await response.aclose()

    async def _open(self, url: httpx.URL, accept: str) -> httpx.Response:
        """Follow the forge to where it keeps the bytes; once it led away, nothing of its own goes along any more."""
        away = False
        for _ in range(MOST_REDIRECTS + 1):
            response = await self._sender.send(Ask(url=url, accept=accept, streamed=True, away=away))
            following = location(response)
            if following is None:
                return response
            await self._guard.admit(following, url)
            away = away or origin(following) != self._addresses.origin
            url = following
        raise Moved(f"a stream leads on and on, at last to {url.host}", suggestion="Ask again later.")
