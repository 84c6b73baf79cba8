"""Locks between processes, which end with their holder, however that ends."""

import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from enum import Enum
from pathlib import Path

import anyio

PAUSE = 0.02
"""Seconds between two tries: a lock that waited in the system could not be cancelled."""


class Lock(Enum):
    """Who else may have it: nobody, or whoever holds it in the same way."""

    ALONE = "alone"
    SHARED = "shared"


@asynccontextmanager
async def held(path: Path, how: Lock) -> AsyncIterator[None]:
    """Hold the lock that a file stands for, waiting for whoever holds it otherwise."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        while not _try(handle, how):  # noqa: ASYNC110 -- no event comes from another process
            await anyio.sleep(PAUSE)
        yield
    finally:
        os.close(handle)  # which gives it back


@contextmanager
def taken(path: Path) -> Iterator[bool]:
    """Hold it alone if nobody has it, and say whether that is so."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield _try(handle, Lock.ALONE)
    finally:
        os.close(handle)


if sys.platform == "win32":

    def _try(handle: int, how: Lock) -> bool:  # noqa: ARG001 -- there are no shared ones there
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:

    def _try(handle: int, how: Lock) -> bool:
        import fcntl

        kind = fcntl.LOCK_EX if how is Lock.ALONE else fcntl.LOCK_SH
        try:
            fcntl.flock(handle, kind | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
