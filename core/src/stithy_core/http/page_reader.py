"""Reading lists of many pages: to their end, never in a loop, and never on another host."""

from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
from attrs import frozen

from stithy_core.errors import Rejected
from stithy_core.http.expected_json import ExpectedJson, ExpectedRows
from stithy_core.http.forge_urls import ForgeUrls, Query
from stithy_core.spi import ForgeConfig, Listing, NextPage, Paging

MOST_PAGES = 10_000
LONGEST_LOOP = 100
"""Pages of a loop that is detected; a longer one ends at `MOST_PAGES`, since remembering all URLs would cost memory."""
LESS = "Ask for less at once."

Read = Callable[[str, Query, ExpectedJson], Awaitable[tuple[httpx.Response, Any]]]
"""Reads the JSON of a path with a query; returns the response and the JSON."""


@frozen(kw_only=True)
class ListPage:
    """One page of a list.

    Args:
        items: Its items.
        total: The number of items on all pages; None if the forge does not report it.
        more: Whether there may be another page.
        gap: Why items are missing in it; "" if none are.
        repeated: Whether the forge refers to a page that was read already, in place of the next one.
    """

    items: list[Any]
    total: int | None = None
    more: bool = False
    gap: str = ""
    repeated: bool = False


REPEATED = ListPage(items=[], repeated=True)


class PageReader:
    """Reads the lists of one forge.

    Args:
        config: The forge.
        paging: How it cuts lists into pages.
        urls: Its URLs.
        read: Reads JSON and returns the response with it.
    """

    def __init__(self, config: ForgeConfig, paging: Paging, urls: ForgeUrls, read: Read) -> None:
        self._config = config
        self._paging = paging
        self._urls = urls
        self._read = read

    async def iterate_pages(
        self, path: str, rows: str, size: int, query: Query, *, or_null: bool = False
    ) -> AsyncIterator[ListPage]:
        """Iterate the pages of a list to its end; for the arguments, see `stithy_core.spi.Http.pages`.

        Raises:
            Rejected: The list loops, leads to another host or out of the API, or has too many pages.
        """
        async for page in self._walk(path, rows, size, query, or_null=or_null):
            if page.repeated:
                text = f"the pages of {self._config.alias} at {path} repeat without end"
                raise Rejected(text, suggestion=LESS)
            yield page

    async def read_listing(
        self, path: str, rows: str, size: int, most: int, query: Query, *, or_null: bool = False
    ) -> Listing[Any]:
        """Return the items of all pages, up to `most`, with the reason if these are not all.

        Raises:
            Rejected: The list leads to another host or out of the API, or has too many pages.
        """
        items: list[Any] = []
        page = REPEATED
        total = None
        gap = ""
        async for page in self._walk(path, rows, min(size, most), query, or_null=or_null):
            items += page.items
            gap = gap or page.gap
            total = page.total if total is None else total
            if len(items) >= most:
                break
        reasons = (gap, _describe_cut(page, len(items), most, total))
        return Listing(tuple(items[:most]), total=total, cut="; ".join(filter(None, reasons)))

    async def _walk(
        self, path: str, rows: str, size: int, query: Query, *, or_null: bool = False
    ) -> AsyncIterator[ListPage]:
        """Iterate the pages of a list; the last one is `REPEATED` if the list loops."""
        expected = ExpectedRows(rows, size, or_null, self._paging)
        parameters = {**query, **({self._paging.size: size} if size else {}), **self._paging.first}
        target, read, before = path, 0, list[Any]()
        seen = deque([_identify(target, parameters)], maxlen=LONGEST_LOOP)
        for number in range(1, MOST_PAGES + 1):
            response, body = await self._read(target, parameters, expected)
            items = expected.get_rows(body)
            if items and items == before:  # a server that ignores the parameters answers the same for ever
                yield REPEATED
                return
            read += len(items)
            page = expected.describe_page(response, body, number=number, read=read)
            following = self._paging.next_page(page)
            total, gap = self._paging.total(page), self._paging.gaps(page)
            yield ListPage(items=items, total=total, more=following is not None, gap=gap)
            if following is None:
                return
            before = [] if following.url else items  # what the forge wrote itself, it does not ignore
            target, parameters = self._locate(following, response.request.url, target, parameters)
            if (key := _identify(target, parameters)) in seen:
                yield REPEATED
                return
            seen.append(key)
        raise Rejected(f"{self._config.alias} has over {MOST_PAGES:,} pages at {path}", suggestion=LESS)

    def _locate(
        self, following: NextPage, url: httpx.URL, target: str, parameters: dict[str, str | int]
    ) -> tuple[str, dict[str, str | int]]:
        """Return the path or URL of the next page, and its parameters; `url` is that of the page before it."""
        if following.url:  # whole, with all parameters
            target, parameters = self._urls.resolve_page(url, following.url), {}
        return target, {**parameters, **following.query}


def _identify(target: str, parameters: Query) -> str:
    return f"{target} {parameters}"


def _describe_cut(page: ListPage, count: int, most: int, total: int | None) -> str:
    """Return why a listing ends before the end of the list; empty if it does not.

    Args:
        page: The last page that was read.
        count: The number of items that were read.
        most: The number of items that were wanted.
        total: The number of items of the whole list, if the forge reports it.
    """
    is_complete = total is not None and total <= count  # then a possible next page does not count
    if page.repeated and not is_complete:
        return f"the forge repeats its pages; only the first {count:,} were read"
    more = page.more and not is_complete
    if count <= most and not more:
        return ""
    maybe = "; there may be more" if more and count <= most and total is None else ""
    return f"only the first {most:,} were read{maybe}"
