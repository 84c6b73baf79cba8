"""A file of SQLite that several processes use, and that may fail without harm."""

import logging
import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.to_thread

T = TypeVar("T")

log = logging.getLogger("stithy.http")


class SqliteFile:
    """A file of SQLite. What it refuses, locked or full, is not done; a damaged one is replaced by an empty one.

    Args:
        path: Returns the file's path when it is first used; its folder is made where it is missing. Others may not
            read it.
        prepare: Makes the tables of a file that was just opened.
        what: What people call it in the log.
        locked: Seconds to wait for another process that writes.
    """

    def __init__(
        self,
        path: Callable[[], Path],
        prepare: Callable[[sqlite3.Connection], None],
        *,
        what: str,
        locked: float,
    ) -> None:
        self._path = path
        self._prepare = prepare
        self._what = what
        self._locked = locked
        self._database: sqlite3.Connection | None = None
        self._turn = anyio.Lock()
        self._warned = False
        self._named = ""

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """Work with the file in a thread, one caller after the other.

        Returns:
            What `work` returns; None where the file cannot be used.
        """
        async with self._turn:
            return await anyio.to_thread.run_sync(self._guarded, work)

    async def aclose(self) -> None:
        """Close the file; a later use opens it again."""
        async with self._turn:
            await anyio.to_thread.run_sync(self._close)

    def _guarded(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        try:
            return work(self._opened())
        except (sqlite3.OperationalError, OSError, RuntimeError) as error:  # locked, full, read-only, without a home
            self._warn(f"is not used for the moment: {error}")
        except sqlite3.DatabaseError as error:
            self._warn(f"is damaged and begun anew: {error}")
            self._begin_anew()
        return None

    def _opened(self) -> sqlite3.Connection:
        if self._database is None:
            path = self._path()
            self._named = f" {path}"
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            database = sqlite3.connect(path, timeout=self._locked, isolation_level=None, check_same_thread=False)
            try:
                self._prepare(database)
            except BaseException:
                database.close()
                raise
            self._database = database
        return self._database

    def _begin_anew(self) -> None:
        self._close()
        with suppress(OSError):  # a folder that takes no changes any more
            for suffix in ("", "-wal", "-shm", "-journal"):
                Path(f"{self._path()}{suffix}").unlink(missing_ok=True)

    def _close(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None

    def _warn(self, problem: str) -> None:
        if not self._warned:
            log.warning("the %s%s %s", self._what, self._named, problem)
            self._warned = True
