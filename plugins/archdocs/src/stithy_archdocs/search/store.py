"""The index of sections: SQLite's FTS5, kept in the user's cache directory, so that a start need not make it anew.

A row of `sections` has the number of its document above its own: `rowid >> 16`, which counts documents without
reading any text. Row 0 of a document is what it is called; if each section had that, too, the shortest would win.
"""

import sqlite3
import time
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from hashlib import blake2b
from itertools import chain, islice
from pathlib import Path

from stithy_archdocs.records import Document, Section, Shelf

VERSION = 1
"""Of what is stored: an index of another version is made anew."""
BITS = 16
MOST_SECTIONS = (1 << BITS) - 1
BUSY_SECONDS = 5.0
FEW = 200
"""Paths that are asked for one by one."""

MAKE = f"""
CREATE TABLE documents (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, digest BLOB NOT NULL,
  kind TEXT NOT NULL, status TEXT NOT NULL, date TEXT NOT NULL
);
CREATE TABLE tags (document INTEGER NOT NULL, tag TEXT NOT NULL);
CREATE INDEX tags_by_document ON tags (document);
CREATE VIRTUAL TABLE sections USING fts5 (
  about, headings, body,
  tokenize = "porter unicode61 remove_diacritics 2 tokenchars '+#'"
);
INSERT INTO sections (sections, rank) VALUES ('rank', 'bm25(3.0, 2.0, 1.0)');
PRAGMA user_version = {VERSION};
"""  # noqa: S608 -- put together from a constant


def opened(path: Path | None) -> sqlite3.Connection:
    """Open an index, and make it where there is none, or none that can be read; without a path it is in memory."""
    if path is not None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            return _prepared(path)
        except sqlite3.DatabaseError:
            for part in ("", "-wal", "-shm"):
                Path(f"{path}{part}").unlink(missing_ok=True)
        except OSError:  # no place that can be written to
            return _prepared(":memory:")
        try:
            return _prepared(path)
        except sqlite3.DatabaseError:
            pass
    return _prepared(":memory:")


def _prepared(path: Path | str) -> sqlite3.Connection:
    store = sqlite3.connect(path, timeout=BUSY_SECONDS, check_same_thread=False, isolation_level=None)
    try:
        store.execute("PRAGMA journal_mode = WAL")
        store.execute("PRAGMA synchronous = NORMAL")
        with transaction(store):
            if store.execute("PRAGMA user_version").fetchone()[0] != VERSION:
                for (name,) in store.execute(
                    "SELECT name FROM sqlite_schema WHERE name IN ('documents', 'tags', 'sections')"
                ).fetchall():
                    store.execute(f"DROP TABLE {name}")
                for statement in MAKE.split(";\n"):
                    store.execute(statement)
    except BaseException:
        store.close()
        raise
    return store


class transaction:  # noqa: N801 -- a context manager is called like a function
    """Do all of it or nothing, and let no other process write meanwhile."""

    def __init__(self, store: sqlite3.Connection) -> None:
        self._store = store

    def __enter__(self) -> None:
        self._store.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, *_: object) -> None:
        self._store.execute("COMMIT" if kind is None else "ROLLBACK")


def update(store: sqlite3.Connection, shelf: Shelf, among: Collection[str] | None, ends: float) -> frozenset[str]:
    """Bring an index to what a shelf holds: only what differs is written.

    While documents of a shelf are unread, what it lacks is not taken for gone.

    Args:
        store: The index.
        shelf: What there is.
        among: The paths that may differ; None when all may.
        ends: When to stop, as `time.monotonic` has it.

    Returns:
        The paths of documents for which there was no time.
    """
    kept = _kept(store, among)
    gone = [path for path in kept if path not in shelf.documents] if not shelf.unread else []
    waiting = deque(path for path in (shelf.documents if among is None else among) if path in shelf.documents)
    changes = _changes(shelf, kept, waiting, ends)
    first = list(islice(changes, 1))
    if gone or first:
        with transaction(store):  # one for all: each commit writes a segment, which FTS5 merges with others
            for path in gone:
                _remove(store, path)
            for path, digest in chain(first, changes):
                _remove(store, path)
                _add(store, shelf.documents[path], digest)
    return frozenset(waiting)


def _changes(shelf: Shelf, kept: Mapping[str, bytes], waiting: deque[str], ends: float) -> Iterator[tuple[str, bytes]]:
    """Iterate over the documents that differ, each with its digest, until the time is up.

    What was compared is taken out of `waiting`, one document after the other.
    """
    while waiting and time.monotonic() < ends:
        path = waiting.popleft()
        digest = digest_of(shelf.documents[path])
        if kept.get(path) != digest:
            yield path, digest


def _kept(store: sqlite3.Connection, among: Collection[str] | None) -> dict[str, bytes]:
    """Give the digests of what is in the index: of all, or of few paths."""
    if among is None or len(among) > FEW:
        return dict(store.execute("SELECT path, digest FROM documents"))
    rows = (store.execute("SELECT path, digest FROM documents WHERE path = ?", (path,)) for path in among)
    return {path: digest for found in rows for path, digest in found}


def below_title(document: Document, section: Section) -> tuple[str, ...]:
    """Give the headings of a section without the document's own title."""
    headings = section.headings
    return headings[1:] if headings and document.title in headings[0] else headings


def digest_of(document: Document) -> bytes:
    """Give what tells one version of a document, as it is indexed, from another."""
    decision = document.decision
    facts = (document.uri, document.title, document.names, document.tags)
    stands = (decision.status.state.value, decision.date) if decision else ()
    return blake2b(f"{facts}{stands}\0{document.text}".encode(errors="replace"), digest_size=16).digest()


def _remove(store: sqlite3.Connection, path: str) -> None:
    with closing(store.execute("SELECT id FROM documents WHERE path = ?", (path,))) as found:
        row = found.fetchone()
    if row is None:  # it is new, or another process was faster
        return
    number = row[0]
    store.execute(
        "DELETE FROM sections WHERE rowid BETWEEN ? AND ?", (number << BITS, (number << BITS) + MOST_SECTIONS)
    )
    store.execute("DELETE FROM tags WHERE document = ?", (number,))
    store.execute("DELETE FROM documents WHERE id = ?", (number,))


def _add(store: sqlite3.Connection, document: Document, digest: bytes) -> None:
    decision = document.decision
    status = decision.status.state.value if decision else ""
    date = decision.date.isoformat() if decision and decision.date else ""
    written = store.execute(
        "INSERT INTO documents (path, digest, kind, status, date) VALUES (?, ?, ?, ?, ?)",
        (document.path, digest, document.kind.value, status, date),
    )
    number = written.lastrowid or 0
    store.executemany("INSERT INTO tags VALUES (?, ?)", [(number, tag.lower()) for tag in document.tags])
    store.executemany(
        "INSERT INTO sections (rowid, about, headings, body) VALUES (?, ?, ?, ?)", _rows(number, document)
    )


def _rows(number: int, document: Document) -> Iterable[tuple[object, ...]]:
    yield number << BITS, " ".join((document.title, *document.names, *document.tags)), "", ""
    for place, section in enumerate(document.sections[: MOST_SECTIONS - 1], 1):
        yield (number << BITS) + place, "", " ".join(below_title(document, section)), section.text
