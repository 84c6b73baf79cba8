"""Answers in a file of SQLite, so that they outlive the process."""

import logging
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.to_thread

from stithy_core.http.circuits import LocalCircuits
from stithy_core.http.clock import SYSTEM, Clock
from stithy_core.http.localbudgets import LocalBudgets
from stithy_core.spi.ledger import OwnLedger

MOST = 128 * 1024 * 1024
SCHEMA = 1
LOCKED = 0.25
TOUCHED = 60.0
ROOM = 0.9
OLDEST = "DELETE FROM answers WHERE key IN (SELECT key FROM answers ORDER BY used, key LIMIT 50)"
TABLE = "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, value BLOB NOT NULL, used REAL NOT NULL)"

T = TypeVar("T")

log = logging.getLogger("stithy.http")


class SqliteStore:
    """The store in a file, which several processes may share; limits are counted in this one only.

    What the file refuses, locked or full, is as if it were not kept. A file that is damaged is begun anew.

    Args:
        path: The file; its folder is made where it is missing. Others may not read it.
        most: How many bytes of answers it holds; what was not used for longest goes first.
        clock: Tells when.
    """

    def __init__(self, path: str, most: int = MOST, clock: Clock = SYSTEM) -> None:
        self.budgets = LocalBudgets()
        self.circuits = LocalCircuits()
        self.ledger = OwnLedger()
        self._path = Path(path).expanduser()
        self._most = most
        self._clock = clock
        self._database: sqlite3.Connection | None = None
        self._size = 0
        self._turn = anyio.Lock()
        self._warned = False

    @property
    def reachable(self) -> None:
        """Say that nothing is shared."""

    async def get(self, key: str) -> bytes | None:
        """Give what is kept, or None."""
        return await self._work(lambda: self._get(key))

    async def put(self, key: str, value: bytes) -> None:
        """Keep something, in place of what was kept there."""
        await self._work(lambda: self._put(key, value))

    async def aclose(self) -> None:
        """Close the file."""
        async with self._turn:
            await anyio.to_thread.run_sync(self._close)

    async def _work(self, work: Callable[[], T]) -> T | None:
        async with self._turn:
            return await anyio.to_thread.run_sync(self._guarded, work)

    def _guarded(self, work: Callable[[], T]) -> T | None:
        try:
            return work()
        except (sqlite3.OperationalError, OSError) as error:  # locked, full, or not to be written
            self._warn(f"is not used for the moment: {error}")
        except sqlite3.DatabaseError as error:
            self._warn(f"is damaged and begun anew: {error}")
            self._begin_anew()
        return None

    def _get(self, key: str) -> bytes | None:
        row = self._opened().execute("SELECT value, used FROM answers WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        value, used = row
        now = self._clock.time()
        if now - used > TOUCHED:  # a minute more or less decides nothing, and a write costs more than a read
            self._opened().execute("UPDATE answers SET used = ? WHERE key = ?", (now, key))
        return bytes(value)

    def _put(self, key: str, value: bytes) -> None:
        database = self._opened()
        database.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", (key, value, self._clock.time()))
        self._size += len(value)
        if self._size > self._most:
            self._shrink(database)

    def _shrink(self, database: sqlite3.Connection) -> None:
        self._size = _size(database)  # others write the file, too
        while self._size > self._most * ROOM:
            if not database.execute(OLDEST).rowcount:
                break
            self._size = _size(database)

    def _opened(self) -> sqlite3.Connection:
        if self._database is None:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
            database = sqlite3.connect(self._path, timeout=LOCKED, isolation_level=None, check_same_thread=False)
            try:
                _prepare(database)
                self._size = _size(database)
            except BaseException:
                database.close()
                raise
            self._database = database
        return self._database

    def _begin_anew(self) -> None:
        self._close()
        for suffix in ("", "-wal", "-shm"):
            Path(f"{self._path}{suffix}").unlink(missing_ok=True)

    def _close(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None

    def _warn(self, what: str) -> None:
        if not self._warned:
            log.warning("the store %s %s", self._path, what)
            self._warned = True


def _prepare(database: sqlite3.Connection) -> None:
    """Make the table; one of another version is dropped, since it can be had again."""
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = OFF")  # what a crash takes away can be had again
    if database.execute("PRAGMA user_version").fetchone()[0] != SCHEMA:
        database.execute("DROP TABLE IF EXISTS answers")
        database.execute(f"PRAGMA user_version = {SCHEMA}")
    database.execute(TABLE)


def _size(database: sqlite3.Connection) -> int:
    size: int = database.execute("SELECT coalesce(sum(length(value)), 0) FROM answers").fetchone()[0]
    return size
