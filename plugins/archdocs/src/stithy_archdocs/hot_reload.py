"""Hot reload: watch folders, read changed files, and notify clients (ARCH-23)."""

import stat
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread
from watchfiles import awatch

from stithy_archdocs.document_models import DocumentSnapshot
from stithy_archdocs.documents.document_library import Library
from stithy_archdocs.documents.document_locations import list_locations
from stithy_archdocs.prompts.prompt_book import PromptBook
from stithy_archdocs.search.search_tool import BACKGROUND_SECONDS, BackgroundIndexer
from stithy_archdocs.watch_service import Listeners
from stithy_core.spi import Changed, Scope

_IDLE = 30_000
"""Milliseconds after which folders are checked without an event: some file systems send none."""

_RETRY = 1.0


async def keep_library_fresh(scope: Scope) -> None:
    """Keep the library up to date until the server stops."""
    library = await anyio.to_thread.run_sync(scope.shared, Library)
    await anyio.to_thread.run_sync(scope.shared, PromptBook)
    # The index is built from the start, so that the first query need not wait for it.
    scope.shared(BackgroundIndexer).start()
    rounds = FolderWatcher(scope, library, library.last_snapshot or await library.get_snapshot())
    while True:
        await rounds.run_once()


class FolderWatcher:
    """Watches the folders of documents; starts over when the set of folders changes.

    Args:
        scope: Scope of the server; sends the notifications.
        library: The library to refresh.
        told: The snapshot that clients know.
    """

    def __init__(self, scope: Scope, library: Library, told: DocumentSnapshot) -> None:
        self.scope = scope
        self.library = library
        self.known = told
        self._lock = anyio.Lock()
        self._warned = ""

    async def run_once(self) -> None:
        """Watch until the set of folders changes or watching fails, then check everything again."""
        try:
            await self._watch(list_watched_folders(self.library))
        except* (OSError, RuntimeError) as group:
            # A folder was deleted while watching started, or the system's limit of watches is reached.
            await self._poll(str(group.exceptions[0]))

    async def _watch(self, watched: tuple[tuple[str, bool, int], ...]) -> None:
        if not watched:
            raise FileNotFoundError(f"{self.library.root} is not a directory")
        ended = anyio.Event()
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(_set_on_cancel, ended)
                for deep in (True, False):
                    paths = [Path(path) for path, below, _ in watched if below is deep]
                    if paths:
                        group.start_soon(partial(self._listen, paths, watched, ended, deep=deep))
                self.library.set_watched(on=True)
                await self.notify()
        finally:
            self.library.set_watched(on=False)

    async def _listen(
        self, paths: list[Path], watched: tuple[tuple[str, bool, int], ...], ended: anyio.Event, *, deep: bool
    ) -> None:
        told = awatch(
            *paths, watch_filter=None, recursive=deep, rust_timeout=_IDLE, yield_on_timeout=True, stop_event=ended
        )
        async for changes in told:
            self.library.mark_changed([path for _, path in changes])
            await self.notify()
            if list_watched_folders(self.library) != watched:
                ended.set()

    async def _poll(self, why: str) -> None:
        if why != self._warned:
            self.scope.log.warning(
                "cannot watch the folders of documents; they are checked every second instead: %s", why
            )
            self._warned = why
        await anyio.sleep(_RETRY)
        await self.notify()

    async def notify(self) -> None:
        """Read what changed, and notify clients of the differences to what they know."""
        async with self._lock:
            now = await self.library.get_snapshot(BACKGROUND_SECONDS)
            while now.unread:
                now = await self.library.get_snapshot(BACKGROUND_SECONDS)
            await self.scope.shared(Listeners).notify()
            if now is self.known:  # as after most checks without an event
                return
            if now.documents:
                self.scope.shared(BackgroundIndexer).start()
            # A thread: thousands of documents take longer than other calls may wait for the event loop.
            changes = await anyio.to_thread.run_sync(compare_snapshots, self.known, now)
            self.known = now
            await self.scope.changed(*changes)


async def _set_on_cancel(ended: anyio.Event) -> None:
    """Set the event when this task is cancelled: the watching threads cannot be cancelled, but they poll the event."""
    try:
        await ended.wait()
    finally:
        ended.set()


def compare_snapshots(told: DocumentSnapshot, now: DocumentSnapshot) -> list[Changed]:
    """Return the notifications for two snapshots: whether the list changed, and which known documents did."""
    before = {document.uri: document for document in told.documents.values()}
    after = {document.uri: document for document in now.documents.values()}
    both = before.keys() & after.keys()
    listed = before.keys() != after.keys() or any(before[uri].title != after[uri].title for uri in both)
    other = [uri for uri in before if uri not in after or before[uri].content != after[uri].content]
    return [*([Changed("resources")] if listed else []), *(Changed("resource", uri) for uri in sorted(other))]


def list_watched_folders(library: Library) -> tuple[tuple[str, bool, int], ...]:
    """Return the folders to watch: each location with everything below it, and each folder above it alone.

    Folders above a location are watched because the location may be created or replaced later.

    Returns:
        Triples of path, whether to watch recursively, and inode. The inode differs if a folder was replaced by another.
    """
    wanted: dict[str, bool] = {}
    root = library.root
    below = [(place.folder, place.deep) for place in list_locations(library.settings, root)]
    for folder, deep in [*below, (library.settings.prompts, True)]:
        parts = [part for part in folder.split("/") if part not in ("", ".", "..")]
        for many in range(len(parts) + 1):
            path = str(root.joinpath(*parts[:many]))
            wanted[path] = wanted.get(path, False) or (deep and many == len(parts))
    found = []
    for path, deep in sorted(wanted.items()):
        try:
            state = Path(path).stat()
        except OSError:
            continue
        if stat.S_ISDIR(state.st_mode):
            found.append((path, deep, state.st_ino))
    return tuple(found)
