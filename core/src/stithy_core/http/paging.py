"""Lists of many pages: by numbers or by links, never in a circle and never to another host."""

from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

import httpx
from attrs import frozen

from stithy_core.errors import Rejected
from stithy_core.http.addresses import Query, next_place
from stithy_core.http.expected_json import ExpectedJson, Rows
from stithy_core.spi import Dialect, ForgeConfig, Listing, Paging

MOST_PAGES = 10_000
LONGEST_CIRCLE = 100  # a longer one is ended by the number of pages; remembering them all would not be flat
LESS = "Ask for less at once."

Read = Callable[[str, Query, ExpectedJson], Awaitable[tuple[httpx.Response, Any]]]


@frozen
class Page:
    """One page.

    Args:
        items: What it lists.
        total: How many there are on all pages, where it tells.
        more: Whether there may be another.
        gap: Why something is missing in it.
    """

    items: list[Any]
    total: int | None
    more: bool
    gap: str = ""


class Pages:
    """Reads the lists of one forge.

    Args:
        config: The forge.
        dialect: How it pages.
        read: Reads JSON, and gives the answer that it came with.
    """

    def __init__(self, config: ForgeConfig, dialect: Dialect, read: Read) -> None:
        self._config = config
        self._dialect = dialect
        self._read = read

    async def each(
        self, path: str, rows: str, size: int, query: Query, *, or_null: bool = False
    ) -> AsyncIterator[Page]:
        """Read one page after the other, to the end; for the arguments, see `stithy_core.spi.Http.pages`.

        Raises:
            Rejected: The list leads in a circle, to another host, or on and on.
        """
        asked = dict(query) | ({self._dialect.page_size: size} if size else {})
        linked = self._dialect.paging is Paging.LINKS
        expected = Rows(rows, size, or_null, linked)
        walk = self._by_links if linked else self._by_numbers
        count = 0
        async for page in walk(path, expected, asked):
            yield page
            count += 1
            if page.more and count >= MOST_PAGES:
                raise Rejected(f"{self._config.alias} has over {MOST_PAGES:,} pages at {path}", suggestion=LESS)

    async def listing(
        self, path: str, rows: str, size: int, most: int, query: Query, *, or_null: bool = False
    ) -> Listing[Any]:
        """Read the items of all pages, up to `most`, and say where that was less than all."""
        found: list[Any] = []
        page = Page([], None, more=False)
        total = None
        gap = ""
        async for page in self.each(path, rows, min(size, most), query, or_null=or_null):
            found += page.items
            gap = gap or page.gap
            total = page.total if total is None else total
            if len(found) >= most:
                break
        over = len(found) > most
        more = page.more and (total is None or total > len(found))
        cut = f"only the first {most:,} were read" if over or more else ""
        maybe = "there may be more" if more and not over and total is None else ""
        return Listing(tuple(found[:most]), total, "; ".join(why for why in (gap, cut, maybe) if why))

    async def _by_numbers(self, path: str, expected: Rows, asked: Query) -> AsyncIterator[Page]:
        before: list[Any] = []
        number = 0
        while True:
            number += 1
            response, body = await self._read(path, dict(asked) | {"page": number}, expected)
            items = expected.rows_of(body)
            if items and items == before:  # a server that does not page answers the same for ever
                raise self._circle(path)
            more = bool(items) and (not expected.size or len(items) >= expected.size)
            yield self._page(response, body, items, more=more)
            if not more:
                return
            before = items

    async def _by_links(self, path: str, expected: Rows, asked: Query) -> AsyncIterator[Page]:
        seen: deque[str] = deque(maxlen=LONGEST_CIRCLE)
        place = path
        while True:
            response, body = await self._read(place, asked, expected)
            following = next_place(response)  # also of a short page: GitHub takes rows out of pages
            place, asked = str(response.request.url.join(following)) if following else "", {}
            if place and place in seen:
                raise self._circle(path)
            seen.append(place)
            yield self._page(response, body, expected.rows_of(body), more=bool(place))
            if not place:
                return

    def _page(self, response: httpx.Response, body: Any, items: list[Any], *, more: bool) -> Page:
        return Page(items, _total(response.headers, body), more, self._dialect.gaps(response.headers))

    def _circle(self, path: str) -> Rejected:
        return Rejected(f"{self._config.alias} leads in a circle at {path}", suggestion=LESS)


def _total(headers: Mapping[str, str], body: Any) -> int | None:
    said = headers.get("x-total-count", "")
    if said.isdecimal():
        return int(said[:18])
    counted = body.get("total_count") if isinstance(body, dict) else None
    return counted if isinstance(counted, int) else None
