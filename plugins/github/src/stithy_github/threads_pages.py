"""Read all pages of threads and of their comments in GraphQL (docs/forge-behaviour/github.md#comments-and-threads)."""

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from stithy_core.spi import ForgeError, Listing, NotFound, PullRequestRef, Thread, map_concurrently
from stithy_github.adaptive_page_size import AdaptivePageSize
from stithy_github.graphql_client import (
    Connection,
    execute_graphql,
    get_pull_request,
    iterate_pages,
    reference_variables,
)
from stithy_github.threads_mapping import sort_by_place, to_thread
from stithy_github.threads_queries import MORE_REMARKS, THREADS

if TYPE_CHECKING:
    from stithy_core.spi import Forge


@frozen
class FullThread:
    """A thread with the JSON of its comments; null stands for one that may not be seen."""

    thread: Thread
    remarks: Sequence[Any]


@frozen
class ThreadRows:
    """The JSON of all threads of a pull request, each with its first comments.

    Args:
        threads: Those that may be seen.
        total: How many GitHub counts.
        name: What the repository is called now.
    """

    threads: Sequence[Any]
    total: int | None
    name: str = ""


async def read_remaining_threads(forge: "Forge", pr: PullRequestRef, first: Connection) -> Listing[Thread]:
    """Read on from the first page of threads, each of the fragment `Talk`, and complete them all.

    Args:
        forge: Where they are.
        pr: Whose they are.
        first: The connection `reviewThreads(first: 100)` of the pull request, with `totalCount`.
    """
    rows = await _read_all(first, _ThreadPages(forge, pr, THREADS))
    talks = await complete_threads(forge, rows.threads)
    return Listing(sort_by_place(talk.thread for talk in talks), rows.total)


async def read_thread_rows(forge: "Forge", pr: PullRequestRef, question: str) -> ThreadRows:
    """Read the rows of all threads.

    Args:
        forge: Where they are.
        pr: Whose they are.
        question: THREADS, or THREADS_AGAIN.
    """
    asking = _ThreadPages(forge, pr, question)
    return await _read_all(await asking.page(), asking)


async def _read_all(first: Connection, asking: "_ThreadPages") -> ThreadRows:
    rows = [row async for page in iterate_pages(first, asking.page) for row in page["nodes"] if row]
    return ThreadRows(rows, first.get("totalCount"), asking.name)


class _ThreadPages:
    """Asks for the pages of a pull request's threads, which may be smaller than the first one was meant to be."""

    def __init__(self, forge: "Forge", pr: PullRequestRef, question: str) -> None:
        self.name = ""
        self._forge = forge
        self._pr = pr
        self._question = question
        self._portions = AdaptivePageSize()

    async def page(self, after: str | None = None) -> Connection:
        """Read the page after a cursor, or the first."""
        data = await self._portions.run(lambda size: self._ask(size, after))
        found: Connection = get_pull_request(data, self._pr)["reviewThreads"]
        self.name = data["repository"].get("nameWithOwner") or ""
        return found

    async def _ask(self, size: int, after: str | None) -> Any:
        return await execute_graphql(
            self._forge, self._question, reference_variables(self._pr) | {"first": size, "after": after}
        )


async def complete_threads(forge: "Forge", rows: Sequence[Any]) -> Sequence[FullThread]:
    """Complete threads, each of the fragment `Talk`."""
    return await map_concurrently(rows, lambda row: complete_thread(forge, row))


async def complete_thread(forge: "Forge", raw: Any) -> FullThread:
    """Complete one thread; where its later comments cannot be read, it says so and keeps the others."""
    remarks: list[Any] = []
    try:
        async for page in iterate_comment_pages(forge, raw, MORE_REMARKS):
            remarks += page["nodes"]
    except ForgeError as error:
        cut = f"only the first {len(remarks)} comments could be read: {error.message}"
        return FullThread(to_thread(raw, remarks, cut), remarks)
    return FullThread(to_thread(raw, remarks), remarks)


def iterate_comment_pages(forge: "Forge", raw: Any, question: str) -> AsyncIterator[Connection]:
    """Give the pages of a thread's comments, beginning with the one that it came with.

    Args:
        forge: Where it is.
        raw: The thread.
        question: MORE_REMARKS, or MORE_MARKS.
    """

    async def more(cursor: str) -> Connection:
        found = (await execute_graphql(forge, question, {"thread": raw["id"], "after": cursor}))["node"]
        if not found:
            text = f"GitHub's GraphQL shows no thread {raw['id']} any more"
            raise NotFound(text, suggestion="Read the threads again.")
        rows: Connection = found["comments"]
        return rows

    return iterate_pages(raw["comments"], more)
