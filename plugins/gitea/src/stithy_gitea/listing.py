"""Reads paged lists."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from stithy_core.spi import Listing, NotFound, RepositoryRef
from stithy_gitea.paging import page_size

if TYPE_CHECKING:
    from stithy_core.spi import Forge

Row = dict[str, Any]


async def read_first_rows(
    forge: "Forge",
    repository: RepositoryRef,
    path: str,
    most: int,
    *,
    keep: Callable[[Row], bool] | None = None,
    **query: Any,
) -> Listing[Row]:
    """Return the first rows of a list.

    Args:
        forge: The forge.
        repository: The repository that the list belongs to.
        path: The path of the list.
        most: The maximum number of rows.
        keep: Selects rows, where not every server applies `query`; all by default, so that an invalid row is reported
            and not skipped.
        query: The parameters of the URL.

    Raises:
        NotFound: The repository does not exist.
    """
    kept: list[Row] = []
    read = 0
    try:
        async for rows in forge.http.pages(path, size=await page_size(forge), **query):
            read += len(rows)
            kept += rows if keep is None else filter(keep, rows)
            if len(kept) > most:
                return Listing(tuple(kept[:most]), total=None, cut=f"only the first {most:,} were read")
    except NotFound as error:
        raise NotFound(
            f"{forge.config.alias} has no repository {repository}, or the token may not see it",
            suggestion="Check the name, and that the token's user can read it.",
            details=error.details,
        ) from error
    return Listing(tuple(kept), total=len(kept))
