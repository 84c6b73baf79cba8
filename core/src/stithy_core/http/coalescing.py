"""The outermost policy: who asks what is being asked already gets the same answer."""

import asyncio

import httpx
from attrs import define

from stithy_core.http.counts import Counts
from stithy_core.http.marks import key_of, mark_of


@define(eq=False)
class _Shared:
    task: asyncio.Task[httpx.Response]
    callers: int = 0


class Coalesce(httpx.AsyncBaseTransport):
    """Lets identical reads share one request, which ends when the last of its callers has turned away.

    Nobody joins a read that began before a write: its answer may be older than what the write made.

    Args:
        inner: What answers the requests.
        counts: Where it is counted.
    """

    def __init__(self, inner: httpx.AsyncBaseTransport, counts: Counts) -> None:
        self._inner = inner
        self._counts = counts
        self._running: dict[str, _Shared] = {}
        self._tasks: set[asyncio.Task[httpx.Response]] = set()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer a request; the answers of reads are shared and must not be changed."""
        if mark_of(request).writing:
            return await self._write(request)
        if request.method != "GET":
            return await self._inner.handle_async_request(request)
        key = key_of(request)
        shared = self._running.get(key)
        if shared is None:
            shared = self._start(key, request)
        else:
            self._counts.shared += 1
        shared.callers += 1
        try:
            return await asyncio.shield(shared.task)
        except asyncio.CancelledError:
            if shared.task.cancelled() and not _is_cancelled():
                raise httpx.ReadError("the client was closed", request=request) from None
            raise
        finally:
            shared.callers -= 1
            if not shared.callers and not shared.task.done():
                self._forget(key, shared)
                shared.task.cancel()

    def _start(self, key: str, request: httpx.Request) -> _Shared:
        """Ask in a task of its own, which no caller's cancellation reaches."""
        task = asyncio.create_task(self._inner.handle_async_request(request))
        shared = self._running[key] = _Shared(task)
        self._tasks.add(task)
        task.add_done_callback(lambda _: self._ended(key, shared))
        return shared

    def _ended(self, key: str, shared: _Shared) -> None:
        self._tasks.discard(shared.task)
        self._forget(key, shared)
        if not shared.task.cancelled():
            shared.task.exception()  # a failure that comes after the last caller left is nobody's, and no news

    def _forget(self, key: str, shared: _Shared) -> None:
        if self._running.get(key) is shared:
            del self._running[key]

    async def _write(self, request: httpx.Request) -> httpx.Response:
        self._running.clear()
        try:
            return await self._inner.handle_async_request(request)
        finally:
            self._running.clear()

    async def aclose(self) -> None:
        """End what is under way, and close the connections."""
        running = tuple(self._tasks)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self._inner.aclose()


def _is_cancelled() -> bool:
    """Say whether it is the caller who turns away."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
