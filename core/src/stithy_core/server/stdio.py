"""Serving over standard input and output."""

import os
from io import TextIOWrapper

import anyio
from mcp.server.stdio import stdio_server

from stithy_core.server.adapter import StithyServer
from stithy_core.server.allocating import give_back_memory
from stithy_core.server.malformed import Answering


def serve(server: StithyServer, reading: int, writing: int) -> None:
    """Serve one client until it closes its end.

    Args:
        server: What is served.
        reading: The descriptor that the client writes to.
        writing: The descriptor that the client reads.
    """
    anyio.run(_serve, server, reading, writing)


async def _serve(server: StithyServer, reading: int, writing: int) -> None:
    # Never closed: a thread that still blocks on a descriptor must not find another file under its number.
    incoming = TextIOWrapper(os.fdopen(reading, "rb", closefd=False), encoding="utf-8", errors="replace")
    outgoing = TextIOWrapper(os.fdopen(writing, "wb", closefd=False), encoding="utf-8")
    async with (
        stdio_server(anyio.wrap_file(incoming), anyio.wrap_file(outgoing)) as (read, write),
        anyio.create_task_group() as beside,
    ):
        beside.start_soon(give_back_memory)
        await server.run(Answering(read, write), write, server.create_initialization_options())
        beside.cancel_scope.cancel()
