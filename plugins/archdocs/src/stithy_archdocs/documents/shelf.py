"""The library: what is on the shelf now, and what of it is new."""

import os
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import anyio.to_thread
from attrs import evolve, frozen

from stithy_archdocs.adr.resolving import resolve_all
from stithy_archdocs.documents.finding import Found, Walk, walk
from stithy_archdocs.documents.naming import uri_of
from stithy_archdocs.documents.parsing import parse
from stithy_archdocs.documents.places import places
from stithy_archdocs.documents.reading import NoText
from stithy_archdocs.records import Document, Problem, Shelf
from stithy_archdocs.settings import MEGABYTE, ArchdocsSettings
from stithy_core.spi import Scope

PATIENCE = 1.0
"""How many seconds a walk holds good where nobody watches the folders."""


@frozen
class _Read:
    """A document as it was read, before its links were pointed anywhere; None where it could not be read."""

    found: Found
    document: Document | None
    problem: Problem | None = None


class Library:
    """All documents of the project: one for each server, `scope.shared(Library)`.

    Only files that changed are read again. While one caller looks, the others have the version before.
    """

    def __init__(self, scope: Scope) -> None:
        self.settings = scope.settings(ArchdocsSettings)
        self.root = Path(os.path.abspath(self.settings.root))  # noqa: PTH100 -- links are kept as they are written
        self._log = scope.log
        self._lock = threading.Lock()
        self._shelf: Shelf | None = None
        self._read: dict[str, _Read] = {}
        self._names: dict[str, tuple[tuple[str, ...], str]] = {}
        self._default = False
        self._looked = -PATIENCE
        self._stale = threading.Event()
        self._watched = False

    @property
    def known(self) -> Shelf | None:
        """What was last seen; None where nobody has looked yet."""
        return self._shelf

    async def shelf(self) -> Shelf:
        """Give what is on the shelf now."""
        if self._shelf is not None and self._fresh():
            return self._shelf
        return await anyio.to_thread.run_sync(self.now)

    def now(self) -> Shelf:
        """Give what is on the shelf now, to a thread."""
        shelf = self._shelf
        if shelf is not None and self._fresh():
            return shelf
        if not self._lock.acquire(blocking=shelf is None):
            return self._shelf or self.look()
        try:
            return self._shelf if self._shelf is not None and self._fresh() else self._look()
        finally:
            self._lock.release()

    def look(self) -> Shelf:
        """Look at the folders again, whatever is known of them."""
        with self._lock:
            return self._look()

    def watched(self, *, on: bool) -> None:
        """Note whether somebody tells of changes, so that there is no need to look."""
        self._watched = on
        self._stale.set()

    def touched(self) -> None:
        """Note that something may have changed."""
        self._stale.set()

    def _fresh(self) -> bool:
        if self._stale.is_set():
            return False
        return self._watched or time.monotonic() - self._looked < PATIENCE

    def _look(self) -> Shelf:
        self._stale.clear()
        try:
            seen = walk(
                self.root,
                places(self.settings, self.root),
                most=self.settings.most_documents,
                largest=self.settings.most_file_mb * MEGABYTE,
            )
            self._shelf = self._updated(seen)
        except BaseException:
            self._stale.set()
            raise
        self._looked = time.monotonic()
        return self._shelf

    def _updated(self, seen: Walk) -> Shelf:
        default = any((self.root / name).is_file() for name in (".log4brains.yml", ".log4brains.yaml"))
        before, self._default, again = self._read, default, default != self._default
        read = {
            path: self._one(found, None if again else before.get(path), default=default)
            for path, found in seen.found.items()
        }
        self._read = read
        left_out = (*seen.left_out, *(one.problem for one in read.values() if one.problem))
        old = self._shelf
        if old is not None and left_out == old.left_out and _same(read, before):
            return old
        documents = self._resolved(
            _with_uris({path: one.document for path, one in read.items() if one.document}), before
        )
        changed = _changed(old.documents if old else {}, documents)
        if old is not None and not changed and left_out == old.left_out:
            return old
        return Shelf(version=old.version + 1 if old else 1, documents=documents, changed=changed, left_out=left_out)

    def _resolved(self, documents: dict[str, Document], before: Mapping[str, _Read]) -> dict[str, Document]:
        """Point links at what they mean; while all are called as before, those of unchanged records stay."""
        names = {path: (document.names, document.title) for path, document in documents.items()}
        same, self._names = names == self._names, names
        old = self._shelf.documents if self._shelf and same else {}
        kept = {path: old[path] for path in documents if path in old and before.get(path) is self._read[path]}
        new = resolve_all(documents, [path for path in documents if path not in kept])
        return {path: kept[path] if path in kept else new[path] for path in documents}

    def _one(self, found: Found, before: _Read | None, *, default: bool) -> _Read:
        """Read a file, unless it is as it was; what cannot be read keeps its last good version."""
        if before is not None and before.found == found:
            return before
        try:
            data = _bytes(self.root / found.path, self.settings.most_file_mb * MEGABYTE)
            side = _bytes(self.root / found.side, MEGABYTE) if found.side else b""
            return _Read(found, parse(found, data, side=side, default=default))
        except FileNotFoundError:
            return _Read(evolve(found, stamp=()), None)
        except (OSError, NoText) as error:
            said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            kept = before.document if before else None
            text = f"it could not be read: {said}" + ("; its last good version is shown" if kept else "")
            return _Read(found, kept, Problem(rule="unreadable", path=found.path, message=text, severity="error"))


def _bytes(path: Path, most: int) -> bytes:
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise NoText(f"it is larger than {most} bytes")
    return data


def _same(read: Mapping[str, _Read], before: Mapping[str, _Read]) -> bool:
    return read.keys() == before.keys() and all(before[path] is one for path, one in read.items())


def _with_uris(documents: dict[str, Document]) -> dict[str, Document]:
    """Give each document a URI of its own: of two whose paths below their places are the same, one has it whole."""
    taken: dict[str, str] = {}
    given = {}
    for path, document in documents.items():
        uri, whole = document.uri, path
        while uri in taken:
            uri, whole = uri_of(document.kind, whole), "./" + whole
        taken[uri] = path
        given[path] = document if uri == document.uri else evolve(document, uri=uri)
    return given


def _changed(before: Mapping[str, Document], now: Mapping[str, Document]) -> frozenset[str]:
    gone = before.keys() - now.keys()
    return frozenset(gone | {path for path, document in now.items() if _differs(before.get(path), document)})


def _differs(before: Document | None, now: Document) -> bool:
    return before is not now and before != now
