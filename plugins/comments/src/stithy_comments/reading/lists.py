"""Lists as pages. Of a long one only the rows of the page are made, since every page reads the whole list."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar

from attrs import frozen

from stithy_core.spi import Listing, Page

T = TypeVar("T")


@frozen
class Wanted:
    """What of a list a caller wants.

    Args:
        after: The key of the last row seen.
        limit: How many rows at most.
    """

    after: str | None
    limit: int

    def part(self, name: str, found: Listing[T], row: Callable[[T], Any], key: str = "id") -> dict[str, Any]:
        """Give a page under its name, its total, and why there is more than the forge gave.

        Args:
            name: The field.
            found: The list.
            row: From an item to what is sent of it.
            key: What both call the text or number that names them.
        """
        identity = attrgetter(key)
        keys = [str(identity(item)) for item in found]
        # Where the row has gone, or has a namesake, the server looks at those that stood before it: it needs all.
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
