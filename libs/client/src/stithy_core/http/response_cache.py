"""The cache of reads: identical ones share a request, and a cached response is returned if the forge confirms it."""

import asyncio
import json

import httpx
from attrs import define, frozen

from stithy_core.http.request_context import RequestCounts, get_context, hash_request
from stithy_core.http.response_contents import ExpectedJson, check_body, parse_http_date
from stithy_core.spi import Store

LARGEST = 4 * 1024 * 1024
"""Bytes of a body that is cached."""
SETTLED = 3
"""Seconds from a change to a response whose `Last-Modified` is a validator.

Within a second of a change its time proves nothing (RFC 9110, 8.8.2.2); whole seconds and two clocks make it three.
"""
# Of the connection, of its compression, or of one person: RFC 9111, 3.1 and 7.
NOT_STORED = {"connection", "content-encoding", "content-length", "keep-alive", "set-cookie", "transfer-encoding"}
FRAMING = ("content-length", "transfer-encoding")


@define(eq=False)
class _SharedRequest:
    task: asyncio.Task[httpx.Response]
    callers: int = 0


class CoalescingTransport(httpx.AsyncBaseTransport):
    """Lets identical reads share one request, which is cancelled when the last of its callers is.

    It is the outermost transport. No caller joins a read that began before a write: its response may be older. The
    request runs in a task of its own and outlives its first caller, which a plugin's shared work (`Flights` in
    stithy_comments) cannot: that belongs to a call.

    Args:
        inner: Sends the requests.
        counts: Counts shared reads.
    """

    def __init__(self, inner: httpx.AsyncBaseTransport, counts: RequestCounts) -> None:
        self._inner = inner
        self._counts = counts
        self._running: dict[str, _SharedRequest] = {}
        self._tasks: set[asyncio.Task[httpx.Response]] = set()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request or join an identical one; a shared response must not be changed."""
        if get_context(request).writing:
            return await self._write(request)
        if request.method != "GET":
            return await self._inner.handle_async_request(request)
        key = hash_request(request)
        shared = self._running.get(key)
        if shared is None:
            shared = self._start(key, request)
        else:
            self._counts.shared += 1
        shared.callers += 1
        try:
            # The shield keeps the cancellation of one caller from the others.
            return await asyncio.shield(shared.task)
        except asyncio.CancelledError:
            if shared.task.cancelled() and not _is_caller_cancelled():
                raise httpx.ReadError("the client was closed", request=request) from None
            raise
        finally:
            shared.callers -= 1
            if not shared.callers and not shared.task.done():
                self._forget(key, shared)
                shared.task.cancel()

    def _start(self, key: str, request: httpx.Request) -> _SharedRequest:
        task = asyncio.create_task(self._inner.handle_async_request(request))
        shared = self._running[key] = _SharedRequest(task)
        self._tasks.add(task)
        task.add_done_callback(lambda _: self._finish(key, shared))
        return shared

    def _finish(self, key: str, shared: _SharedRequest) -> None:
        self._tasks.discard(shared.task)
        self._forget(key, shared)
        if not shared.task.cancelled():
            shared.task.exception()  # retrieved, since asyncio logs a failure that no caller waits for any more

    def _forget(self, key: str, shared: _SharedRequest) -> None:
        # Since then a write may have cleared the table, and another read may have taken the place.
        if self._running.get(key) is shared:
            del self._running[key]

    async def _write(self, request: httpx.Request) -> httpx.Response:
        # Cleared twice: a read that begins during the write may miss what it changes as well.
        self._running.clear()
        try:
            return await self._inner.handle_async_request(request)
        finally:
            self._running.clear()

    async def aclose(self) -> None:
        """Cancel requests that are under way, and close the connections."""
        running = tuple(self._tasks)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self._inner.aclose()


def _is_caller_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


class RevalidatingCache(httpx.AsyncBaseTransport):
    """Caches the responses to reads, and returns one only after the forge confirmed that it is current.

    Args:
        inner: Sends the requests.
        store: Keeps the responses. It is closed by its owner.
        counts: Counts how reads were answered.
    """

    def __init__(self, inner: httpx.AsyncBaseTransport, store: Store, counts: RequestCounts) -> None:
        self._inner = inner
        self._store = store
        self._counts = counts

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request, conditional if the cache has a response to it."""
        expected = get_context(request).expected
        if request.method != "GET" or expected is None:
            return await self._inner.handle_async_request(request)
        key = hash_request(request)
        raw = await self._store.get(key)
        entry = CacheEntry.unpack(raw) if raw else None
        request.headers["cache-control"] = "no-cache"  # no cache on the way may answer in the forge's place
        if entry is not None:
            request.headers.update(entry.conditions)
        response = await self._inner.handle_async_request(request)
        if entry is not None and response.status_code == httpx.codes.NOT_MODIFIED:
            self._counts.confirmed += 1
            return entry.build_response(response)
        if entry is None:
            self._counts.missed += 1
        else:
            self._counts.stale += 1
        if (fresh := CacheEntry.from_response(response, expected)) is not None:
            await self._store.save(key, fresh.pack())
        return response

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


@frozen
class CacheEntry:
    """A response as it is cached.

    Args:
        headers: Pairs of a name in lower case and a value.
        body: The body, decompressed.
    """

    headers: tuple[tuple[str, str], ...]
    body: bytes

    @classmethod
    def from_response(cls, response: httpx.Response, expected: ExpectedJson) -> "CacheEntry | None":
        """Return the entry of a response; None if it must not be cached or cannot be revalidated.

        Args:
            response: The response, read.
            expected: What its JSON must be. A broken body is not cached: it may have the validator of the whole one,
                and a later 304 would confirm it. Nor is a page whose end a 304 does not confirm.
        """
        is_whole = response.status_code == httpx.codes.OK and len(response.content) <= LARGEST
        if not is_whole or not _is_storable(response.headers):
            return None
        headers = tuple((name, value) for name, value in response.headers.multi_items() if name not in NOT_STORED)
        entry = cls(headers, response.content)
        if not entry.conditions:
            return None
        body, fault = check_body(response, expected)
        return None if fault or not expected.is_confirmable(body, response) else entry

    @property
    def conditions(self) -> dict[str, str]:
        """The headers of a conditional request; empty if the response has no validator."""
        headers = httpx.Headers(list(self.headers))
        conditions = {"if-none-match": headers.get("etag", "")}
        modified, date = (parse_http_date(headers.get(name, "")) for name in ("last-modified", "date"))
        if modified is not None and date is not None and date - modified >= SETTLED:
            conditions["if-modified-since"] = headers["last-modified"]
        return {name: value for name, value in conditions.items() if value}

    def build_response(self, confirmation: httpx.Response) -> httpx.Response:
        """Return the cached response with the headers of a 304; those that it left out, such as `Link`, stay."""
        fresh = [
            (name, value)
            for name, value in confirmation.headers.multi_items()
            if name not in NOT_STORED and not name.startswith("content-")
        ]
        renewed = {name for name, _ in fresh}
        headers = [(name, value) for name, value in self.headers if name not in renewed] + fresh
        return httpx.Response(httpx.codes.OK, headers=headers, content=self.body)

    def pack(self) -> bytes:
        """Return the bytes for a store: a line of JSON with the length and the headers, then the body."""
        return json.dumps([len(self.body), self.headers]).encode() + b"\n" + self.body

    @classmethod
    def unpack(cls, raw: bytes) -> "CacheEntry | None":
        """Return the entry of the bytes of a store; None if they are damaged."""
        head, _, body = raw.partition(b"\n")
        try:
            length, headers = json.loads(head)
            entry = cls(tuple((str(name), str(value)) for name, value in headers), body)
        except (ValueError, TypeError):
            return None
        return entry if length == len(body) else None


def _is_storable(headers: httpx.Headers) -> bool:
    """Return whether a response may be cached: it is not forbidden, depends on known headers, and is surely whole."""
    if "no-store" in headers.get("cache-control", "").lower() or "*" in headers.get("vary", ""):
        return False
    if "html" in headers.get("content-type", "").lower() or "content-range" in headers:
        return False
    # Without framing a body ends with the connection, and one that is cut off looks whole.
    return any(name in headers for name in FRAMING)
