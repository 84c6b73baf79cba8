"""Pages of lists that are sorted newest first.

Each page reads as many items as the caller has seen plus one page, so the first page of fifty thousand issues costs one
request. New items appear at the front of the list. Therefore a cursor names the number of the last item seen; the count
of items before it only says how many to read.
"""

from collections.abc import Awaitable, Callable, Sequence
from itertools import dropwhile
from typing import Generic, TypeVar

from attrs import frozen

from stithy_comments.conversations.comment_results import count_total
from stithy_core.spi import Issue, Listing

T = TypeVar("T", bound=Issue)

Read = Callable[[int], Awaitable[Listing[T]]]


@frozen
class NewestPage(Generic[T]):
    """A page of a list.

    Args:
        items: In the order of the list; one more than the limit, if there is one.
        place: The number of items before this page.
        total: The number of items in the whole list; None if unknown.
        incomplete: Why further items cannot be read; None if the list is complete.
    """

    items: Sequence[T]
    place: int
    total: int | None
    incomplete: str | None

    def key(self, number: int) -> str:
        """Return the cursor key of an item, `number.count`: its number, and its 1-based position in the list."""
        at = next(index for index, item in enumerate(self.items, 1) if item.ref.number == number)
        return f"{number}.{self.place + at}"


async def read_newest(read: Read[T], after: str | None, limit: int) -> NewestPage[T]:
    """Read the page after a cursor.

    Args:
        read: A function that reads the newest items, as many as its argument says.
        after: What `Stretch.key` returned for the last item seen; None for the first page.
        limit: The number of items on the page.
    """
    number, _, seen = (after or "").partition(".")
    most = int(seen or 0) + limit + 1
    while True:
        found = await read(most)
        rest = _list_after(found, int(number)) if number else found.items
        ended = not found.cut or len(found) < most
        if ended or len(rest) > limit:
            lost = found.cut if ended and len(rest) <= limit else ""
            return NewestPage(rest[: limit + 1], len(found) - len(rest), count_total(found), lost or None)
        most *= 2  # many items are new since the last page, or the cursor's item is gone


def _list_after(found: Listing[T], number: int) -> tuple[T, ...]:
    """Return the items after a number; if that item is gone, all older ones, so that none is skipped."""
    numbers = [item.ref.number for item in found]
    if number in numbers:
        return found.items[numbers.index(number) + 1 :]
    return tuple(dropwhile(lambda item: item.ref.number > number, found.items))
