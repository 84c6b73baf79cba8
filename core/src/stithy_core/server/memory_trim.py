"""Returns the memory of large messages to the system, so that a server stays as small as it started.

glibc raises its threshold for mapped memory to the size of the largest block that was freed, and then keeps all smaller
blocks, separately for the arena of each thread. After some messages of 10 MB a server held 130 MB of free memory.
"""

import logging
import sys
from collections.abc import Callable
from typing import Any

import anyio
import anyio.to_thread

STARTUP_SECONDS = 2.0
"""Time after the start in which the first requests need the processor."""
INTERVAL_SECONDS = 30.0
"""Time between two trims; one takes some milliseconds of a thread."""

# Constants of malloc.h, for mallopt(3).
M_MMAP_THRESHOLD = -3
M_ARENA_MAX = -8
THRESHOLD = 128 * 1024
ARENAS = 1

log = logging.getLogger("stithy.memory")


async def trim_memory() -> None:
    """Return freed memory to the system until cancelled; does nothing with a C library other than glibc.

    The server does not depend on it: if the system has no descriptors or threads left, it is retried later.
    """
    if sys.platform != "linux":
        return
    await anyio.sleep(STARTUP_SECONDS)
    trim: Callable[[int], Any] | None = None
    while True:
        try:
            if trim is not None:
                await anyio.to_thread.run_sync(trim, 0)
            elif (trim := await anyio.to_thread.run_sync(_configure_allocator)) is None:
                return
        except (OSError, ImportError, RuntimeError) as error:  # loading ctypes opens files; a thread may not start
            log.info("cannot return freed memory now: %s", error)
        await anyio.sleep(INTERVAL_SECONDS)


def _configure_allocator() -> Callable[[int], Any] | None:
    """Configure glibc's allocator and return its malloc_trim; None without glibc."""
    import ctypes

    library = ctypes.CDLL(None)
    if not hasattr(library, "mallopt"):  # musl has none
        return None
    library.mallopt(M_MMAP_THRESHOLD, THRESHOLD)
    library.mallopt(M_ARENA_MAX, ARENAS)
    trim: Callable[[int], Any] = library.malloc_trim
    return trim
