"""Serving over standard input and output."""

import anyio
from mcp.server.stdio import stdio_server

from stithy_core.server.adapter import StithyServer


def serve(server: StithyServer) -> None:
    """Serve one client until it closes its end."""
    anyio.run(_serve, server)


async def _serve(server: StithyServer) -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
