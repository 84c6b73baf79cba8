"""Lists that begin with the newest, and how a cursor goes on in them.

A forge is asked for as many as the caller has seen and one page more, so that the first page of fifty thousand issues
costs one request. Since the list grows at its front, a cursor names the last number that was seen; how many stood up to
it only says how much to ask for.
"""

from collections.abc import Awaitable, Callable, Sequence
from itertools import dropwhile
from typing import Generic, TypeVar

from attrs import frozen

from stithy_comments.talk.comments import total_of
from stithy_core.spi import Issue, Listing

T = TypeVar("T", bound=Issue)

Read = Callable[[int], Awaitable[Listing[T]]]


@frozen
class Stretch(Generic[T]):
    """A part of a list.

    Args:
        items: In the order of the list; one more than was asked for, if there is one.
        place: How many stand before them.
        total: How many the whole list has; None where that is not known.
        incomplete: Why the list has more behind them that cannot be read; None where it has not.
    """

    items: Sequence[T]
    place: int
    total: int | None
    incomplete: str | None

    def key(self, number: int) -> str:
        """Give what a cursor keeps of an item: its number, and how many stand up to it."""
        at = next(index for index, item in enumerate(self.items, 1) if item.ref.number == number)
        return f"{number}.{self.place + at}"


async def newest(read: Read[T], after: str | None, limit: int) -> Stretch[T]:
    """Read what follows a place in a list.

    Args:
        read: Reads so many of the newest.
        after: What `Stretch.key` gave of the last item that was seen; None to begin.
        limit: How many are wanted.
    """
    number, _, seen = (after or "").partition(".")
    most = int(seen or 0) + limit + 1
    while True:
        found = await read(most)
        rest = _behind(found, int(number)) if number else found.items
        ended = not found.cut or len(found) < most
        if ended or len(rest) > limit:
            lost = found.cut if ended and len(rest) <= limit else ""
            return Stretch(rest[: limit + 1], len(found) - len(rest), total_of(found), lost or None)
        most *= 2  # many are new since, or were seen and are gone


def _behind(found: Listing[T], number: int) -> tuple[T, ...]:
    """Give what stands behind a number; where that has gone, what is older, so that nothing is left out."""
    numbers = [item.ref.number for item in found]
    if number in numbers:
        return found.items[numbers.index(number) + 1 :]
    return tuple(dropwhile(lambda item: item.ref.number > number, found.items))
