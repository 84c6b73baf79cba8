"""Files of SQLite that several processes use, and the store that keeps answers in one beyond the process."""

import logging
import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.to_thread

from stithy_core.http.memory_store import LocalCircuitBreakers, LocalRateBudget
from stithy_core.http.request_context import SYSTEM, Clock
from stithy_core.spi.idempotent_writer import Ledger, MemoryLedger

T = TypeVar("T")

MOST = 128 * 1024 * 1024
SCHEMA = 1
LOCK_TIMEOUT = 0.25
"""Seconds to wait for another process that writes; the forge answers sooner than a long wait ends."""
USED_PRECISION = 60.0
"""Seconds by which the time of last use may be wrong: a write costs more than a read."""
SHRUNK = 0.9
"""The part of `most` that remains after the oldest answers were deleted."""
DELETE_OLDEST = "DELETE FROM answers WHERE key IN (SELECT key FROM answers ORDER BY used, key LIMIT 50)"
TABLE = "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, value BLOB NOT NULL, used REAL NOT NULL)"

log = logging.getLogger("stithy.http")


class SqliteFile:
    """A file of SQLite. Work that fails, as on a full disk, is not done; a damaged file is replaced by an empty one.

    Args:
        path: Returns the path when the file is first used. A missing folder is created. Other users cannot read it.
        prepare: Creates the tables of a file that was just opened.
        what: The name of the file in the log.
        lock_timeout: Seconds to wait for another process that writes.
    """

    def __init__(
        self,
        path: Callable[[], Path],
        prepare: Callable[[sqlite3.Connection], None],
        *,
        what: str,
        lock_timeout: float,
    ) -> None:
        self._path = path
        self._prepare = prepare
        self._what = what
        self._lock_timeout = lock_timeout
        self._database: sqlite3.Connection | None = None
        self._lock = anyio.Lock()
        self._has_warned = False
        self._shown_path = ""

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """Run a function on the file in a thread, one caller at a time.

        Returns:
            What `work` returns; None if the file cannot be used.
        """
        async with self._lock:
            return await anyio.to_thread.run_sync(self._run_guarded, work)

    async def aclose(self) -> None:
        """Close the file; a later use opens it again."""
        async with self._lock:
            await anyio.to_thread.run_sync(self._close)

    def _run_guarded(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        try:
            return work(self._open())
        # Locked, full, read-only, or no home (RuntimeError). OperationalError is a DatabaseError, so it comes first.
        except (sqlite3.OperationalError, OSError, RuntimeError) as error:
            self._warn(f"is not used for the moment: {error}")
        except sqlite3.DatabaseError as error:
            self._warn(f"is damaged and replaced by an empty one: {error}")
            self._delete()
        return None

    def _open(self) -> sqlite3.Connection:
        if self._database is None:
            path = self._path()
            self._shown_path = f" {path}"
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # sqlite3 itself would create it for all to read
            database = sqlite3.connect(path, timeout=self._lock_timeout, isolation_level=None, check_same_thread=False)
            try:
                self._prepare(database)
            except BaseException:
                database.close()
                raise
            self._database = database
        return self._database

    def _delete(self) -> None:
        self._close()
        with suppress(OSError):  # the folder may be read-only by now
            for suffix in ("", "-wal", "-shm", "-journal"):
                Path(f"{self._path()}{suffix}").unlink(missing_ok=True)

    def _close(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None

    def _warn(self, problem: str) -> None:
        if not self._has_warned:
            log.warning("the %s%s %s", self._what, self._shown_path, problem)
            self._has_warned = True


class SqliteStore:
    """The store in a file, which several processes may use; implements `stithy_core.spi.Store`.

    Limits and failures are counted in this process only.

    Args:
        path: The file; `~` is the home of the user.
        most: Bytes of answers that it holds; those that were not used for longest are deleted first.
        clock: The clock.
        ledger: Records writes; in memory by default.
    """

    def __init__(self, path: str, most: int = MOST, clock: Clock = SYSTEM, ledger: Ledger | None = None) -> None:
        self.rate_budget = LocalRateBudget()
        self.circuit_breakers = LocalCircuitBreakers()
        self.ledger = ledger or MemoryLedger()
        self._file = SqliteFile(lambda: Path(path).expanduser(), self._prepare, what="store", lock_timeout=LOCK_TIMEOUT)
        self._most = most
        self._clock = clock
        self._size = 0

    @property
    def reachable(self) -> None:
        """None, since its counts are not shared."""

    async def get(self, key: str) -> bytes | None:
        """Return the value of a key, or None."""
        return await self._file.run(lambda database: self._get(database, key))

    async def save(self, key: str, value: bytes) -> None:
        """Keep a value, in place of the one before."""
        await self._file.run(lambda database: self._save(database, key, value))

    async def aclose(self) -> None:
        """Close the file."""
        await self._file.aclose()

    def _get(self, database: sqlite3.Connection, key: str) -> bytes | None:
        row = database.execute("SELECT value, used FROM answers WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        value, used = row
        now = self._clock.time()
        if now - used > USED_PRECISION:
            database.execute("UPDATE answers SET used = ? WHERE key = ?", (now, key))
        return bytes(value)

    def _save(self, database: sqlite3.Connection, key: str, value: bytes) -> None:
        database.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", (key, value, self._clock.time()))
        # An upper bound, since what was replaced is not subtracted; the real size is read when it is reached.
        self._size += len(value)
        if self._size > self._most:
            self._shrink(database)

    def _shrink(self, database: sqlite3.Connection) -> None:
        self._size = _read_size(database)  # other processes write the file, too
        while self._size > self._most * SHRUNK:
            if not database.execute(DELETE_OLDEST).rowcount:
                break
            self._size = _read_size(database)

    def _prepare(self, database: sqlite3.Connection) -> None:
        """Create the table; one of another version is dropped, since the forge has all of it."""
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = OFF")  # what a crash destroys can be read from the forge
        if database.execute("PRAGMA user_version").fetchone()[0] != SCHEMA:
            database.execute("DROP TABLE IF EXISTS answers")
            database.execute(f"PRAGMA user_version = {SCHEMA}")
        database.execute(TABLE)
        self._size = _read_size(database)


def _read_size(database: sqlite3.Connection) -> int:
    size: int = database.execute("SELECT coalesce(sum(length(value)), 0) FROM answers").fetchone()[0]
    return size
