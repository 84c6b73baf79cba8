"""The policy that asks whether a copy still holds, rather than for the whole again."""

import httpx

from stithy_core.http.clock import Clock
from stithy_core.http.copies import Copy
from stithy_core.http.counts import Counts
from stithy_core.http.marks import key_of, mark_of
from stithy_core.spi import Store


class Validate(httpx.AsyncBaseTransport):
    """Keeps the answers to reads, and gives none of them without the forge's word that it still holds.

    Args:
        inner: What answers the requests.
        store: Where the copies are.
        clock: Tells the time.
        counts: Where it is counted.
    """

    def __init__(self, inner: httpx.AsyncBaseTransport, store: Store, clock: Clock, counts: Counts) -> None:
        self._inner = inner
        self._store = store
        self._clock = clock
        self._counts = counts

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer a request."""
        expected = mark_of(request).expected
        if request.method != "GET" or expected is None:
            return await self._inner.handle_async_request(request)
        key = key_of(request)
        raw = await self._store.get(key)
        copy = Copy.unpack(raw) if raw else None
        request.headers["cache-control"] = "no-cache"  # no cache on the way may answer in the forge's place
        if copy is not None:
            request.headers.update(copy.conditions)
        response = await self._inner.handle_async_request(request)
        if copy is not None and response.status_code == httpx.codes.NOT_MODIFIED:
            self._counts.confirmed += 1
            return copy.confirmed(response)
        if copy is None:
            self._counts.missed += 1
        else:
            self._counts.stale += 1
        if (fresh := Copy.of(response, expected)) is not None:
            await self._store.put(key, fresh.pack())
        return response

    async def aclose(self) -> None:
        """Close the connections; the store is closed by who opened it."""
        await self._inner.aclose()
