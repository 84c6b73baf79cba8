"""What runs while a server serves: the plugins' services, and the jobs that outlive calls."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
from attrs import define, field

from stithy_core.app.connections import Connections
from stithy_core.plugins import Failed, describe_error, resolve
from stithy_core.spi.faults import ends_caller
from stithy_core.tools import Jobs

if TYPE_CHECKING:
    from stithy_core.app.loop_watchdog import LoopWatchdog
    from stithy_core.spi import Contribution, Scope, Service

FIRST_PAUSE = 1.0
"""Seconds before a service that failed starts again; twice as many after each further failure."""
LONGEST_PAUSE = 60.0
"""Also how long a service must have run for its earlier failures not to count any more."""

log = logging.getLogger("stithy.services")


@define(eq=False)
class SupervisedService:
    """A plugin's service, which is started again after a failure.

    Args:
        service: The service.
        origin: The plugin that offers it.
        scope: The plugin's scope.

    Attributes:
        failure: How it failed last; empty if it never did.
        failures: How often it failed in a row.
        waits: Whether it does not run now, and starts again later.
    """

    service: Service
    origin: Contribution
    scope: Scope
    failure: str = field(default="", init=False)
    failures: int = field(default=0, init=False)
    waits: bool = field(default=False, init=False)

    @property
    def pause(self) -> float:
        """Seconds between the last failure and the next start."""
        return min(FIRST_PAUSE * 2.0 ** min(self.failures - 1, 10), LONGEST_PAUSE)

    async def run(self) -> None:
        """Run the service until it ends by itself; what it raises does not reach the server or the other services."""
        while True:
            began = time.monotonic()
            try:
                await resolve(self.service.run)(self.scope)
            except BaseException as error:  # a plugin's failure, whatever it is
                if ends_caller(error):
                    raise
                self._record(error, time.monotonic() - began)
            else:
                return
            self.waits = True
            await anyio.sleep(self.pause)
            self.waits = False

    def _record(self, error: BaseException, seconds: float) -> None:
        self.failures = 1 if seconds >= LONGEST_PAUSE else self.failures + 1
        self.failure = describe_error(error)
        log.error("the service %s failed and starts again in %g s", self.service.name, self.pause, exc_info=error)

    def report(self) -> Failed | None:
        """Return the last failure for `list_plugins`; None while the service runs."""
        if not self.waits:
            return None
        remedy = f"It starts again within {self.pause:g} s; report it to the plugin's author"
        offer = f"service {self.service.name}"
        return Failed(origin=self.origin, stage="run", cause=self.failure, remedy=remedy, offer=offer)


@asynccontextmanager
async def run_app(
    services: Sequence[SupervisedService], jobs: Jobs, connections: Connections, watchdog: LoopWatchdog
) -> AsyncIterator[None]:
    """Start the services and open the jobs; leaving cancels both and closes the connections."""
    try:
        with watchdog.watch():
            async with anyio.create_task_group() as group:
                jobs.group = group
                for service in services:
                    group.start_soon(service.run, name=f"service {service.service.name}")
                yield
                group.cancel_scope.cancel()
    finally:
        jobs.group = None
        with anyio.CancelScope(shield=True):
            await connections.aclose()
