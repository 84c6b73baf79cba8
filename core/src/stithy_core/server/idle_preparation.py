"""Prepares first calls while the client is idle: its model thinks for a second or more before it calls a tool.

Without it, the first call of a session takes a quarter of a second of CPU longer than later ones.
"""

import gc
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import anyio
import anyio.to_thread

FIRST_PAUSE = 0.25
"""Seconds after `tools/list`, in which hosts send further requests of a start."""
PAUSE = 0.002
"""Seconds between two steps, so that a request that has arrived begins before the next one."""

log = logging.getLogger("stithy.server")


class IdlePreparation:
    """Runs steps in a thread once the tools were listed, and none while a call runs.

    No request waits for it, unless it needs the very module that is being imported.

    Args:
        steps: Returns the steps. One that fails is left to the call that needs it.
    """

    def __init__(self, steps: Callable[[], Iterable[Callable[[], object]]]) -> None:
        self._steps = steps
        self._calls = 0
        self._listed = anyio.Event()
        self._ended = anyio.Event()

    def allow(self) -> None:
        """Allow the first step: the client knows the tools."""
        self._listed.set()

    @contextmanager
    def suspend(self) -> Iterator[None]:
        """Run no step within the block, in which a call runs."""
        self._calls += 1
        try:
            yield
        finally:
            self._calls -= 1
            if not self._calls:
                self._ended.set()
                self._ended = anyio.Event()

    async def run(self) -> None:
        """Run all steps, then exclude what they created from garbage collection: it lives as long as the server."""
        await self._listed.wait()
        await anyio.sleep(FIRST_PAUSE)
        for step in self._steps():
            while self._calls:
                await self._ended.wait()
            try:
                await anyio.to_thread.run_sync(_take_step, step, abandon_on_cancel=True)
            except RuntimeError as error:  # the system has no thread left
                log.info("cannot prepare first calls: %s", error)
                return
            await anyio.sleep(PAUSE)
        gc.freeze()


def _take_step(step: Callable[[], object]) -> None:
    try:
        step()
    except BaseException as error:  # noqa: BLE001 -- a plugin's import may raise anything, and this thread has no user
        log.debug("a first call was not prepared: %s", type(error).__name__)
