"""Hot reload: watching folders, looking again, telling what changed (ARCH-23)."""

import stat
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread
from watchfiles import awatch

from stithy_archdocs.documents.places import places
from stithy_archdocs.documents.shelf import Library
from stithy_archdocs.prompts.book import PromptBook
from stithy_archdocs.records import Shelf
from stithy_archdocs.watching import Listeners
from stithy_core.spi import Changed, Scope

_IDLE = 30_000
"""Milliseconds after which the folders are looked at although nothing was told: some file systems tell nothing."""

_RETRY = 1.0


async def keep(scope: Scope) -> None:
    """Keep the library fresh until the server ends."""
    library = await anyio.to_thread.run_sync(scope.shared, Library)
    await anyio.to_thread.run_sync(scope.shared, PromptBook)
    rounds = _Rounds(scope, library, library.known or await library.shelf())
    while True:
        await rounds.once()


class _Rounds:
    """Watches one set of folders after another.

    Args:
        scope: Whom to tell.
        library: What to keep fresh.
        told: What clients know.
    """

    def __init__(self, scope: Scope, library: Library, told: Shelf) -> None:
        self.scope = scope
        self.library = library
        self.told = told
        self._lock = anyio.Lock()
        self._warned = ""

    async def once(self) -> None:
        """Watch until the folders are others than they were, then look at everything again."""
        try:
            await self._watch(folders(self.library))
        except* (OSError, RuntimeError) as group:
            # A folder went away while it was taken in, or the system watches no more folders.
            await self._unwatched(str(group.exceptions[0]))

    async def _watch(self, watched: tuple[tuple[str, bool, int], ...]) -> None:
        if not watched:
            raise FileNotFoundError(f"{self.library.root} is no folder")
        ended = anyio.Event()
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(_end_with, ended)
                for deep in (True, False):
                    paths = [Path(path) for path, below, _ in watched if below is deep]
                    if paths:
                        group.start_soon(partial(self._listen, paths, watched, ended, deep=deep))
                self.library.watched(on=True)
                await self.tell()
        finally:
            self.library.watched(on=False)

    async def _listen(
        self, paths: list[Path], watched: tuple[tuple[str, bool, int], ...], ended: anyio.Event, *, deep: bool
    ) -> None:
        told = awatch(
            *paths, watch_filter=None, recursive=deep, rust_timeout=_IDLE, yield_on_timeout=True, stop_event=ended
        )
        async for changes in told:
            self.library.touched([path for _, path in changes])
            await self.tell()
            if folders(self.library) != watched:
                ended.set()

    async def _unwatched(self, why: str) -> None:
        if why != self._warned:
            self.scope.log.warning(
                "the folders of documents are not watched, so they are looked at again and again: %s", why
            )
            self._warned = why
        await anyio.sleep(_RETRY)
        await self.tell()

    async def tell(self) -> None:
        """Look, and tell what is other than what clients know."""
        async with self._lock:
            now = await self.library.shelf()
            while now.unread:
                now = await self.library.shelf()
            await self.scope.shared(Listeners).call()
            changes = news(self.told, now)
            self.told = now
            await self.scope.changed(*changes)


async def _end_with(ended: anyio.Event) -> None:
    """Set the event when this task is cancelled: the threads that watch cannot be, and look at it all the time."""
    try:
        await ended.wait()
    finally:
        ended.set()


def news(told: Shelf, now: Shelf) -> list[Changed]:
    """Say what changed between two moments: the list, and the documents that were there before."""
    before = {document.uri: document for document in told.documents.values()}
    after = {document.uri: document for document in now.documents.values()}
    both = before.keys() & after.keys()
    listed = before.keys() != after.keys() or any(before[uri].title != after[uri].title for uri in both)
    other = [uri for uri in before if uri not in after or before[uri].text != after[uri].text]
    return [*([Changed("resources")] if listed else []), *(Changed("resource", uri) for uri in sorted(other))]


def folders(library: Library) -> tuple[tuple[str, bool, int], ...]:
    """Give what must be watched: every place that is there with all below it, and the folders above each by themselves.

    The last value of each is which folder it is, so that one that was replaced is another.
    """
    wanted: dict[str, bool] = {}
    root = library.root
    below = [(place.folder, place.deep) for place in places(library.settings, root)]
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
