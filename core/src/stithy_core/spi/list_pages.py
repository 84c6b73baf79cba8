"""How a forge cuts lists into pages: where the next one is, how many items there are, and which are missing."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import Factory, field, frozen

MOST_DIGITS = 18
"""Digits of a count; a longer number is a fault of the server."""
LINK = re.compile(r'<([^<>]*)>((?:[^,"<]|"(?:[^"\\]|\\.)*")*)')
LINK_PARAMETER = re.compile(r';\s*([\w!#$&+.^`|~*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))')


@frozen(kw_only=True)
class PageResponse:
    """One page of a list, as the forge answered it.

    Args:
        number: The number of the page, from 1 on.
        items: Its items.
        read: The number of items that were read so far, including these.
        size: The number of items of a full page; 0 if it is not known.
        headers: The headers, with names in lower case.
        body: The parsed JSON that holds the items.
    """

    number: int = 1
    items: Sequence[Any] = ()
    read: int = 0
    size: int = 0
    headers: Mapping[str, str] = Factory(dict)
    body: Any = None


@frozen(kw_only=True)
class NextPage:
    """Where the next page is.

    Args:
        url: Its URL, which may be relative to that of this page. Another host, and a path outside of the API, are
            refused. By default the same path with the same parameters.
        query: Parameters that are added to it, or replaced in it.
    """

    url: str = ""
    query: Mapping[str, str | int] = Factory(dict)


def increment_page(page: PageResponse) -> NextPage | None:
    """Return the page of the next number, by the parameter `page`; None after a page that is empty or not full."""
    is_last = not page.items or len(page.items) < page.size
    return None if is_last else NextPage(query={"page": page.number + 1})


def follow_link_header(page: PageResponse) -> NextPage | None:
    """Return the page that the header `Link` names with `rel="next"` (RFC 8288); None without one."""
    for link in LINK.finditer(page.headers.get("link", "")):
        parameters = reversed(LINK_PARAMETER.findall(link[2]))  # of a parameter that is repeated, the first counts
        relations = {name.lower(): quoted or plain for name, quoted, plain in parameters}.get("rel", "")
        if link[1] and "next" in relations.lower().split():
            return NextPage(url=link[1])
    return None


def parse_count(value: object) -> int | None:
    """Return a number of items from a header or from JSON; None if it is not a whole number from 0 on."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= MOST_DIGITS:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def read_total(page: PageResponse) -> int | None:
    """Return the total in the header `X-Total-Count`, or in the field `total_count` beside the items."""
    in_body = page.body.get("total_count") if isinstance(page.body, dict) else None
    return parse_count(page.headers.get("x-total-count", in_body))


def no_gaps(page: PageResponse) -> str:  # noqa: ARG001 -- a list without gaps needs no page for this
    """Return an empty reason: the list is complete."""
    return ""


@frozen(kw_only=True)
class Paging:
    """How a forge cuts lists into pages.

    Args:
        next_page: Returns where the next page is; None after the last one. `increment_page`, `follow_link_header`, or
            a function of the forge.
        total: Returns the number of items on all pages; None if the forge does not report it reliably.
        gaps: Returns why items are missing; empty if none are. It becomes the listing's `cut`.
        size: The query parameter for the number of items per page.
        first: The parameters of the first page; by default `page=1` for `increment_page`, and none for others.
    """

    next_page: Callable[[PageResponse], NextPage | None] = increment_page
    total: Callable[[PageResponse], int | None] = read_total
    gaps: Callable[[PageResponse], str] = no_gaps
    size: str = "limit"
    first: Mapping[str, str | int] = field()

    @first.default
    def _number_first_page(self) -> Mapping[str, str | int]:
        return {"page": 1} if self.next_page is increment_page else {}
