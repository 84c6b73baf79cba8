"""Reading threads again costs little: what was said is kept, and only what is new or changed is asked whole.

The answer is that of a whole reading. A light question says how every thread stands and marks each of its comments; a
text is given again only where its thread has the same comments with the same marks. Nothing unconfirmed is given.
"""

import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from stithy_core.spi import ForgeError, Listing, NotFound, PullRequestRef, Thread, map_concurrently
from stithy_github.asking import ask
from stithy_github.portions import Portions
from stithy_github.threads_mapping import in_place, to_standing
from stithy_github.threads_memory import Conversation, Kept, memory_of, seal_of, to_kept
from stithy_github.threads_queries import MORE_MARKS, SOME_THREADS, THREADS, THREADS_AGAIN
from stithy_github.threads_reading import Rows, Talk, comment_pages, thread_rows, whole_talks

if TYPE_CHECKING:
    from stithy_core.spi import Forge


async def read_with_memory(forge: "Forge", pr: PullRequestRef) -> Listing[Thread]:
    """Read all threads with all their comments, by path, line and time.

    Raises:
        ForgeError: GraphQL did not answer.
    """
    memory, identity = await memory_of(forge), await forge.token_identity()
    before, begun = memory.recall(identity, pr), time.monotonic()
    again = await _again(forge, pr, before) if before is not None else None
    rows, same, talks = again or await _whole(forge, pr)
    read_at = forge.http.now() - timedelta(seconds=time.monotonic() - begun)
    memory.keep(identity, pr, Conversation(rows.name, same | _kept(talks, read_at)))
    standing = [_standing(row, same[row["id"]]) for row in rows.threads if row["id"] in same]
    return Listing(in_place([*standing, *(talk.thread for talk in talks)]), rows.total)


def _standing(row: Any, kept: Kept) -> Thread:
    return to_standing(row, kept.comments, kept.hunk)


Read = tuple[Rows, dict[str, Kept], Sequence[Talk]]
"""How all threads stand, what was said in those that are as they were, and the others whole."""


async def _whole(forge: "Forge", pr: PullRequestRef) -> Read:
    rows = await thread_rows(forge, pr, THREADS)
    return rows, {}, await whole_talks(forge, rows.threads)


async def _again(forge: "Forge", pr: PullRequestRef, before: Conversation) -> Read | None:
    """Ask what has changed; None where a thread is gone again before it was read."""
    rows = await thread_rows(forge, pr, THREADS_AGAIN)
    known = before.threads if rows.name == before.name else {}
    confirmed = await map_concurrently(rows.threads, lambda row: _confirmed(forge, row, known.get(row["id"])))
    same = {row["id"]: kept for row, kept in zip(rows.threads, confirmed, strict=True) if kept is not None}
    others = [row["id"] for row in rows.threads if row["id"] not in same]
    try:
        found = await _some(forge, others)
    except NotFound:
        return None
    return None if None in found else (rows, same, await whole_talks(forge, found))


async def _confirmed(forge: "Forge", row: Any, kept: Kept | None) -> Kept | None:
    """Give what was kept of a thread, if it still holds."""
    if kept is None:
        return None
    remarks: list[Any] = []
    try:
        async for page in comment_pages(forge, row, MORE_MARKS):
            remarks += page["nodes"]
    except ForgeError:  # then it is read whole, which says what of it cannot be read
        return None
    return kept if seal_of(remarks) == kept.seal else None


async def _some(forge: "Forge", threads: Sequence[str]) -> list[Any]:
    """Read the rows of some threads; None stands for one that is gone."""
    portions, rows = Portions(), list[Any]()

    async def following(size: int) -> list[Any]:
        asked = threads[len(rows) : len(rows) + size]
        nodes = (await ask(forge, SOME_THREADS, {"threads": asked}))["nodes"]
        return [*nodes, *[None] * (len(asked) - len(nodes))]

    while len(rows) < len(threads):
        rows += await portions.ask(following)
    return rows


def _kept(talks: Sequence[Talk], read_at: datetime) -> dict[str, Kept]:
    made = {talk.thread.id: to_kept(talk.thread, talk.remarks, read_at) for talk in talks}
    return {name: kept for name, kept in made.items() if kept is not None}
