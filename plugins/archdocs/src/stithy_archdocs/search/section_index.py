"""The index of sections: SQLite's FTS5 in the user's cache directory, so that a start need not rebuild it.

A row is a group of sections (`section_groups`). Its rowid has the number of its document in its upper bits:
`rowid >> 16` counts documents without reading any text. Row 0 of a document holds its names; if each row had them as
well, BM25 would prefer the shortest one.
"""

import sqlite3
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing
from hashlib import blake2b
from itertools import chain, islice
from pathlib import Path

from stithy_archdocs.document_models import Document, DocumentSnapshot
from stithy_archdocs.search.section_groups import get_headings_below_title, group_sections, join_texts
from stithy_archdocs.search.vector_index import MAKE_VECTORS

VERSION = 4
"""Version of the schema: an index of another version is rebuilt."""
BITS = 16
MOST_SECTIONS = (1 << BITS) - 1
BUSY_SECONDS = 5.0
FEW = 200
"""Maximum number of paths that are queried one by one."""

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
{MAKE_VECTORS};
PRAGMA user_version = {VERSION};
"""  # noqa: S608 -- built from a constant


_SELECT = "SELECT path, digest FROM documents"


def open_store(path: Path | None) -> sqlite3.Connection:
    """Open an index, and create it if it is missing or corrupt; without a path, or if that fails, it is in memory."""
    if path is not None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            return _prepare_store(path)
        except sqlite3.DatabaseError:
            for part in ("", "-wal", "-shm"):
                Path(f"{path}{part}").unlink(missing_ok=True)
        except OSError:  # the cache directory is not writable
            return _prepare_store(":memory:")
        try:
            return _prepare_store(path)
        except sqlite3.DatabaseError:
            pass
    return _prepare_store(":memory:")


def _prepare_store(path: Path | str) -> sqlite3.Connection:
    store = sqlite3.connect(path, timeout=BUSY_SECONDS, check_same_thread=False, isolation_level=None)
    try:
        store.execute("PRAGMA journal_mode = WAL")
        store.execute("PRAGMA synchronous = NORMAL")
        with transaction(store):
            if store.execute("PRAGMA user_version").fetchone()[0] != VERSION:
                for (name,) in store.execute(
                    "SELECT name FROM sqlite_schema WHERE name IN ('documents', 'tags', 'sections', 'vectors')"
                ).fetchall():
                    store.execute(f"DROP TABLE {name}")
                for statement in MAKE.split(";\n"):
                    store.execute(statement)
    except BaseException:
        store.close()
        raise
    return store


class transaction:  # noqa: N801 -- used like a function
    """Commit all statements or none, and lock out other writing processes."""

    def __init__(self, store: sqlite3.Connection) -> None:
        self._store = store

    def __enter__(self) -> None:
        self._store.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, *_: object) -> None:
        self._store.execute("COMMIT" if kind is None else "ROLLBACK")


IndexReport = Callable[[float, float, str], None]
"""Receives how many documents of how many were compared, and what happens."""


def update_index(
    store: sqlite3.Connection,
    snapshot: DocumentSnapshot,
    among: Collection[str] | None,
    ends: float,
    *,
    report: IndexReport | None = None,
) -> frozenset[str]:
    """Update an index to a snapshot; only differences are written.

    While a snapshot has unread documents, missing ones are not treated as deleted.

    Args:
        store: The index.
        snapshot: The snapshot.
        among: Paths that may differ; None if all may.
        ends: Deadline, in seconds of `time.monotonic`.
        report: Receives the progress; its exception ends the update, and nothing is written.

    Returns:
        Paths of the documents for which there was no time.
    """
    kept = _fetch_digests(store, among)
    gone = [path for path in kept if path not in snapshot.documents] if not snapshot.unread else []
    waiting = deque(path for path in (snapshot.documents if among is None else among) if path in snapshot.documents)
    total = len(waiting)
    changes = _iterate_changes(snapshot, kept, waiting, ends)
    first = list(islice(changes, 1))
    if gone or first:
        with transaction(store):  # one transaction: each commit writes a segment that FTS5 has to merge
            for path in gone:
                _remove_document(store, path)
            for path, digest in chain(first, changes):
                _remove_document(store, path)
                _add_document(store, snapshot.documents[path], digest)
                if report is not None:
                    report(total - len(waiting), total, "indexing the architecture documents")
    return frozenset(waiting)


def _iterate_changes(
    snapshot: DocumentSnapshot, kept: Mapping[str, bytes], waiting: deque[str], ends: float
) -> Iterator[tuple[str, bytes]]:
    """Iterate over the documents that differ, each with its digest, until the deadline.

    Compared documents are removed from `waiting` one by one.
    """
    while waiting and time.monotonic() < ends:
        path = waiting.popleft()
        digest = compute_digest(snapshot.documents[path])
        if kept.get(path) != digest:
            yield path, digest


def _fetch_digests(store: sqlite3.Connection, among: Collection[str] | None) -> dict[str, bytes]:
    """Return the stored digests: of all documents, or of the given few."""
    if among is None or len(among) > FEW:
        return dict(store.execute(_SELECT))
    rows = (store.execute(f"{_SELECT} WHERE path = ?", (path,)) for path in among)
    return {path: digest for found in rows for path, digest in found}


def compute_digest(document: Document) -> bytes:
    """Return a digest of everything that is indexed of a document."""
    decision = document.decision
    facts = (document.uri, document.title, document.names, document.tags)
    stands = (decision.status.state.value, decision.date) if decision else ()
    digest = blake2b(f"{facts}{stands}\0".encode(errors="replace"), digest_size=16)
    digest.update(document.content.packed)
    return digest.digest()


def _remove_document(store: sqlite3.Connection, path: str) -> None:
    with closing(store.execute("SELECT id FROM documents WHERE path = ?", (path,))) as found:
        row = found.fetchone()
    if row is None:  # new, or removed by another process
        return
    number = row[0]
    store.execute(
        "DELETE FROM sections WHERE rowid BETWEEN ? AND ?", (number << BITS, (number << BITS) + MOST_SECTIONS)
    )
    store.execute("DELETE FROM tags WHERE document = ?", (number,))
    store.execute("DELETE FROM vectors WHERE document = ?", (number,))
    store.execute("DELETE FROM documents WHERE id = ?", (number,))


def _add_document(store: sqlite3.Connection, document: Document, digest: bytes) -> None:
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
        "INSERT INTO sections (rowid, about, headings, body) VALUES (?, ?, ?, ?)", _iterate_rows(number, document)
    )


def _iterate_rows(number: int, document: Document) -> Iterable[tuple[object, ...]]:
    yield number << BITS, " ".join((document.title, *document.names, *document.tags)), "", ""
    for place, group in enumerate(group_sections(document)[: MOST_SECTIONS - 1], 1):
        headings = dict.fromkeys(one for section in group for one in get_headings_below_title(document, section))
        yield (number << BITS) + place, "", " ".join(headings), join_texts(group)
