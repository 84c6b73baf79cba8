"""The service that watches the folders of documents and prompts, and who else wants to hear of changes."""

import threading
from collections.abc import Awaitable, Callable

import anyio

from stithy_core.spi import Scope


class Stopping(threading.Event):
    """Is set when the server ends: `scope.shared(Stopping)`. What works in the background looks at it."""

    def __init__(self, _: Scope) -> None:
        super().__init__()


Listener = Callable[[], Awaitable[None]]

_BREATH = 0.5
"""Seconds that the service waits, so that a client's first requests need not share the processor with its imports."""


class Listeners:
    """Who else wants to hear that files changed: one for each server, `scope.shared(Listeners)`.

    A listener looks by itself at what it keeps; it is called for every change under the watched folders.
    """

    def __init__(self, scope: Scope) -> None:
        self._log = scope.log
        self.all: list[Listener] = []

    async def call(self) -> None:
        """Call everyone; one that fails does no harm to the others."""
        for listener in self.all:
            try:
                await listener()
            except Exception:  # noqa: BLE001 -- whatever it is, the others must hear
                self._log.exception("what listens to changes of documents failed")


async def watch(scope: Scope) -> None:
    """Keep the library fresh, and tell clients what changed."""
    scope.shared(Stopping).clear()
    try:
        await anyio.sleep(_BREATH)
        from stithy_archdocs.reloading import keep

        await keep(scope)
    finally:
        scope.shared(Stopping).set()
