"""What runs while a server serves: the plugins' services, and the jobs that outlive calls."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio

from stithy_core.app.connections import Connections
from stithy_core.plugins import resolve
from stithy_core.tools import Jobs

if TYPE_CHECKING:
    from stithy_core.spi import Scope, Service

log = logging.getLogger("stithy.services")


@asynccontextmanager
async def running(
    services: Iterable[tuple[Service, Scope]], jobs: Jobs, connections: Connections
) -> AsyncIterator[None]:
    """Start the services and open the jobs; leaving cancels both and closes the connections."""
    try:
        async with anyio.create_task_group() as group:
            jobs.group = group
            for service, scope in services:
                group.start_soon(_contained, service, scope, name=f"service {service.name}")
            yield
            group.cancel_scope.cancel()
    finally:
        jobs.group = None
        with anyio.CancelScope(shield=True):
            await connections.aclose()


async def _contained(service: Service, scope: Scope) -> None:
    """Run one service; when it breaks, the server and the other services go on."""
    try:
        await resolve(service.run)(scope)
    except (Exception, SystemExit):
        log.exception("the service %s broke and has ended", service.name)
