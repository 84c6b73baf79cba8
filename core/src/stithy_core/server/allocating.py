"""Memory that large messages took is given back to the system, so that a server stays as small as it began.

glibc raises the size from which it maps memory to that of the largest it was given back, and then keeps what is
smaller, once for each arena of its threads. After some messages of 10 MB a server held 130 MB of free memory.
"""

import sys

import anyio
import anyio.to_thread

SETTLED = 2.0
"""Seconds after the start, which has better things to do."""

# Numbers of malloc.h, for mallopt(3).
M_MMAP_THRESHOLD = -3
M_ARENA_MAX = -8
THRESHOLD = 128 * 1024
ARENAS = 1


async def give_back_memory() -> None:
    """Set it right soon after the start; where the C library is another, it is left alone."""
    if sys.platform == "linux":
        await anyio.sleep(SETTLED)
        await anyio.to_thread.run_sync(_set)


def _set() -> None:
    import ctypes

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:  # musl has none
        mallopt(M_MMAP_THRESHOLD, THRESHOLD)
        mallopt(M_ARENA_MAX, ARENAS)
