"""Reading lists that come in pages."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from stithy_core.spi import Listing, NotFound, RepositoryRef
from stithy_gitea.paging import page_size

if TYPE_CHECKING:
    from stithy_core.spi import Forge

Row = dict[str, Any]


async def first(
    forge: "Forge",
    repository: RepositoryRef,
    path: str,
    most: int,
    *,
    keep: Callable[[Row], bool] | None = None,
    **query: Any,
) -> Listing[Row]:
    """Read the first rows of a list.

    Args:
        forge: Whose list.
        repository: To which it belongs.
        path: Where it is.
        most: How many at most.
        keep: Which rows count, where not every server filters by what `query` says; all by default, so that a row of
            no use is the server's fault and not skipped.
        query: What to ask for.

    Raises:
        NotFound: There is no such repository.
    """
    kept: list[Row] = []
    read = 0
    try:
        async for rows in forge.http.pages(path, size=await page_size(forge), **query):
            read += len(rows)
            kept += rows if keep is None else filter(keep, rows)
            if len(kept) > most:
                return Listing(tuple(kept[:most]), None, f"only the first {most:,} were read")
    except NotFound as error:
        raise NotFound(
            f"{forge.config.alias} has no repository {repository}, or the token may not see it",
            suggestion="Check the name, and that the token's user can read it.",
            details=error.details,
        ) from error
    return Listing(tuple(kept), len(kept))
