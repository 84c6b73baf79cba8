"""Reads all pages of threads and comments from GraphQL (docs/forge-behaviour/github.md#comments-and-threads)."""

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
    """A thread with the JSON of its comments; null stands for one that the token may not see."""

    thread: Thread
    comments: Sequence[Any]


@frozen
class ThreadRows:
    """The JSON of all threads of a pull request, each with its first comments.

    Args:
        threads: The threads that the token may see.
        total: How many threads GitHub counts.
        name: The repository's current name.
    """

    threads: Sequence[Any]
    total: int | None
    name: str = ""


async def read_remaining_threads(forge: "Forge", pr: PullRequestRef, first: Connection) -> Listing[Thread]:
    """Return all threads with all their comments, given the first page of threads.

    Args:
        forge: The forge.
        pr: The pull request.
        first: The connection `reviewThreads(first: 100)` of the pull request, with `totalCount`; its nodes are of the
            fragment `Talk`.
    """
    rows = await _read_all(first, _ThreadPages(forge, pr, THREADS))
    threads = await complete_threads(forge, rows.threads)
    return Listing(sort_by_place(full.thread for full in threads), total=rows.total)


async def read_thread_rows(forge: "Forge", pr: PullRequestRef, query: str) -> ThreadRows:
    """Return the rows of all threads.

    Args:
        forge: The forge.
        pr: The pull request.
        query: THREADS or THREADS_AGAIN.
    """
    pages = _ThreadPages(forge, pr, query)
    return await _read_all(await pages.read(), pages)


async def _read_all(first: Connection, pages: "_ThreadPages") -> ThreadRows:
    rows = [row async for page in iterate_pages(first, pages.read) for row in page["nodes"] if row]
    return ThreadRows(rows, first.get("totalCount"), pages.name)


class _ThreadPages:
    """Reads pages of a pull request's threads, smaller ones after GitHub found one too heavy."""

    def __init__(self, forge: "Forge", pr: PullRequestRef, query: str) -> None:
        self.name = ""
        self._forge = forge
        self._pr = pr
        self._query = query
        self._page_size = AdaptivePageSize()

    async def read(self, after: str | None = None) -> Connection:
        """Return the page after a cursor; the first page by default."""
        data = await self._page_size.run(lambda size: self._execute(size, after))
        page: Connection = get_pull_request(data, self._pr)["reviewThreads"]
        self.name = data["repository"].get("nameWithOwner") or ""
        return page

    async def _execute(self, size: int, after: str | None) -> Any:
        variables = reference_variables(self._pr) | {"first": size, "after": after}
        return await execute_graphql(self._forge, self._query, variables)


async def complete_threads(forge: "Forge", rows: Sequence[Any]) -> Sequence[FullThread]:
    """Return threads with all their comments; the rows are of the fragment `Talk`."""
    return await map_concurrently(rows, lambda row: complete_thread(forge, row))


async def complete_thread(forge: "Forge", raw: Any) -> FullThread:
    """Return a thread with all its comments; `cut` says why if later comments cannot be read."""
    comments: list[Any] = []
    try:
        async for page in iterate_comment_pages(forge, raw, MORE_REMARKS):
            comments += page["nodes"]
    except ForgeError as error:
        cut = f"only the first {len(comments)} comments could be read: {error.message}"
        return FullThread(to_thread(raw, comments, cut), comments)
    return FullThread(to_thread(raw, comments), comments)


def iterate_comment_pages(forge: "Forge", raw: Any, query: str) -> AsyncIterator[Connection]:
    """Iterate the pages of a thread's comments; the first one is part of the thread.

    Args:
        forge: The forge.
        raw: The JSON of the thread.
        query: MORE_REMARKS or MORE_MARKS.
    """

    async def read_more(cursor: str) -> Connection:
        node = (await execute_graphql(forge, query, {"thread": raw["id"], "after": cursor}))["node"]
        if not node:
            text = f"GitHub's GraphQL API no longer shows thread {raw['id']}"
            raise NotFound(text, suggestion="Read the threads again.")
        comments: Connection = node["comments"]
        return comments

    return iterate_pages(raw["comments"], read_more)
