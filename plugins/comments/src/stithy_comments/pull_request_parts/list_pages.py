"""Pages of lists. Only the rows of the page are built, since every page reads the whole list from the forge."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar

from attrs import frozen

from stithy_core.spi import Listing, Page

T = TypeVar("T")


@frozen
class PageRequest:
    """The page that a caller asks for.

    Args:
        after: The key of the last row seen; None for the first page.
        limit: Maximum number of rows.
    """

    after: str | None
    limit: int

    def part(self, name: str, found: Listing[T], row: Callable[[T], Any], key: str = "id") -> dict[str, Any]:
        """Return the fields of a result: the page under `name`, `total`, and `cut` if the forge's list is incomplete.

        Args:
            name: The field of the page.
            found: The list.
            row: The function that creates a row from an item.
            key: The attribute of both items and rows that identifies them.
        """
        identity = attrgetter(key)
        keys = [str(identity(item)) for item in found]
        # If the cursor's row is gone or its key is not unique, the server compares the rows before it: it needs all.
        unclear = self.after is not None and keys.count(self.after) != 1
        seen = keys.index(self.after) + 1 if self.after is not None and not unclear else 0
        items = found.items if unclear else found.items[seen : seen + self.limit]
        page: Page[Any] = Page(
            [row(item) for item in items],
            key=lambda shown: str(identity(shown)),
            partial=seen + len(items) < len(found),
            limit=self.limit,
            total=found.total if found.cut else len(found),
        )
        return {name: page, "total": page.total, "cut": found.cut or None}
