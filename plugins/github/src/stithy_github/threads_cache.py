"""Reading threads again costs little: what was said is kept, and only what is new or changed is asked whole.

The answer is that of a whole reading. A light question says how every thread stands and marks each of its comments; a
text is given again only where its thread has the same comments with the same marks. Nothing unconfirmed is given.
"""

import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING, Any

from attrs import Factory, define, frozen

from stithy_core.spi import PullRequestRef, ReviewComment, Thread
from stithy_github.mapping import to_time

if TYPE_CHECKING:
    from stithy_core.spi import Forge

import time
from typing import TYPE_CHECKING

from stithy_core.spi import ForgeError, Listing, NotFound, map_concurrently
from stithy_github.adaptive_page_size import AdaptivePageSize
from stithy_github.graphql_client import execute_graphql
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
"""Bytes that are kept of a forge for all tokens together, about."""
OVERHEAD = 1_000
"""Bytes that a comment takes beside its text, about: its record, its marks, its addresses."""
SETTLED = timedelta(seconds=3)
"""Times have whole seconds, so what changed just before it was read may change again and bear the same time."""
FIELDS = ("id", "updatedAt", "state", "isMinimized", "minimizedReason", "authorAssociation")

Row = Mapping[str, Any]


@frozen
class CachedThread:
    """What was said in one thread, and its seal."""

    seal: bytes
    comments: tuple[ReviewComment, ...]
    hunk: str

    @property
    def size(self) -> int:
        """How many bytes it takes, about."""
        return len(self.hunk) + sum(OVERHEAD + len(comment.body) for comment in self.comments)


@frozen
class CachedConversation:
    """The threads of a pull request by their ids, as they were under a repository's name: it stands in addresses."""

    name: str
    threads: Mapping[str, CachedThread]

    @property
    def size(self) -> int:
        """How many bytes it takes, about."""
        return sum(kept.size for kept in self.threads.values())

    def truncate(self, most: int) -> "CachedConversation":
        """Give as many of its threads as take no more than so many bytes."""
        sizes = accumulate(kept.size for kept in self.threads.values())
        fitting = takewhile(lambda pair: pair[1] <= most, zip(self.threads.items(), sizes, strict=True))
        return CachedConversation(self.name, dict(item for item, _ in fitting))


@define
class ThreadCache:
    """Keeps conversations as each token saw them, those that were asked for last."""

    most: int = MAX_BYTES
    _kept: OrderedDict[tuple[str, str], CachedConversation] = Factory(OrderedDict)

    def get_conversation(self, identity: str, pr: PullRequestRef) -> CachedConversation | None:
        """Return what was kept for a token, if anything; it holds only as far as GitHub confirms it."""
        return self._kept.get(_key(identity, pr))

    def put(self, identity: str, pr: PullRequestRef, conversation: CachedConversation) -> None:
        """Keep it in the place of what was there, or a part of it where it alone is too large."""
        key = _key(identity, pr)
        self._kept.pop(key, None)
        if (part := conversation.truncate(self.most)).threads:
            self._kept[key] = part
        while sum(one.size for one in self._kept.values()) > self.most:
            self._kept.popitem(last=False)


async def get_thread_cache(forge: "Forge") -> ThreadCache:
    """Give a forge's own."""
    return await forge.once("threads that were read", _create_cache, by_token=False)


async def _create_cache() -> ThreadCache:
    return ThreadCache()


def _key(identity: str, pr: PullRequestRef) -> tuple[str, str]:
    return identity, str(pr).lower()


def to_cached_thread(thread: Thread, remarks: Sequence[Row | None], read_at: datetime) -> CachedThread | None:
    """Make what is kept of a thread; None where it was not read whole, or may have changed since without a trace.

    Args:
        thread: As it was read.
        remarks: The JSON of its comments; null stands for one that may not be seen.
        read_at: The server's time before it was asked.
    """
    if thread.cut or any(row and to_time(row["updatedAt"]) > read_at - SETTLED for row in remarks):
        return None
    return CachedThread(compute_seal(remarks), thread.comments, thread.hunk)


def compute_seal(remarks: Sequence[Row | None]) -> bytes:
    """Give what is the same only where all comments are as they were; an account may be renamed or deleted, too."""
    marks = [row and [*(row.get(field) for field in FIELDS), (row.get("author") or {}).get("login")] for row in remarks]
    return sha256(json.dumps(marks).encode()).digest()


async def read_with_cache(forge: "Forge", pr: PullRequestRef) -> Listing[Thread]:
    """Read all threads with all their comments, by path, line and time.

    Raises:
        ForgeError: GraphQL did not answer.
    """
    memory, identity = await get_thread_cache(forge), await forge.token_identity()
    before, begun = memory.get_conversation(identity, pr), time.monotonic()
    again = await _reread(forge, pr, before) if before is not None else None
    rows, same, talks = again or await _read_whole(forge, pr)
    read_at = forge.http.now() - timedelta(seconds=time.monotonic() - begun)
    memory.put(identity, pr, CachedConversation(rows.name, same | _cache_threads(talks, read_at)))
    standing = [_build_unchanged(row, same[row["id"]]) for row in rows.threads if row["id"] in same]
    return Listing(sort_by_place([*standing, *(talk.thread for talk in talks)]), rows.total)


def _build_unchanged(row: Any, kept: CachedThread) -> Thread:
    return build_thread(row, kept.comments, kept.hunk)


ReadThreads = tuple[ThreadRows, dict[str, CachedThread], Sequence[FullThread]]
"""How all threads stand, what was said in those that are as they were, and the others whole."""


async def _read_whole(forge: "Forge", pr: PullRequestRef) -> ReadThreads:
    rows = await read_thread_rows(forge, pr, THREADS)
    return rows, {}, await complete_threads(forge, rows.threads)


async def _reread(forge: "Forge", pr: PullRequestRef, before: CachedConversation) -> ReadThreads | None:
    """Ask what has changed; None where a thread is gone again before it was read."""
    rows = await read_thread_rows(forge, pr, THREADS_AGAIN)
    known = before.threads if rows.name == before.name else {}
    confirmed = await map_concurrently(rows.threads, lambda row: _confirm(forge, row, known.get(row["id"])))
    same = {row["id"]: kept for row, kept in zip(rows.threads, confirmed, strict=True) if kept is not None}
    others = [row["id"] for row in rows.threads if row["id"] not in same]
    try:
        found = await _read_some(forge, others)
    except NotFound:
        return None
    return None if None in found else (rows, same, await complete_threads(forge, found))


async def _confirm(forge: "Forge", row: Any, kept: CachedThread | None) -> CachedThread | None:
    """Give what was kept of a thread, if it still holds."""
    if kept is None:
        return None
    remarks: list[Any] = []
    try:
        async for page in iterate_comment_pages(forge, row, MORE_MARKS):
            remarks += page["nodes"]
    except ForgeError:  # then it is read whole, which says what of it cannot be read
        return None
    return kept if compute_seal(remarks) == kept.seal else None


async def _read_some(forge: "Forge", threads: Sequence[str]) -> list[Any]:
    """Read the rows of some threads; None stands for one that is gone."""
    portions, rows = AdaptivePageSize(), list[Any]()

    async def following(size: int) -> list[Any]:
        asked = threads[len(rows) : len(rows) + size]
        nodes = (await execute_graphql(forge, SOME_THREADS, {"threads": asked}))["nodes"]
        return [*nodes, *[None] * (len(asked) - len(nodes))]

    while len(rows) < len(threads):
        rows += await portions.run(following)
    return rows


def _cache_threads(talks: Sequence[FullThread], read_at: datetime) -> dict[str, CachedThread]:
    made = {talk.thread.id: to_cached_thread(talk.thread, talk.remarks, read_at) for talk in talks}
    return {name: kept for name, kept in made.items() if kept is not None}
