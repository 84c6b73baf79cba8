"""Lists out of which a server takes rows after it has cut the pages: reviews and timelines.

Gitea up to 1.25 and Forgejo give the whole where no page is asked for, Gitea from 1.26 on gives the first page of it.
The drafts of others, inline comments, and references from where the token may not look are taken out of the pages:
neither a short page nor an empty one is the end (docs/forge-behaviour/gitea.md#paging).
"""

from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any

from stithy_core.spi import map_concurrently, parse_count
from stithy_gitea.paging import page_size

if TYPE_CHECKING:
    from stithy_core.spi import Forge

Row = dict[str, Any]

AT_ONCE = 8
CUTS_SINCE = (1, 26)
USUAL = 30


async def read_counted_rows(forge: "Forge", path: str) -> list[Row]:
    """Read a list whose header counts what is taken out as well."""
    answer = await forge.http.fetch(path, shape=list)
    rows: list[Row] = answer.body
    total = parse_count(answer.headers.get("x-total-count")) or 0
    if total <= len(rows) or not await is_cut_by_default(forge):
        return rows
    size = await page_size(forge) or max(len(rows), 1)
    pages = await map_concurrently(range(1, -(-total // size) + 1), lambda number: _page(forge, path, number, size))
    return _each_once([rows, *pages])


async def read_uncounted_rows(
    forge: "Forge", path: str, hidden: Callable[[list[Row]], Awaitable[int]]
) -> tuple[list[Row], int]:
    """Read a timeline, which nothing counts, up to an empty page that is not explained by what is taken out.

    Where it is empty both servers write null, and an event that they fail to convert is null, too.

    Args:
        forge: Whose list.
        path: Where it is.
        hidden: From what was read so far to how many rows are known to be taken out; asked once, at an empty page.

    Returns:
        The rows, and how many events the server wrote as null.
    """
    if not await is_cut_by_default(forge):
        page = await forge.http.get(path, shape=list, or_null=True) or []
        return _each_once([page]), page.count(None)
    size = await page_size(forge) or USUAL
    pages: list[list[Row | None]] = []
    known: int | None = None
    while True:
        ahead = range(len(pages) + 1, len(pages) + 1 + min(max(len(pages), 1), AT_ONCE))
        pages += await map_concurrently(ahead, lambda number: _timeline_page(forge, path, number, size))
        rows = _each_once(pages)
        if any(pages[-1]):
            continue
        known = await hidden(rows) if known is None else known
        if sum(size - len(page) for page in pages) > known:
            return rows, sum(page.count(None) for page in pages)


async def is_cut_by_default(forge: "Forge") -> bool:
    """Return whether the server cuts these lists unasked; a version without numbers may."""
    version = await forge.version()
    return version.flavour == "gitea" and not () < version.number < CUTS_SINCE


async def _page(forge: "Forge", path: str, number: int, size: int) -> list[Row]:
    rows: list[Row] = await forge.http.get(path, page=number, limit=size, shape=list)
    return rows


async def _timeline_page(forge: "Forge", path: str, number: int, size: int) -> list[Row | None]:
    rows: list[Row | None] | None = await forge.http.get(path, page=number, limit=size, shape=list, or_null=True)
    return rows or []


def _each_once(pages: Iterable[Iterable[Row | None]]) -> list[Row]:
    return list({row["id"]: row for page in pages for row in page if row is not None}.values())
