"""A server of ours over HTTP on the loopback interface, in the same process, as `stithy serve --http` runs it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from stithy_core.app.assembly import App
from stithy_http.command import create_application
from stithy_http.uvicorn_server import ShutdownTimes, WebServer, format_address, listen


@asynccontextmanager
async def over_http(app: App) -> AsyncIterator[str]:
    """Serve an app; yield the URL of its MCP endpoint. Early connections wait in the socket's queue."""
    listening = listen("127.0.0.1", 0)
    address = format_address(listening)
    server = WebServer(create_application(app, "127.0.0.1"), ShutdownTimes(grace=1))
    async with anyio.create_task_group() as group:
        group.start_soon(server.serve, [listening])
        try:
            yield f"{address}/mcp"
        finally:
            server.stop()
