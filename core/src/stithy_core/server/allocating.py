"""Memory that large messages took is given back to the system, so that a server stays as small as it began.

glibc raises the size from which it maps memory to that of the largest it was given back, and then keeps what is
smaller, once for each arena of its threads. After some messages of 10 MB a server held 130 MB of free memory.
"""

import logging
import sys
from collections.abc import Callable
from typing import Any

import anyio
import anyio.to_thread

SETTLED = 2.0
"""Seconds after the start, which has better things to do."""
EVERY = 30.0
"""Seconds between two looks at what was freed; one takes some milliseconds of a thread."""

# Numbers of malloc.h, for mallopt(3).
M_MMAP_THRESHOLD = -3
M_ARENA_MAX = -8
THRESHOLD = 128 * 1024
ARENAS = 1

log = logging.getLogger("stithy.memory")


async def give_back_memory() -> None:
    """Return freed memory to the system until cancelled; a C library other than glibc is left alone.

    The server does not depend on it: while the system has no descriptors or threads left, it is tried again later.
    """
    if sys.platform != "linux":
        return
    await anyio.sleep(SETTLED)
    trim: Callable[[int], Any] | None = None
    while True:
        try:
            if trim is not None:
                await anyio.to_thread.run_sync(trim, 0)
            elif (trim := await anyio.to_thread.run_sync(_find_trim)) is None:
                return
        except (OSError, ImportError, RuntimeError) as error:  # loading ctypes opens files; a thread may not start
            log.info("freed memory is not returned now: %s", error)
        await anyio.sleep(EVERY)


def _find_trim() -> Callable[[int], Any] | None:
    """Configure glibc's allocator and return its malloc_trim; None where there is no glibc."""
    import ctypes

    library = ctypes.CDLL(None)
    if not hasattr(library, "mallopt"):  # musl has none
        return None
    library.mallopt(M_MMAP_THRESHOLD, THRESHOLD)
    library.mallopt(M_ARENA_MAX, ARENAS)
    trim: Callable[[int], Any] = library.malloc_trim
    return trim
