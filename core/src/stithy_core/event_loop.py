"""The event loop of a server: no task of a plugin ends it, and a thread beside it can tell whether it is held."""

import asyncio
import logging
import selectors
import sys
import time
from asyncio import AbstractEventLoop
from collections.abc import Callable
from typing import Any

from stithy_core.spi.faults import ends_caller

log = logging.getLogger("stithy.server")


class TurnSelector(selectors.DefaultSelector):
    """A selector that counts the turns of its loop.

    Attributes:
        turn: How often the loop has waited for something to do.
        busy_since: When it last stopped waiting, by the monotonic clock; None while it waits.
    """

    def __init__(self) -> None:
        super().__init__()
        self.turn = 0
        self.busy_since: float | None = None

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait as every selector does."""
        self.busy_since = None
        try:
            return super().select(timeout)
        finally:
            self.turn += 1
            self.busy_since = time.monotonic()


class ServerLoop(asyncio.SelectorEventLoop):
    """A loop that continues if a task raises SystemExit or KeyboardInterrupt, which end asyncio's own loop.

    The exception is raised where the task is awaited. The user's own Ctrl-C, and the end of the main task, end it.
    """

    def __init__(self) -> None:
        self.turns = TurnSelector()
        self._main: asyncio.Future[Any] | None = None
        super().__init__(self.turns)

    def run_until_complete(self, future: Any) -> Any:
        """Run until a future is done."""
        self._main = future if asyncio.isfuture(future) else None
        return super().run_until_complete(future)

    def run_forever(self) -> None:
        """Run until the loop is stopped."""
        while True:
            try:
                return super().run_forever()
            except (SystemExit, KeyboardInterrupt) as error:
                if ends_caller(error) or self._main is None or self._main.done():
                    raise
                log.exception("a task raised %s, which ends no server", type(error).__name__)


def loop_options() -> dict[str, Callable[[], AbstractEventLoop]]:
    """Return the options of anyio's backend; on Windows its usual loop is needed for processes."""
    return {} if sys.platform == "win32" else {"loop_factory": ServerLoop}
