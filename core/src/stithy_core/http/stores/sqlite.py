"""Answers in a file of SQLite, so that they outlive the process."""

import sqlite3
from pathlib import Path

from stithy_core.http.clock import SYSTEM, Clock
from stithy_core.http.stores.local_counts import LocalCircuitBreakers, LocalRateBudget
from stithy_core.http.stores.sqlitefile import SqliteFile
from stithy_core.spi.ledger import Ledger, MemoryLedger

MOST = 128 * 1024 * 1024
SCHEMA = 1
LOCKED = 0.25
TOUCHED = 60.0
ROOM = 0.9
OLDEST = "DELETE FROM answers WHERE key IN (SELECT key FROM answers ORDER BY used, key LIMIT 50)"
TABLE = "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, value BLOB NOT NULL, used REAL NOT NULL)"


class SqliteStore:
    """The store in a file, which several processes may share; limits are counted in this one only.

    What the file refuses, locked or full, is as if it were not kept. A file that is damaged is begun anew.

    Args:
        path: The file; its folder is made where it is missing. Others may not read it.
        most: How many bytes of answers it holds; what was not used for longest goes first.
        clock: Tells when.
        ledger: Where writes are recorded; in memory by default.
    """

    def __init__(self, path: str, most: int = MOST, clock: Clock = SYSTEM, ledger: Ledger | None = None) -> None:
        self.rate_budget = LocalRateBudget()
        self.circuit_breakers = LocalCircuitBreakers()
        self.ledger = ledger or MemoryLedger()
        self._file = SqliteFile(lambda: Path(path).expanduser(), self._prepare, what="store", locked=LOCKED)
        self._most = most
        self._clock = clock
        self._size = 0

    @property
    def reachable(self) -> None:
        """Say that nothing is shared."""

    async def get(self, key: str) -> bytes | None:
        """Give what is kept, or None."""
        return await self._file.run(lambda database: self._get(database, key))

    async def put(self, key: str, value: bytes) -> None:
        """Keep something, in place of what was kept there."""
        await self._file.run(lambda database: self._put(database, key, value))

    async def aclose(self) -> None:
        """Close the file."""
        await self._file.aclose()

    def _get(self, database: sqlite3.Connection, key: str) -> bytes | None:
        row = database.execute("SELECT value, used FROM answers WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        value, used = row
        now = self._clock.time()
        if now - used > TOUCHED:  # a minute more or less decides nothing, and a write costs more than a read
            database.execute("UPDATE answers SET used = ? WHERE key = ?", (now, key))
        return bytes(value)

    def _put(self, database: sqlite3.Connection, key: str, value: bytes) -> None:
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

    def _prepare(self, database: sqlite3.Connection) -> None:
        """Make the table; one of another version is dropped, since it can be had again."""
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = OFF")  # what a crash takes away can be had again
        if database.execute("PRAGMA user_version").fetchone()[0] != SCHEMA:
            database.execute("DROP TABLE IF EXISTS answers")
            database.execute(f"PRAGMA user_version = {SCHEMA}")
        database.execute(TABLE)
        self._size = _size(database)


def _size(database: sqlite3.Connection) -> int:
    size: int = database.execute("SELECT coalesce(sum(length(value)), 0) FROM answers").fetchone()[0]
    return size
