"""The writes of all processes of a user on one machine, in a file: a server, its successor, and `stithy call`."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from socket import gethostname
from typing import TYPE_CHECKING, NamedTuple

from stithy_core.http.clock import SYSTEM, Clock
from stithy_core.spi.ledger import KEPT, MADE_SECONDS, Claim, DurableLedger

if TYPE_CHECKING:  # who only reads never opens the file
    import sqlite3

    from stithy_core.http.stores.sqlitefile import SqliteFile

NAME = "writes.db"
SCHEMA = 1
MOST = 10_000
"""Rows of about a hundred bytes."""
LEASE = 90.0
"""Seconds, longer than any request takes: what a process was sending that cannot be seen to have died is lost then."""
LOCKED = 5.0
COLUMNS = "key TEXT PRIMARY KEY, began REAL NOT NULL, recorded REAL NOT NULL, holder TEXT, lease REAL, made REAL"
OLDEST = "DELETE FROM writes WHERE key IN (SELECT key FROM writes ORDER BY made IS NULL, recorded LIMIT max(0, ?))"


class _Row(NamedTuple):
    """A row of the file: `made` is None until the write was made, `lease` is 0 where it is not under way."""

    began: float
    recorded: float
    holder: str
    lease: float
    made: float | None


class FileLedger(DurableLedger):
    """Writes in a file of SQLite, by hashes alone. `began` is by the forge's clock, all other times by this machine's.

    Args:
        folder: Returns the folder of the file; it is asked when the first write is made.
        clock: Tells the time.
    """

    def __init__(self, folder: Callable[[], Path], clock: Clock = SYSTEM) -> None:
        super().__init__()
        self._folder = folder
        self._clock = clock
        self._holder = f"{gethostname()} {os.getpid()}"

    @cached_property
    def _file(self) -> "SqliteFile":
        from stithy_core.http.stores.sqlitefile import SqliteFile

        return SqliteFile(lambda: self._folder() / NAME, _prepare, what="record of writes", locked=LOCKED)

    async def aclose(self) -> None:
        """Close the file, if it was opened."""
        if "_file" in vars(self):
            await self._file.aclose()

    async def claim_shared(self, key: str, now: datetime, elapsed: float) -> Claim | None:
        """Claim a write in the file; None if the file cannot be used."""
        return await self._file.run(lambda database: self._claim_in(database, key, now.timestamp(), elapsed))

    async def find_shared(self, key: str) -> datetime | None:
        """Return when a write was first sent whose answer was lost; None if none is recorded."""
        query = "SELECT began FROM writes WHERE key = ? AND made IS NULL AND lease = 0"
        row = await self._file.run(lambda database: database.execute(query, (key,)).fetchone())
        return _time(row[0]) if row else None

    async def lose_shared(self, key: str) -> None:
        """Record in the file that the answer was lost."""
        await self._file.run(lambda database: database.execute("UPDATE writes SET lease = 0 WHERE key = ?", (key,)))

    async def release_shared(self, key: str, *, made: bool) -> None:
        """Record in the file that a write was made, or forget it."""
        if made:
            query, time = "UPDATE writes SET lease = 0, made = ? WHERE key = ?", self._clock.time()
            await self._file.run(lambda database: database.execute(query, (time, key)))
        else:
            await self._file.run(lambda database: database.execute("DELETE FROM writes WHERE key = ?", (key,)))

    def _claim_in(self, database: "sqlite3.Connection", key: str, now: float, elapsed: float) -> Claim:
        time = self._clock.time()
        with _transaction(database):
            self._forget(database, time)
            query = "SELECT began, recorded, holder, lease, made FROM writes WHERE key = ?"
            found = database.execute(query, (key,)).fetchone()
            row = _Row(*found) if found else None
            if row and row.made is None and row.lease > time and _is_running(row.holder):
                return Claim(_time(row.began), busy=True)
            if row and row.made is not None and row.made <= time - elapsed:  # the caller means another one
                row = None
            began, recorded = (row.began, row.recorded) if row else (now, time)
            values = (key, began, recorded, self._holder, time + LEASE)
            database.execute("INSERT OR REPLACE INTO writes VALUES (?, ?, ?, ?, ?, NULL)", values)
            return Claim(_time(began) if row else None)

    def _forget(self, database: "sqlite3.Connection", time: float) -> None:
        """Delete what is too old, and before a row is added the oldest of too many, those that were made first."""
        database.execute("DELETE FROM writes WHERE recorded < ?", (time - KEPT.total_seconds(),))
        database.execute("DELETE FROM writes WHERE made < ?", (time - MADE_SECONDS,))
        count = database.execute("SELECT count(*) FROM writes").fetchone()[0]
        database.execute(OLDEST, (count + 1 - MOST,))


def _prepare(database: "sqlite3.Connection") -> None:
    """Make the table; rows of another version are dropped."""
    with _transaction(database):
        if database.execute("PRAGMA user_version").fetchone()[0] != SCHEMA:
            database.execute("DROP TABLE IF EXISTS writes")
            database.execute(f"CREATE TABLE writes ({COLUMNS})")
            database.execute(f"PRAGMA user_version = {SCHEMA}")


@contextmanager
def _transaction(database: "sqlite3.Connection") -> Iterator[None]:
    """Keep other processes from writing meanwhile."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if database.in_transaction:  # a full disk may have ended it
            database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def _is_running(holder: str) -> bool:
    """Return whether a process may be running; one of another machine, or of a container, cannot be seen."""
    host, _, number = holder.rpartition(" ")
    if sys.platform == "win32" or host != gethostname():  # on Windows, os.kill ends what it is to ask
        return True
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
