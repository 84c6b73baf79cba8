"""The library: what is on the shelf now, and what of it is new."""

import os
import threading
import time
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from pathlib import Path
from queue import Empty, SimpleQueue

import anyio.to_thread
from attrs import evolve

from stithy_archdocs.adr.resolving import Links
from stithy_archdocs.documents.finding import Found, Walk, looked_again, walk
from stithy_archdocs.documents.loading import Loaded, load
from stithy_archdocs.documents.naming import uri_of
from stithy_archdocs.documents.places import places
from stithy_archdocs.records import Document, Kind, Shelf
from stithy_archdocs.settings import MEGABYTE, ArchdocsSettings
from stithy_core.spi import Scope

PATIENCE = 1.0
"""How many seconds a walk holds good where nobody watches the folders."""
QUICK = 3.0
"""How many seconds a caller waits for documents that are not read yet; a first answer has what was read by then."""
WAIT = 4.0
"""How many seconds a caller waits for a look at the folders that takes long: it goes on in a thread of its own."""
ROUND = 2.0
"""How many seconds of reading go by before what was read is on the shelf."""


class Library:
    """All documents of the project: one for each server, `scope.shared(Library)`.

    Only files that changed are read again. While one caller looks, the others have the version before. Where there is
    too much to be read at once, the shelf has what was read so far, and says how much is missing.
    """

    def __init__(self, scope: Scope) -> None:
        self.settings = scope.settings(ArchdocsSettings)
        self.root = Path(os.path.abspath(self.settings.root))  # noqa: PTH100 -- links are kept as they are written
        self._lock = threading.Lock()
        self._shelf: Shelf | None = None
        self._seen = Walk()
        self._read: dict[str, Loaded] = {}
        self._links = Links()
        self._default = False
        self._looked = -PATIENCE
        self._stale = threading.Event()
        self._told: SimpleQueue[frozenset[str]] = SimpleQueue()
        self._watched = False
        self._pending: Future[Shelf] | None = None
        self._pending_lock = threading.Lock()

    @property
    def known(self) -> Shelf | None:
        """What was last seen; None where nobody has looked yet."""
        return self._shelf

    async def shelf(self, seconds: float | None = None) -> Shelf:
        """Return what is on the shelf now, as `within` does."""
        if self._shelf is not None and self._fresh():
            return self._shelf
        return await anyio.to_thread.run_sync(self.within, seconds)

    def within(self, seconds: float | None = None) -> Shelf:
        """Return what is on the shelf now, to a thread that must answer in time.

        A look at very many folders, or on a busy machine, is not waited for longer than `WAIT`, nor than `seconds`
        where those are more: then this is what was known before, or a shelf of version 0 without documents. The look
        goes on.
        """
        shelf = self._shelf
        if shelf is not None and self._fresh():
            return shelf
        with self._pending_lock:
            pending = self._pending
            if pending is None or pending.done():
                pending = self._pending = Future()
                threading.Thread(target=_settle, args=(pending, self.now, seconds), daemon=True).start()
        try:
            return pending.result(max(WAIT, seconds or 0))
        except FutureTimeoutError:
            return self._shelf or Shelf(version=0, documents={}, unread=max(len(self._seen.found), 1))

    def now(self, seconds: float | None = None) -> Shelf:
        """Give what is on the shelf now, to a thread.

        Args:
            seconds: How long it may take to read what is not read yet, `QUICK` where nothing is said; what is missing
                then is `Shelf.unread`.
        """
        ends = time.monotonic() + (QUICK if seconds is None else seconds)
        while True:
            shelf = self._shelf
            if shelf is not None and (self._fresh() or not self._lock.acquire(blocking=shelf.unread > 0)):
                return shelf
            if shelf is None:
                self._lock.acquire()
            try:
                shelf = self._shelf if self._shelf is not None and self._fresh() else self._look(ends)
            finally:
                self._lock.release()
            if not shelf.unread or time.monotonic() >= ends:
                return shelf

    def look(self) -> Shelf:
        """Look at the folders again, whatever is known of them, and read all that there is."""
        self.touched()
        return self.now(float("inf"))

    def watched(self, *, on: bool) -> None:
        """Note whether somebody tells of changes, so that there is no need to look."""
        self._watched = on
        self.touched()

    def touched(self, paths: Collection[str] = ()) -> None:
        """Note that something may have changed.

        Args:
            paths: Whole paths of the files; without them it may be anything.
        """
        self._told.put(frozenset(paths))
        self._stale.set()

    def _fresh(self) -> bool:
        if self._stale.is_set():
            return False
        return self._watched or time.monotonic() - self._looked < PATIENCE

    def _look(self, ends: float) -> Shelf:
        self._stale.clear()
        try:
            self._seen = self._walked()
            self._shelf = self._updated(self._seen, min(ends, time.monotonic() + ROUND))
        except BaseException:
            self.touched()
            raise
        if self._shelf.unread:
            self._stale.set()
        self._looked = time.monotonic()
        return self._shelf

    def _walked(self) -> Walk:
        """Look at the files that somebody told of, where those are all that can have changed; else at the folders."""
        told = list(_drained(self._told))
        largest = self.settings.most_file_mb * MEGABYTE
        if self._shelf is not None and self._shelf.unread and not told:
            return self._seen
        if self._watched and told and all(told):
            again = looked_again(self.root, self._seen, frozenset().union(*told), largest=largest)
            if again is not None:
                return again
        return walk(self.root, places(self.settings, self.root), most=self.settings.most_documents, largest=largest)

    def _updated(self, seen: Walk, ends: float) -> Shelf:
        """Read what is new until the time is up, and put it on the shelf."""
        default = any((self.root / name).is_file() for name in (".log4brains.yml", ".log4brains.yaml"))
        again, self._default = default != self._default, default
        before, old = self._read, self._shelf
        read = {path: before[path] for path in seen.found if path in before}
        wanted = [found for path, found in seen.found.items() if again or path not in read or _other(read[path], found)]
        fresh = self._load(sorted(wanted, key=_urgency), before, read, ends)
        self._read, unread = read, len(wanted) - len(fresh)
        left_out = (*seen.left_out, *(one.problem for one in read.values() if one.problem))
        same = old is not None and (left_out, unread) == (old.left_out, old.unread)
        if old is not None and same and not fresh and read.keys() == before.keys():
            return old
        raw = {path: one.document for path in seen.found if (one := read.get(path)) and one.document}
        shown = old.documents if old else {}
        documents = self._links.pointed(_with_uris(raw, seen), shown, fresh)
        changed = _changed(shown, documents)
        if old is not None and same and not changed:
            return old
        version = old.version + 1 if old else 1
        return Shelf(version=version, documents=documents, changed=changed, left_out=left_out, unread=unread)

    def _load(
        self, wanted: list[Found], before: Mapping[str, Loaded], read: dict[str, Loaded], ends: float
    ) -> frozenset[str]:
        """Read files, and give the paths of those for which there was time."""
        fresh: list[str] = []
        largest = self.settings.most_file_mb * MEGABYTE
        for found in wanted:
            if fresh and time.monotonic() > ends:
                break
            read[found.path] = load(self.root, found, before.get(found.path), largest=largest, default=self._default)
            fresh.append(found.path)
        return frozenset(fresh)


def _settle(pending: Future[Shelf], look: Callable[[float | None], Shelf], seconds: float | None) -> None:
    """Run a look at the documents, and set its outcome for those that wait for it."""
    try:
        pending.set_result(look(seconds))
    except BaseException as error:  # noqa: BLE001 -- it is raised where it is waited for
        pending.set_exception(error)


def _drained(told: "SimpleQueue[frozenset[str]]") -> list[frozenset[str]]:
    found = []
    while True:
        try:
            found.append(told.get_nowait())
        except Empty:
            return found


def _other(read: Loaded, found: Found) -> bool:
    return read.found is not found and read.found != found


def _urgency(found: Found) -> bool:
    """Read guidelines and patterns before records, of which there are many."""
    return found.kind is Kind.ADR


def _with_uris(documents: dict[str, Document], seen: Walk) -> dict[str, Document]:
    """Give documents whose URI another one has already the one that the walk chose for them."""
    for path, below in seen.renamed.items():
        if path in documents:
            documents[path] = evolve(documents[path], uri=uri_of(documents[path].kind, below))
    return documents


def _changed(before: Mapping[str, Document], now: Mapping[str, Document]) -> frozenset[str]:
    gone = before.keys() - now.keys()
    other = [path for path, document in now.items() if before.get(path) is not document]
    return frozenset(gone | {path for path in other if before.get(path) != now[path]})
