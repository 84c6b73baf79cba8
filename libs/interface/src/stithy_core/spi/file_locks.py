"""Locks between processes. The operating system releases them when the holder ends, however it ends.

`filelock` has no shared locks that can be waited for without a thread.
"""

import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from enum import Enum
from pathlib import Path

import anyio

PAUSE = 0.02
"""Seconds between two attempts: a lock that waits in the system call could not be cancelled."""


class FileLock(Enum):
    """Who else can hold the lock: no process (ALONE), or other shared holders (SHARED)."""

    ALONE = "alone"
    SHARED = "shared"


@asynccontextmanager
async def hold_file_lock(path: Path, how: FileLock) -> AsyncIterator[None]:
    """Hold the lock of a file, waiting for other holders. The wait can be cancelled.

    Raises:
        OSError: The file cannot be created.
    """
    with _open_lock(path) as handle:
        while not _lock(handle, how):  # noqa: ASYNC110 -- no event comes from another process
            await anyio.sleep(PAUSE)
        yield


@contextmanager
def try_file_lock(path: Path) -> Iterator[bool]:
    """Hold the lock exclusively if it is free, and yield whether it was.

    Raises:
        OSError: The file cannot be created.
    """
    with _open_lock(path) as handle:
        yield _lock(handle, FileLock.ALONE)


@contextmanager
def block_for_file_lock(path: Path) -> Iterator[None]:
    """Hold the lock exclusively, blocking the thread until it is free.

    Raises:
        OSError: The file cannot be created.
    """
    with _open_lock(path) as handle:
        _lock(handle, FileLock.ALONE, wait=True)
        yield


@contextmanager
def _open_lock(path: Path) -> Iterator[int]:
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield handle
    finally:
        os.close(handle)  # which releases the lock


if sys.platform == "win32":

    def _lock(handle: int, how: FileLock, *, wait: bool = False) -> bool:  # noqa: ARG001 -- it has exclusive locks only
        import msvcrt

        while True:
            try:
                msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
            except OSError:
                if wait:  # LK_LOCK fails after ten seconds
                    continue
                return False
            return True

else:

    def _lock(handle: int, how: FileLock, *, wait: bool = False) -> bool:
        import fcntl

        kind = fcntl.LOCK_EX if how is FileLock.ALONE else fcntl.LOCK_SH
        try:
            fcntl.flock(handle, kind | (0 if wait else fcntl.LOCK_NB))
        except OSError:
            if wait:
                raise
            return False
        return True
