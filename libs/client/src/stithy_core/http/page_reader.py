"""Reading lists of many pages: to their end, never in a loop, and never on another host.

Where the first page tells the number of the last one, the pages between are read ahead, several at once.
"""

from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import partial
from math import ceil
from typing import Any, NamedTuple
from urllib.parse import urlencode

import httpx
from attrs import frozen

from stithy_core.errors import Rejected, StithyError
from stithy_core.http.forge_urls import ForgeUrls, Query
from stithy_core.http.response_contents import ExpectedJson, ExpectedRows
from stithy_core.spi import ForgeConfig, Listing, NextPage, PageResponse, Paging, map_concurrently
from stithy_core.spi.dialect import find_link, parse_count

MOST_AT_ONCE = 8
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


class Place(NamedTuple):
    """Where a page is: its path or URL, and the parameters of the query."""

    target: str
    parameters: Mapping[str, str | int]

    def __str__(self) -> str:
        """Return both as one text; a number is the same as its digits."""
        return f"{self.target}?{urlencode(self.parameters)}"


class Lookahead:
    """Reads the pages of one list one after the other, and some before they are asked for.

    Args:
        read: Reads the page at a place.
        count: How many are read at first. Each time that pages have to be read they are twice as many: a caller who
            stops early has read few in vain.
    """

    def __init__(self, read: Callable[[Place], Awaitable[tuple[httpx.Response, Any]]], count: int) -> None:
        self._read = read
        self._count = count
        self._outcomes: dict[str, tuple[httpx.Response, Any] | StithyError] = {}

    async def read(
        self, place: Place, list_later: Callable[[], Sequence[Place]] = tuple, most: int | None = None
    ) -> tuple[httpx.Response, Any]:
        """Return the response and the JSON of a place.

        Args:
            place: The place.
            list_later: Returns some of the places after it, in the order of the list. It is not called for a place that
                was read ahead: to create the URLs takes longer than to find what was read.
            most: The maximum number of places that are read; None for no further bound.

        Raises:
            StithyError: It could not be read; an error of another place is raised when that place is wanted.
        """
        wanted = str(place)
        if wanted not in self._outcomes:
            chosen = [place, *list_later()][:most][: self._count]
            outcomes = await map_concurrently(chosen, self._try_read)
            self._outcomes = dict(zip(map(str, chosen), outcomes, strict=True))
            self._count = min(2 * self._count, MOST_AT_ONCE)
        outcome = self._outcomes.pop(wanted)
        if isinstance(outcome, StithyError):
            raise outcome
        return outcome

    async def _try_read(self, place: Place) -> tuple[httpx.Response, Any] | StithyError:
        try:
            return await self._read(place)
        except StithyError as error:
            return error


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
        async for page in self._walk(path, rows, min(size, most), query, or_null=or_null, most=most):
            items += page.items
            gap = gap or page.gap
            total = page.total if total is None else total
            if len(items) >= most:
                break
        reasons = (gap, _describe_cut(page, len(items), most, total))
        return Listing(tuple(items[:most]), total=total, cut="; ".join(filter(None, reasons)))

    async def _walk(
        self, path: str, rows: str, size: int, query: Query, *, or_null: bool = False, most: int | None = None
    ) -> AsyncIterator[ListPage]:
        """Iterate the pages of a list; the last one is `REPEATED` if the list loops.

        Args:
            path: The path of the list.
            rows: The field that holds the items, as for `read_listing`.
            size: The number of items per page; 0 for the forge's own.
            query: Further parameters.
            or_null: Whether null stands for no items.
            most: How many items are wanted; None for all that the caller goes on to read.
        """
        expected = ExpectedRows(rows, size, or_null, self._paging)
        place = Place(path, {**query, **({self._paging.size: size} if size else {}), **self._paging.first})
        read, equal, before, total = 0, 0, list[Any](), None
        seen = deque([str(place)], maxlen=LONGEST_LOOP)
        list_later: Callable[[], Sequence[Place]] = tuple
        needed: int | None = None
        # A caller who names a number of items reads all pages until then, so that none is read in vain.
        count = 1 if most is None else MOST_AT_ONCE
        ahead = Lookahead(lambda place: self._read(place.target, place.parameters, expected), count)
        for number in range(1, MOST_PAGES + 1):
            response, body = await ahead.read(place, list_later, needed)
            items = expected.get_rows(body)
            equal = equal + 1 if items and items == before else 0
            # A server that ignores the parameters answers the same for ever.
            if equal > _count_allowed_repeats(items, read, total):
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
            place = self._locate(following, response.request.url, place)
            needed = None if most is None else ceil((most - read) / len(items)) if items else 1
            list_later = partial(list_later_places, place, following, page, total)
            if (key := str(place)) in seen:
                yield REPEATED
                return
            seen.append(key)
        raise Rejected(f"{self._config.alias} has over {MOST_PAGES:,} pages at {path}", suggestion=LESS)

    def _locate(self, following: NextPage, url: httpx.URL, place: Place) -> Place:
        """Return where the next page is; `url` is that of the page before it, at `place`."""
        target, parameters = place
        if following.url:  # whole, with all parameters
            target, parameters = self._urls.resolve_page(url, following.url), {}
        return Place(target, {**parameters, **following.query})


def _count_allowed_repeats(items: list[Any], read: int, total: int | None) -> int:
    """Return how often a page may equal the one before: two pages of objects are the same objects, texts may recur.

    Nothing recurs after the last one of `total` items, which were read before.
    """
    is_whole = total is not None and read >= total
    return 0 if is_whole or any(isinstance(item, Mapping) for item in items) else 1


def list_later_places(place: Place, following: NextPage, page: PageResponse, total: int | None) -> Sequence[Place]:
    """Return where some of the pages after the next one are, if the number of the last one is known.

    They differ from the next one in the parameter `page` alone. The last one is known by the header `Link`, or by the
    total.

    Args:
        place: Where the next page is.
        following: How the forge names it.
        page: The page before it.
        total: The number of items on all pages; None if the forge does not report it.
    """
    if following.url:
        return _list_later_urls(httpx.URL(place.target), find_link(page.headers, "last"))
    number = parse_count(following.query.get("page")) if following.query.keys() == {"page"} else None
    if number is None or not total or not page.items:
        return []
    last = ceil(total / len(page.items))
    return [Place(place.target, {**place.parameters, "page": one}) for one in _list_later(number, last)]


def _list_later_urls(url: httpx.URL, last: str) -> Sequence[Place]:
    """Return some of the URLs between that of the next page and that of the last one."""
    try:
        end = url.join(last)
    except httpx.InvalidURL:
        return []
    number, count = (parse_count(one.params.get("page")) for one in (url, end))
    if number is None or count is None or end != url.copy_set_param("page", count):
        return []
    return [Place(str(url.copy_set_param("page", one)), {}) for one in _list_later(number, count)]


def _list_later(number: int, last: int) -> range:
    return range(number + 1, min(last, number + MOST_AT_ONCE - 1) + 1)


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
