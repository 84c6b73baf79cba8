"""Locks between processes. The operating system releases them when the holder ends, however it ends."""

import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from enum import Enum
from pathlib import Path

import anyio

PAUSE = 0.02
"""Seconds between two attempts: a lock that waits in the system call could not be cancelled."""


class Lock(Enum):
    """Who else can hold the lock: no process (ALONE), or other shared holders (SHARED)."""

    ALONE = "alone"
    SHARED = "shared"


@asynccontextmanager
async def hold_lock(path: Path, how: Lock) -> AsyncIterator[None]:
    """Hold the lock of a file, waiting for other holders. The wait can be cancelled."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        while not _try_lock(handle, how):  # noqa: ASYNC110 -- no event comes from another process
            await anyio.sleep(PAUSE)
        yield
    finally:
        os.close(handle)  # which releases the lock


@contextmanager
def try_hold_lock(path: Path) -> Iterator[bool]:
    """Hold the lock exclusively if it is free, and yield whether it was."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield _try_lock(handle, Lock.ALONE)
    finally:
        os.close(handle)


if sys.platform == "win32":

    def _try_lock(handle: int, how: Lock) -> bool:  # noqa: ARG001 -- Windows has exclusive locks only
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:

    def _try_lock(handle: int, how: Lock) -> bool:
        import fcntl

        kind = fcntl.LOCK_EX if how is Lock.ALONE else fcntl.LOCK_SH
        try:
            fcntl.flock(handle, kind | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
