"""The service that watches the folders of documents and prompts, and the listeners it calls."""

import threading
from collections.abc import Awaitable, Callable

import anyio

from stithy_core.spi import Scope


class StopEvent(threading.Event):
    """An event that is set when the server stops: `scope.shared(Stopping)`. Background threads check it."""

    def __init__(self, _: Scope) -> None:
        super().__init__()


Listener = Callable[[], Awaitable[None]]

_START_DELAY = 0.5
"""Seconds before watching starts, so that its imports do not slow down a client's first requests."""


class Listeners:
    """Callbacks for file changes; one instance for each server, `scope.shared(Listeners)`.

    A listener is called for every change below the watched folders, and checks by itself what concerns it.
    """

    def __init__(self, scope: Scope) -> None:
        self._log = scope.log
        self.callbacks: list[Listener] = []

    async def notify(self) -> None:
        """Call all listeners; a failing one is logged and does not affect the others."""
        for listener in self.callbacks:
            try:
                await listener()
            except Exception:  # noqa: BLE001 -- a listener's error must not reach the others
                self._log.exception("a listener for document changes failed")


async def watch(scope: Scope) -> None:
    """Keep the library up to date, and notify clients of changes."""
    scope.shared(StopEvent).clear()
    try:
        await anyio.sleep(_START_DELAY)
        from stithy_archdocs.hot_reload import keep_library_fresh

        await keep_library_fresh(scope)
    finally:
        scope.shared(StopEvent).set()
