"""The lock of the runs in one clone: an open file that each step inherits, so that it lasts as long as the step."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stithy_core.spi import UserError

BUSY = (
    "Wait until it ends. If it was killed, a step of it may go on, such as a push; it has the lock as long as it runs."
)


@contextmanager
def hold_clone_lock(path: Path) -> Iterator[int]:
    """Hold the lock exclusively, and yield its file descriptor.

    Raises:
        UserError: Another process holds it, or this system has no such locks.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not _lock(handle):
            raise UserError("another `stithy stack` is at work in this clone", suggestion=BUSY)
        yield handle
    finally:
        os.close(handle)  # steps that go on still have it


if sys.platform == "win32":

    def _lock(handle: int) -> bool:
        del handle
        text = "`stithy stack` carries out no steps on Windows: they are lines for a POSIX shell"
        raise UserError(text, suggestion="Run it in WSL, or run the steps of manage_stacked_prs in Git Bash.")

else:

    def _lock(handle: int) -> bool:
        import fcntl

        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
