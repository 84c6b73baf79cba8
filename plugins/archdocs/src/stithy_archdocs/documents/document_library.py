"""The library: the current snapshot of all documents, and which of them changed."""

import os
import threading
import time
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from pathlib import Path
from queue import Empty, SimpleQueue

import anyio.to_thread
from attrs import evolve, frozen

from stithy_archdocs.adr.link_resolver import LinkResolver
from stithy_archdocs.archdocs_settings import MEGABYTE, ArchdocsSettings
from stithy_archdocs.document_models import Document, DocumentKind, DocumentProblem, DocumentSnapshot
from stithy_archdocs.documents.document_files import DocumentFile, WalkResult, find_document_files, update_walk
from stithy_archdocs.documents.document_locations import list_locations
from stithy_archdocs.documents.document_names import make_uri
from stithy_archdocs.documents.document_parser import parse_document
from stithy_archdocs.documents.text_decoding import NotText, read_regular_file
from stithy_core.spi import Scope


@frozen
class LoadedDocument:
    """The document of a file; None if it cannot be read."""

    found: DocumentFile
    document: Document | None
    problem: DocumentProblem | None = None


def load_document(
    root: Path, found: DocumentFile, before: LoadedDocument | None, *, largest: int, default: bool
) -> LoadedDocument:
    """Read and parse a file; if that fails, keep the last good version.

    Args:
        root: The project.
        found: The file.
        before: The previous result for the file.
        largest: Maximum size in bytes.
        default: Whether a decision without a status counts as accepted.
    """
    try:
        data = read_regular_file(root / found.path, largest)
        side = read_regular_file(root / found.side, MEGABYTE) if found.side else b""
        return LoadedDocument(found, parse_document(found, data, side=side, default=default))
    except FileNotFoundError:
        return LoadedDocument(evolve(found, stamp=b""), None)
    except (OSError, NotText) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        kept = before.document if before else None
        text = f"cannot read the file: {said}" + ("; its last good version is used" if kept else "")
        return LoadedDocument(
            found, kept, DocumentProblem(rule="unreadable", path=found.path, message=text, severity="error")
        )


PATIENCE = 1.0
"""Seconds for which a walk stays valid if the folders are not watched."""
QUICK = 1.0
"""Seconds that a caller waits for unread documents; a first answer uses what is read by then."""
WAIT = 1.2
"""Seconds that a caller waits for a slow walk, which continues in a thread of its own."""
ROUND = 2.0
"""Seconds of reading after which a new snapshot is published."""
FIRST_ROUND = 0.5
"""The same for the first snapshot, for which callers wait."""


class Library:
    """All documents of the project; one instance for each server, `scope.shared(Library)`.

    Only changed files are read again. While one caller refreshes, others get the previous snapshot. If there is too
    much to
    read at once, the snapshot holds what was read so far, and `unread` counts the rest.
    """

    def __init__(self, scope: Scope) -> None:
        self.settings = scope.settings(ArchdocsSettings)
        self.root = Path(os.path.abspath(self.settings.root))  # noqa: PTH100 -- links are kept as they are written
        self._lock = threading.Lock()
        self._snapshot: DocumentSnapshot | None = None
        self._seen = WalkResult()
        self._read: dict[str, LoadedDocument] = {}
        self._links = LinkResolver()
        self._default = False
        self._looked = -PATIENCE
        self._stale = threading.Event()
        self._told: SimpleQueue[frozenset[str]] = SimpleQueue()
        self._watched = False
        self._pending: Future[DocumentSnapshot] | None = None
        self._pending_lock = threading.Lock()

    @property
    def last_snapshot(self) -> DocumentSnapshot | None:
        """The last snapshot; None before the first read."""
        return self._snapshot

    async def get_snapshot(self, seconds: float | None = None) -> DocumentSnapshot:
        """Return the current snapshot, within the limits of `within`."""
        if self._snapshot is not None and self._is_fresh():
            return self._snapshot
        return await anyio.to_thread.run_sync(self.get_snapshot_within, seconds)

    def get_snapshot_within(self, seconds: float | None = None) -> DocumentSnapshot:
        """Return the current snapshot to a thread that must answer in time.

        Waits for a walk over very many folders, or on a busy machine, at most `WAIT` seconds, or `seconds` if that is
        longer.
        Then the result is the previous snapshot, or one of version 0 without documents. The walk continues.
        """
        snapshot = self._snapshot
        if snapshot is not None and self._is_fresh():
            return snapshot
        with self._pending_lock:  # one refresh for all waiting callers
            pending = self._pending
            if pending is None or pending.done():
                pending = self._pending = Future()
                threading.Thread(
                    target=_resolve_future, args=(pending, self.get_snapshot_blocking, seconds), daemon=True
                ).start()
        try:
            return pending.result(max(WAIT, seconds or 0))
        except FutureTimeoutError:
            return self._snapshot or DocumentSnapshot(version=0, documents={}, unread=max(len(self._seen.found), 1))

    def get_snapshot_blocking(self, seconds: float | None = None) -> DocumentSnapshot:
        """Return the current snapshot; blocks the calling thread.

        Args:
            seconds: Seconds for reading unread documents, by default `QUICK`; `Snapshot.unread` counts the rest.
        """
        ends = time.monotonic() + (QUICK if seconds is None else seconds)
        while True:
            snapshot = self._snapshot
            if snapshot is not None and (self._is_fresh() or not self._lock.acquire(blocking=snapshot.unread > 0)):
                return snapshot
            if snapshot is None:
                self._lock.acquire()
            try:
                snapshot = self._snapshot if self._snapshot is not None and self._is_fresh() else self._refresh(ends)
            finally:
                self._lock.release()
            if not snapshot.unread or time.monotonic() >= ends:
                return snapshot

    def refresh(self) -> DocumentSnapshot:
        """Walk over all folders, read everything that changed, and return the snapshot."""
        self.mark_changed()
        return self.get_snapshot_blocking(float("inf"))

    def set_watched(self, *, on: bool) -> None:
        """Record whether a watcher reports changes, so that walks are unnecessary."""
        self._watched = on
        self.mark_changed()

    def mark_changed(self, paths: Collection[str] = ()) -> None:
        """Record that files may have changed.

        Args:
            paths: Absolute paths of the files; empty if anything may have changed.
        """
        self._told.put(frozenset(paths))
        self._stale.set()

    def _is_fresh(self) -> bool:
        if self._stale.is_set():
            return False
        return self._watched or time.monotonic() - self._looked < PATIENCE

    def _refresh(self, ends: float) -> DocumentSnapshot:
        self._stale.clear()
        try:
            self._seen = self._walk()
            seconds = min(ROUND, FIRST_ROUND) if self._snapshot is None else ROUND
            self._snapshot = self._update(self._seen, min(ends, time.monotonic() + seconds))
        except BaseException:
            self.mark_changed()
            raise
        if self._snapshot.unread:
            self._stale.set()
        self._looked = time.monotonic()
        return self._snapshot

    def _walk(self) -> WalkResult:
        """Update the files that the watcher named if nothing else can have changed; else walk over the folders."""
        told = list(_drain(self._told))
        largest = self.settings.most_file_mb * MEGABYTE
        if self._snapshot is not None and self._snapshot.unread and not told:
            return self._seen
        if self._watched and told and all(told):
            again = update_walk(self.root, self._seen, frozenset().union(*told), largest=largest)
            if again is not None:
                return again
        seen = WalkResult()
        if self._snapshot is None:
            self._seen = seen  # a caller that cannot wait for the first walk is told how many it has found
        places = list_locations(self.settings, self.root)
        return find_document_files(self.root, places, seen, most=self.settings.most_documents, largest=largest)

    def _update(self, seen: WalkResult, ends: float) -> DocumentSnapshot:
        """Read changed files until the deadline, and return the new snapshot."""
        default = any((self.root / name).is_file() for name in (".log4brains.yml", ".log4brains.yaml"))
        again, self._default = default != self._default, default
        before, old = self._read, self._snapshot
        read = {path: before[path] for path in seen.found if path in before}
        wanted = [
            found for path, found in seen.found.items() if again or path not in read or _is_changed(read[path], found)
        ]
        fresh = self._load(sorted(wanted, key=_get_priority), before, read, ends)
        self._read, unread = read, len(wanted) - len(fresh)
        left_out = (*seen.left_out, *(one.problem for one in read.values() if one.problem))
        same = old is not None and (left_out, unread) == (old.left_out, old.unread)
        if old is not None and same and not fresh and read.keys() == before.keys():
            return old
        raw = {path: one.document for path in seen.found if (one := read.get(path)) and one.document}
        shown = old.documents if old else {}
        documents = dict(sorted(self._links.resolve_all(_set_uris(raw, seen), shown, fresh).items()))
        changed = _find_changed(shown, documents)
        if old is not None and same and not changed:
            return old
        version = old.version + 1 if old else 1
        return DocumentSnapshot(version=version, documents=documents, changed=changed, left_out=left_out, unread=unread)

    def _load(
        self,
        wanted: list[DocumentFile],
        before: Mapping[str, LoadedDocument],
        read: dict[str, LoadedDocument],
        ends: float,
    ) -> frozenset[str]:
        """Read files, and return the paths of those for which there was time."""
        fresh: list[str] = []
        largest = self.settings.most_file_mb * MEGABYTE
        for found in wanted:
            if fresh and time.monotonic() > ends:
                break
            read[found.path] = load_document(
                self.root, found, before.get(found.path), largest=largest, default=self._default
            )
            fresh.append(found.path)
        return frozenset(fresh)


def _resolve_future(
    pending: Future[DocumentSnapshot], look: Callable[[float | None], DocumentSnapshot], seconds: float | None
) -> None:
    """Run a refresh, and set its result for the waiting callers."""
    try:
        pending.set_result(look(seconds))
    except BaseException as error:  # noqa: BLE001 -- raised again in the waiting callers
        pending.set_exception(error)


def _drain(told: "SimpleQueue[frozenset[str]]") -> list[frozenset[str]]:
    found = []
    while True:
        try:
            found.append(told.get_nowait())
        except Empty:
            return found


def _is_changed(read: LoadedDocument, found: DocumentFile) -> bool:
    return read.found is not found and read.found != found


def _get_priority(found: DocumentFile) -> bool:
    """Return the sort key that puts guidelines and patterns before records, which are many."""
    return found.kind is DocumentKind.ADR


def _set_uris(documents: dict[str, Document], seen: WalkResult) -> dict[str, Document]:
    """Set the URIs that the walk chose for documents whose own URI was taken."""
    for path, below in seen.renamed.items():
        if path in documents:
            documents[path] = evolve(documents[path], uri=make_uri(documents[path].kind, below))
    return documents


def _find_changed(before: Mapping[str, Document], now: Mapping[str, Document]) -> frozenset[str]:
    gone = before.keys() - now.keys()
    other = [path for path, document in now.items() if before.get(path) is not document]
    return frozenset(gone | {path for path in other if before.get(path) != now[path]})
