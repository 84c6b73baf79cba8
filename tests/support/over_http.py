"""A server of ours over streamable HTTP on the loopback interface, by the SDK's own ASGI application.

`stithy serve` speaks standard input and output only; the tools that test servers speak HTTP.
"""

import socket
from contextlib import asynccontextmanager

import anyio
import uvicorn

from stithy_core.server import build


@asynccontextmanager
async def over_http(app):
    """Serve an app; gives the URL of its endpoint. Whoever connects early waits in the socket's queue."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        build(app.contents()).streamable_http_app(), log_level="error", timeout_graceful_shutdown=1, ws="none"
    )
    server = uvicorn.Server(config)
    async with anyio.create_task_group() as group:
        group.start_soon(server.serve, [listening])
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        finally:
            server.should_exit = True
