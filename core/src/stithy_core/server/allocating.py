"""Memory that large messages took is given back to the system, so that a server stays as small as it began.

glibc raises the size from which it maps memory to that of the largest it was given back, and then keeps what is
smaller, once for each arena of its threads. After some messages of 10 MB a server held 130 MB of free memory.
"""

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


async def give_back_memory() -> None:
    """Do so until cancelled, from soon after the start on; where the C library is another, it is left alone."""
    if sys.platform != "linux":
        return
    await anyio.sleep(SETTLED)
    trim = await anyio.to_thread.run_sync(_set)
    while trim is not None:
        await anyio.sleep(EVERY)
        await anyio.to_thread.run_sync(trim, 0)


def _set() -> Callable[[int], Any] | None:
    """Set it right, and give what returns freed memory; None where there is no glibc."""
    import ctypes

    library = ctypes.CDLL(None)
    if not hasattr(library, "mallopt"):  # musl has none
        return None
    library.mallopt(M_MMAP_THRESHOLD, THRESHOLD)
    library.mallopt(M_ARENA_MAX, ARENAS)
    trim: Callable[[int], Any] = library.malloc_trim
    return trim
