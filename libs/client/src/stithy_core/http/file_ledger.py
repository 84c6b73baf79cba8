"""The ledger in a file: the writes of all processes of a user on one machine, such as a server and `stithy call`."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from socket import gethostname
from typing import TYPE_CHECKING, NamedTuple

from stithy_core.http.request_context import SYSTEM, Clock
from stithy_core.spi.idempotent_writer import KEPT, MADE_SECONDS, Claim, DurableLedger

if TYPE_CHECKING:  # a process that only reads never opens the file
    import sqlite3

    from stithy_core.http.sqlite_store import SqliteFile

NAME = "writes.db"
SCHEMA = 1
MOST = 10_000
"""Rows, of about a hundred bytes each."""
LEASE = 90.0
"""Seconds, longer than any request takes, after which a write under way counts as lost.

A process of this machine that died is noticed earlier.
"""
LOCK_TIMEOUT = 5.0
"""Seconds to wait for another process that writes."""
COLUMNS = "key TEXT PRIMARY KEY, began REAL NOT NULL, recorded REAL NOT NULL, holder TEXT, lease REAL, made REAL"
# Writes that were made go before those that are under way or lost.
DELETE_OLDEST = (
    "DELETE FROM writes WHERE key IN (SELECT key FROM writes ORDER BY made IS NULL, recorded LIMIT max(0, ?))"
)


class _Row(NamedTuple):
    """A row of the table, all times in seconds since 1970.

    Args:
        began: When the write was first sent, by the forge's clock.
        recorded: When it was recorded.
        holder: The host and the process that send it, as "host pid".
        lease: When it counts as lost; 0 if it is not under way.
        made: When it was made; None until then.
    """

    began: float
    recorded: float
    holder: str
    lease: float
    made: float | None


class FileLedger(DurableLedger):
    """Records writes in a file of SQLite, by hashes alone.

    Args:
        folder: Returns the folder of the file; called when the first write is made.
        clock: The clock.
    """

    def __init__(self, folder: Callable[[], Path], clock: Clock = SYSTEM) -> None:
        super().__init__()
        self._folder = folder
        self._clock = clock
        self._holder = f"{gethostname()} {os.getpid()}"

    @cached_property
    def _file(self) -> "SqliteFile":
        from stithy_core.http.sqlite_store import SqliteFile

        return SqliteFile(lambda: self._folder() / NAME, _prepare, what="record of writes", lock_timeout=LOCK_TIMEOUT)

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
        return _parse_time(row[0]) if row else None

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
            self._delete_old(database, time)
            query = "SELECT began, recorded, holder, lease, made FROM writes WHERE key = ?"
            columns = database.execute(query, (key,)).fetchone()
            row = _Row(*columns) if columns else None
            if row and row.made is None and row.lease > time and _is_running(row.holder):
                return Claim(_parse_time(row.began), busy=True)
            if row and row.made is not None and row.made <= time - elapsed:  # made before the call began: a new write
                row = None
            began, recorded = (row.began, row.recorded) if row else (now, time)
            values = (key, began, recorded, self._holder, time + LEASE)
            database.execute("INSERT OR REPLACE INTO writes VALUES (?, ?, ?, ?, ?, NULL)", values)
            return Claim(_parse_time(began) if row else None)

    def _delete_old(self, database: "sqlite3.Connection", time: float) -> None:
        """Delete rows that are too old, and if there are too many for another one, the oldest."""
        database.execute("DELETE FROM writes WHERE recorded < ?", (time - KEPT.total_seconds(),))
        database.execute("DELETE FROM writes WHERE made < ?", (time - MADE_SECONDS,))
        count = database.execute("SELECT count(*) FROM writes").fetchone()[0]
        database.execute(DELETE_OLDEST, (count + 1 - MOST,))


def _prepare(database: "sqlite3.Connection") -> None:
    """Create the table; rows of another version are dropped."""
    with _transaction(database):
        if database.execute("PRAGMA user_version").fetchone()[0] != SCHEMA:
            database.execute("DROP TABLE IF EXISTS writes")
            database.execute(f"CREATE TABLE writes ({COLUMNS})")
            database.execute(f"PRAGMA user_version = {SCHEMA}")


@contextmanager
def _transaction(database: "sqlite3.Connection") -> Iterator[None]:
    """Run statements in a transaction, in which no other process writes."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if database.in_transaction:  # a full disk may have ended it
            database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def _is_running(holder: str) -> bool:
    """Return whether a process may be running; one of another machine or container cannot be seen."""
    host, _, number = holder.rpartition(" ")
    if sys.platform == "win32" or host != gethostname():  # on Windows, os.kill would end the process
        return True
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _parse_time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
