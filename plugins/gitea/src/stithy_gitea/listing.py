"""Reads paged lists."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from stithy_core.spi import Listing, NotFound, RepositoryRef
from stithy_gitea.paging import page_size
from stithy_gitea.subjects import read_repository_with

if TYPE_CHECKING:
    from stithy_core.spi import Forge

Row = dict[str, Any]


async def read_first_rows(
    forge: "Forge",
    repository: RepositoryRef,
    path: str,
    most: int,
    *,
    kind: str,
    keep: Callable[[Row], bool] | None = None,
    **query: Any,
) -> Listing[Row]:
    """Return the first rows of a list.

    Args:
        forge: The forge.
        repository: The repository that the list belongs to.
        path: The path of the list.
        most: The maximum number of rows.
        kind: What the list contains: `ISSUE` or `PULL_REQUEST`.
        keep: Selects rows, where not every server applies `query`; all by default, so that an invalid row is reported
            and not skipped.
        query: The parameters of the URL.

    Raises:
        NotFound: The repository does not exist, or its owner turned these lists off.
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
        raw = await read_repository_with(forge, repository, kind)
        if raw.get("empty") is not True:
            text = f"{forge.config.alias} shows this token no {kind}s of {repository}"
            remedy = "Check that the token's user may read them."
            raise NotFound(text, suggestion=remedy, details=error.details) from error
        return Listing((), total=0)  # Gitea has no list of pull requests until something is pushed
    return Listing(tuple(kept), total=len(kept))
