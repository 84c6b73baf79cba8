"""Lists of many pages: by page numbers or by links, never in a loop and never on another host."""

from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

import httpx
from attrs import frozen

from stithy_core.errors import Rejected
from stithy_core.http.expected_json import ExpectedJson, ExpectedRows
from stithy_core.http.forge_urls import Query, get_next_page
from stithy_core.spi import Dialect, ForgeConfig, Listing, Paging

MOST_PAGES = 10_000
LONGEST_LOOP = 100
"""Pages of a loop that is detected; a longer one ends at `MOST_PAGES`, since remembering all URLs would cost memory."""
LESS = "Ask for less at once."

Read = Callable[[str, Query, ExpectedJson], Awaitable[tuple[httpx.Response, Any]]]
"""Reads the JSON of a path with a query; returns the response and the JSON."""


@frozen
class ListPage:
    """One page of a list.

    Args:
        items: Its items.
        total: The number of items on all pages; None if the forge does not report it.
        more: Whether there may be another page.
        gap: Why items are missing in it; "" if none are.
    """

    items: list[Any]
    total: int | None
    more: bool
    gap: str = ""


class PageReader:
    """Reads the lists of one forge.

    Args:
        config: The forge.
        dialect: How it pages.
        read: Reads JSON and returns the response with it.
    """

    def __init__(self, config: ForgeConfig, dialect: Dialect, read: Read) -> None:
        self._config = config
        self._dialect = dialect
        self._read = read

    async def iterate_pages(
        self, path: str, rows: str, size: int, query: Query, *, or_null: bool = False
    ) -> AsyncIterator[ListPage]:
        """Iterate the pages of a list to its end; for the arguments, see `stithy_core.spi.Http.pages`.

        Raises:
            Rejected: The list loops, leads to another host, or has too many pages.
        """
        parameters = dict(query) | ({self._dialect.page_size: size} if size else {})
        linked = self._dialect.paging is Paging.LINKS
        expected = ExpectedRows(rows, size, or_null, linked)
        walk = self._follow_links if linked else self._count_up
        count = 0
        async for page in walk(path, expected, parameters):
            yield page
            count += 1
            if page.more and count >= MOST_PAGES:
                raise Rejected(f"{self._config.alias} has over {MOST_PAGES:,} pages at {path}", suggestion=LESS)

    async def read_listing(
        self, path: str, rows: str, size: int, most: int, query: Query, *, or_null: bool = False
    ) -> Listing[Any]:
        """Return the items of all pages, up to `most`, with the reason if these are not all."""
        items: list[Any] = []
        page = ListPage([], None, more=False)
        total = None
        gap = ""
        async for page in self.iterate_pages(path, rows, min(size, most), query, or_null=or_null):
            items += page.items
            gap = gap or page.gap
            total = page.total if total is None else total
            if len(items) >= most:
                break
        is_cut = len(items) > most
        # A possible next page does not count if the total shows that all items were read.
        more = page.more and (total is None or total > len(items))
        cut = f"only the first {most:,} were read" if is_cut or more else ""
        maybe = "there may be more" if more and not is_cut and total is None else ""
        return Listing(tuple(items[:most]), total, "; ".join(why for why in (gap, cut, maybe) if why))

    async def _count_up(self, path: str, expected: ExpectedRows, query: Query) -> AsyncIterator[ListPage]:
        before: list[Any] = []
        number = 0
        while True:
            number += 1
            response, body = await self._read(path, dict(query) | {"page": number}, expected)
            items = expected.get_rows(body)
            if items and items == before:  # a server that does not page answers the same for ever
                raise self._create_loop_error(path)
            more = bool(items) and (not expected.size or len(items) >= expected.size)
            yield self._create_page(response, body, items, more=more)
            if not more:
                return
            before = items

    async def _follow_links(self, path: str, expected: ExpectedRows, query: Query) -> AsyncIterator[ListPage]:
        seen: deque[str] = deque(maxlen=LONGEST_LOOP)
        url = path
        while True:
            response, body = await self._read(url, query, expected)
            # Also of a page that is not full: GitHub removes rows from pages (docs/forge-behaviour/github.md).
            following = get_next_page(response)
            url, query = str(response.request.url.join(following)) if following else "", {}
            if url and url in seen:
                raise self._create_loop_error(path)
            seen.append(url)
            yield self._create_page(response, body, expected.get_rows(body), more=bool(url))
            if not url:
                return

    def _create_page(self, response: httpx.Response, body: Any, items: list[Any], *, more: bool) -> ListPage:
        return ListPage(items, _parse_total(response.headers, body), more, self._dialect.gaps(response.headers))

    def _create_loop_error(self, path: str) -> Rejected:
        return Rejected(f"the pages of {self._config.alias} at {path} repeat without end", suggestion=LESS)


def _parse_total(headers: Mapping[str, str], body: Any) -> int | None:
    text = headers.get("x-total-count", "")
    if text.isdecimal():
        return int(text[:18])
    count = body.get("total_count") if isinstance(body, dict) else None
    return count if isinstance(count, int) else None
