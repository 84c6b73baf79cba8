"""A server that lists rows in pages, whose validators are of the body alone, and whose 304 has no other header."""

import json
from collections.abc import Callable
from hashlib import blake2b
from typing import Any
from urllib.parse import parse_qs, urlsplit

from loopback import Received, Server, message

from stithy_core.spi import Dialect, Paging, follow_link_header, increment_page

SIZE = 3
STYLES = ["links", "links-wrapped", "links-counted", "numbers", "numbers-counted", "numbers-wrapped"]


def serve(server: Server, style: str, rows: list[int]) -> None:
    """Serve rows in pages."""

    def answer(request: Received) -> bytes:
        query = parse_qs(urlsplit(request.target).query)
        page, size = int(query.get("page", ["1"])[0]), int(query["size"][0])
        body = rows[(page - 1) * size : page * size]
        whole = {"runs": body} if "wrapped" in style else body
        etag = blake2b(json.dumps(whole).encode(), digest_size=8).hexdigest()
        if request.headers.get("if-none-match") == etag:
            return message(304)
        more: dict[str, object] = {"x_total_count": len(rows)} if "counted" in style else {}
        if "links" in style and len(rows) > page * size:
            more["link"] = f'</x?size={size}&page={page + 1}>; rel="next"'
        return message(200, whole, etag=etag, **more)

    server.answers["GET /x"] = answer


def dialect_of(style: str) -> Dialect:
    next_page = follow_link_header if "links" in style else increment_page
    return Dialect(paging=Paging(next_page=next_page, size="size"))


async def read_while_rows_are_added(
    server: Server, make: Callable[..., Any], open_store: Callable[[], Any], style: str, before: int
) -> None:
    """Read a list whose last page is full three times, each time with another store and one row more."""
    rows = list(range(before))
    serve(server, style, rows)
    for _ in range(3):
        http = make(server.url, store=open_store(), dialect=dialect_of(style))
        listing = await http.items("/x", rows="runs", size=SIZE)
        assert listing.items == tuple(rows)
        assert listing.total in (None, len(rows))
        rows.append(len(rows))
