"""The transport over standard input and output."""

import os
from collections.abc import Awaitable, Callable
from io import TextIOWrapper
from typing import cast

import anyio
from anyio import AsyncFile
from mcp.server.stdio import stdio_server

from stithy_core.event_loop import loop_options
from stithy_core.server.invalid_messages import RecordedLines, RefusingStream
from stithy_core.server.mcp_server import StithyServer
from stithy_core.server.memory_trim import trim_memory


def serve_stdio(server: StithyServer, reading: int, writing: int) -> None:
    """Serve one client until it closes its end.

    Args:
        server: The MCP server.
        reading: The file descriptor that the client writes to.
        writing: The file descriptor that the client reads.
    """
    anyio.run(_serve, server, reading, writing, backend_options=loop_options())


class ClientOutput:
    """The output that the client reads; serving ends once the client has closed it.

    Args:
        descriptor: The file descriptor.
        end: Called once the client has closed it.
    """

    def __init__(self, descriptor: int, end: Callable[[], None]) -> None:
        # Never closed: a thread that still blocks on a descriptor must not find another file under its number.
        outgoing = TextIOWrapper(os.fdopen(descriptor, "wb", closefd=False), encoding="utf-8")
        self._file = anyio.wrap_file(outgoing)
        self._descriptor = descriptor
        self._end = end

    async def write(self, text: str) -> None:
        """Write a text; `flush` sends what is still buffered."""
        await self._write_unless_closed(self._file.write(text))

    async def flush(self) -> None:
        """Send what was written."""
        await self._write_unless_closed(self._file.flush())

    async def _write_unless_closed(self, writing: Awaitable[object]) -> None:
        try:
            await writing
        except BrokenPipeError:
            # What is still buffered must go somewhere when the process ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._descriptor)
            self._end()


async def _serve(server: StithyServer, reading: int, writing: int) -> None:
    # Not closed either, see above.
    incoming = TextIOWrapper(os.fdopen(reading, "rb", closefd=False), encoding="utf-8", errors="replace")
    lines = RecordedLines(anyio.wrap_file(incoming))
    with anyio.CancelScope() as connected:
        outgoing = ClientOutput(writing, connected.cancel)
        async with (
            # The SDK iterates over the input, and calls `write` and `flush` of the output.
            stdio_server(cast("AsyncFile[str]", lines), cast("AsyncFile[str]", outgoing)) as (read, write),
            anyio.create_task_group() as background,
        ):
            background.start_soon(trim_memory)
            await server.run(
                RefusingStream(read, write, lines.unhandled), write, server.create_initialization_options()
            )
            background.cancel_scope.cancel()
