"""Reading and indexing that go on behind an answer, until all is done or the server ends."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable

from stithy_archdocs.documents.shelf import Library
from stithy_archdocs.search.finding import index_of
from stithy_archdocs.watching import Stopping
from stithy_core.spi import Scope

SECONDS = 0.25
"""How long the index is written before others may ask it."""
LEAST_PAUSE = 0.05
MOST_TASKS = 2_000
"""Tasks that wait; of more, the oldest are left out, and done when they are asked for."""


class Builder:
    """Goes on with what an answer left undone: one for each server, `scope.shared(Builder)`.

    It works for half of the time of one thread at most.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._stopping = scope.shared(Stopping)
        self._lock = threading.Lock()
        self._running = False
        self._index = False
        self._tasks: deque[Callable[[], object]] = deque(maxlen=MOST_TASKS)

    def go_on(self, *, index: bool = True, tasks: Iterable[Callable[[], object]] = ()) -> None:
        """Go on in the background, unless that is done already.

        Args:
            index: Whether documents are missing in the index.
            tasks: What else is to be done once.
        """
        with self._lock:
            self._index = self._index or index
            self._tasks.extend(tasks)
            if self._running or self._stopping.is_set():
                return
            self._running = True
        threading.Thread(target=self._run, name="stithy-archdocs", daemon=True).start()

    def _run(self) -> None:
        """Work and rest in turn; a failure is logged, and the next question begins again."""
        try:
            while not self._stopping.is_set():
                begun = time.monotonic()
                if not self._step():
                    return
                self._stopping.wait(max(LEAST_PAUSE, time.monotonic() - begun))
        except Exception:
            self._scope.log.exception("documents could not be indexed in the background")
        with self._lock:
            self._running = False

    def _step(self) -> bool:
        """Do a part of what is left; return False, and run no longer, where nothing is."""
        with self._lock:
            index, self._index = self._index, False  # whoever finds something missing meanwhile sets it again
            task = self._tasks.popleft() if self._tasks and not index else None
            if not index and task is None:
                self._running = False
                return False
        if task:
            task()
        elif not self._is_built():
            with self._lock:
                self._index = True
        return True

    def _is_built(self) -> bool:
        """Read and index some more documents, and return whether that were all."""
        shelf = self._scope.shared(Library).within()
        if not shelf.version:
            return False
        missing = self._scope.shared(index_of).build(shelf, SECONDS)
        return not missing and not shelf.unread
