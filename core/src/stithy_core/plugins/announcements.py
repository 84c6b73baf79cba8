"""Carries what changed from the plugins to whoever listens."""

from collections.abc import Awaitable, Callable, Sequence

from stithy_core.spi.runtime import Changed

Listener = Callable[[Sequence[Changed]], Awaitable[None]]


class Announcements:
    """The listeners of one server."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call a listener for every change from now on; call the returned function to stop."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def publish(self, changes: Sequence[Changed]) -> None:
        """Call every listener."""
        for listener in list(self._listeners):
            await listener(changes)
