"""The plugin of the soak benchmark: tools that wait, and one that counts the server's tasks and threads."""

import asyncio
import threading
import time
from collections.abc import Iterator

import anyio
from attrs import frozen

from stithy_core.spi import Context, SyncContext, ToolSpec, hookimpl

STITHY_API = 1
MOMENT = 0.002


@frozen
class Nothing:
    """No arguments."""


@frozen
class State:
    """The numbers of tasks and threads in the server."""

    tasks: int
    threads: int

    def render(self) -> Iterator[str]:
        """Iterate over the lines of the text."""
        yield f"{self.tasks} tasks, {self.threads} threads"


async def state(ctx: Context, args: Nothing) -> State:  # noqa: ARG001 -- a handler's signature
    """Count tasks and threads."""
    return State(len(asyncio.all_tasks()), threading.active_count())


async def wait(ctx: Context, args: Nothing) -> State:
    """Report progress and wait."""
    await ctx.progress(1, 2)
    await anyio.sleep(MOMENT)
    return await state(ctx, args)


def thread(worker: SyncContext, args: Nothing) -> State:  # noqa: ARG001 -- a handler's signature
    """Wait in a thread."""
    time.sleep(MOMENT)
    return State(0, threading.active_count())


@hookimpl
def stithy_tools() -> list[ToolSpec]:
    """Return the tools."""
    return [
        ToolSpec(name=f"soak_{name}", title=name, description="For the soak.", input=Nothing, handler=handler)
        for name, handler in (("state", state), ("wait", wait), ("thread", thread))
    ]
