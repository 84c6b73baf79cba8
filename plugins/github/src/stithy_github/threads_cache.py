"""Rereads threads at little cost: comments are cached, and only new and changed threads are read whole.

The result equals that of a full read. A small query returns the state of every thread and a mark of each comment; a
cached text is used only if its thread has the same comments with the same marks. GraphQL sends no validators, so the
digest over the marks is ours. It covers every field of a comment that can change.
"""

import json
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING, Any

from attrs import Factory, define, frozen

from stithy_core.spi import ForgeError, Listing, NotFound, PullRequestRef, ReviewComment, Thread, map_concurrently
from stithy_github.adaptive_page_size import AdaptivePageSize
from stithy_github.graphql_client import execute_graphql
from stithy_github.mapping import to_time
from stithy_github.threads_mapping import build_thread, sort_by_place
from stithy_github.threads_pages import (
    FullThread,
    ThreadRows,
    complete_threads,
    iterate_comment_pages,
    read_thread_rows,
)
from stithy_github.threads_queries import MORE_MARKS, SOME_THREADS, THREADS, THREADS_AGAIN

if TYPE_CHECKING:
    from stithy_core.spi import Forge

MAX_BYTES = 16_000_000
"""The approximate size of a forge's cache, for all tokens together."""
OVERHEAD = 1_000
"""The approximate bytes of a comment beside its text: its record, its marks, its URLs."""
SETTLED = timedelta(seconds=3)
"""Times have whole seconds: a comment that changed just before it was read may change again and keep its time."""
FIELDS = ("id", "updatedAt", "state", "isMinimized", "minimizedReason", "authorAssociation")

Row = Mapping[str, Any]


@frozen
class CachedThread:
    """The comments of one thread, and the digest over their marks."""

    digest: bytes
    comments: tuple[ReviewComment, ...]
    hunk: str

    @property
    def size(self) -> int:
        """Approximate size in bytes."""
        return len(self.hunk) + sum(OVERHEAD + len(comment.body) for comment in self.comments)


@frozen
class CachedThreads:
    """The threads of a pull request by id; their URLs hold the repository's name, so the name at that time is kept."""

    name: str
    threads: Mapping[str, CachedThread]

    @property
    def size(self) -> int:
        """Approximate size in bytes."""
        return sum(thread.size for thread in self.threads.values())

    def truncate(self, max_bytes: int) -> "CachedThreads":
        """Return the first threads that together take no more than `max_bytes`."""
        sizes = accumulate(thread.size for thread in self.threads.values())
        fitting = takewhile(lambda pair: pair[1] <= max_bytes, zip(self.threads.items(), sizes, strict=True))
        return CachedThreads(self.name, dict(item for item, _ in fitting))


@define
class ThreadCache:
    """The threads of the pull requests that were read last, as each token saw them."""

    max_bytes: int = MAX_BYTES
    _entries: OrderedDict[tuple[str, str], CachedThreads] = Factory(OrderedDict)

    def get_threads(self, identity: str, pr: PullRequestRef) -> CachedThreads | None:
        """Return the cached threads for a token, or None; they are valid only as far as GitHub confirms them."""
        return self._entries.get(_create_key(identity, pr))

    def store(self, identity: str, pr: PullRequestRef, threads: CachedThreads) -> None:
        """Replace the cached threads of a pull request; store only the first ones if all are too large."""
        key = _create_key(identity, pr)
        self._entries.pop(key, None)
        if (part := threads.truncate(self.max_bytes)).threads:
            self._entries[key] = part
        while sum(entry.size for entry in self._entries.values()) > self.max_bytes:
            self._entries.popitem(last=False)


async def get_thread_cache(forge: "Forge") -> ThreadCache:
    """Return the forge's cache of threads."""
    return await forge.once("thread cache", _create_cache, by_token=False)


async def _create_cache() -> ThreadCache:
    return ThreadCache()


def _create_key(identity: str, pr: PullRequestRef) -> tuple[str, str]:
    return identity, str(pr).lower()


def to_cached_thread(thread: Thread, rows: Sequence[Row | None], read_at: datetime) -> CachedThread | None:
    """Return the cache entry of a thread; None if it is incomplete or may have changed since without a trace.

    Args:
        thread: The thread.
        rows: The JSON of its comments; null stands for one that the token may not see.
        read_at: The server's time before the request.
    """
    if thread.cut or any(row and to_time(row["updatedAt"]) > read_at - SETTLED for row in rows):
        return None
    return CachedThread(compute_digest(rows), thread.comments, thread.hunk)


def compute_digest(rows: Sequence[Row | None]) -> bytes:
    """Return a digest that is the same only if no comment has changed; accounts can be renamed or deleted as well."""
    marks = [row and [*(row.get(field) for field in FIELDS), (row.get("author") or {}).get("login")] for row in rows]
    return sha256(json.dumps(marks).encode()).digest()


RowsReader = Callable[[str], Awaitable[ThreadRows]]
"""Reads the rows of all threads by THREADS or THREADS_AGAIN."""


async def read_with_cache(forge: "Forge", pr: PullRequestRef, read_rows: RowsReader | None = None) -> Listing[Thread]:
    """Return all threads with all their comments, by path, line and time.

    Args:
        forge: The forge.
        pr: The pull request.
        read_rows: Reads the rows of the threads; by default `read_thread_rows`.

    Raises:
        ForgeError: GraphQL did not answer.
    """
    read = read_rows or partial(read_thread_rows, forge, pr)
    cache, identity = await get_thread_cache(forge), await forge.token_identity()
    cached, started = cache.get_threads(identity, pr), time.monotonic()
    reread = await _reread(forge, cached, read) if cached is not None else None
    rows, unchanged, others = reread or await _read_whole(forge, read)
    read_at = forge.http.now() - timedelta(seconds=time.monotonic() - started)
    cache.store(identity, pr, CachedThreads(rows.name, unchanged | _create_entries(others, read_at)))
    threads = [_build_unchanged(row, unchanged[row["id"]]) for row in rows.threads if row["id"] in unchanged]
    return Listing(sort_by_place([*threads, *(full.thread for full in others)]), total=rows.total)


def _build_unchanged(row: Any, cached: CachedThread) -> Thread:
    return build_thread(row, cached.comments, cached.hunk)


ThreadRead = tuple[ThreadRows, dict[str, CachedThread], Sequence[FullThread]]
"""The state of all threads, the cached texts of unchanged threads by id, and the other threads whole."""


async def _read_whole(forge: "Forge", read: RowsReader) -> ThreadRead:
    rows = await read(THREADS)
    return rows, {}, await complete_threads(forge, rows.threads)


async def _reread(forge: "Forge", cached: CachedThreads, read: RowsReader) -> ThreadRead | None:
    """Read the changes; None if a thread was deleted before it was read."""
    rows = await read(THREADS_AGAIN)
    entries = cached.threads if rows.name == cached.name else {}
    confirmed = await map_concurrently(rows.threads, lambda row: _confirm(forge, row, entries.get(row["id"])))
    unchanged = {row["id"]: entry for row, entry in zip(rows.threads, confirmed, strict=True) if entry is not None}
    others = [row["id"] for row in rows.threads if row["id"] not in unchanged]
    try:
        nodes = await _read_some(forge, others)
    except NotFound:
        return None
    return None if None in nodes else (rows, unchanged, await complete_threads(forge, nodes))


async def _confirm(forge: "Forge", row: Any, cached: CachedThread | None) -> CachedThread | None:
    """Return the cached thread if it is still valid, else None."""
    if cached is None:
        return None
    comments: list[Any] = []
    try:
        async for page in iterate_comment_pages(forge, row, MORE_MARKS):
            comments += page["nodes"]
    except ForgeError:  # then it is read whole, which reports what cannot be read
        return None
    return cached if compute_digest(comments) == cached.digest else None


async def _read_some(forge: "Forge", threads: Sequence[str]) -> list[Any]:
    """Return the JSON of some threads by id; None stands for a deleted one."""
    page_size, rows = AdaptivePageSize(), list[Any]()

    async def read_next(size: int) -> list[Any]:
        ids = threads[len(rows) : len(rows) + size]
        nodes = (await execute_graphql(forge, SOME_THREADS, {"threads": ids}))["nodes"]
        return [*nodes, *[None] * (len(ids) - len(nodes))]

    while len(rows) < len(threads):
        rows += await page_size.run(read_next)
    return rows


def _create_entries(threads: Sequence[FullThread], read_at: datetime) -> dict[str, CachedThread]:
    entries = {full.thread.id: to_cached_thread(full.thread, full.comments, read_at) for full in threads}
    return {name: entry for name, entry in entries.items() if entry is not None}
