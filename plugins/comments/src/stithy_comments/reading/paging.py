"""Pages of pieces: what follows on what the caller has, as far as one answer goes."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Generic, TypeVar

from attrs import Factory, define

from stithy_comments.reading.diffs import DiffPart, parts_of
from stithy_comments.reading.pieces import Piece, cost, pieces_of
from stithy_core.spi import Conflict, Page

T = TypeVar("T")

ROOM = 16_384
"""Bytes of an answer: no page holds more."""


@define
class Following(Generic[T]):
    """Gathers the pieces of a page in their order; those that the caller has seen pass by.

    Args:
        after: The key of the last one seen.
        limit: How many at most.
    """

    after: str | None
    limit: int
    items: list[T] = Factory(list)
    passed: int = 0
    room: int = ROOM
    more: bool = False

    def add(self, item: T, text: str) -> None:
        """Take the next piece; `more` says when there is no room for one.

        Raises:
            Conflict: Up to the last one seen it is not the same text any more.
        """
        key = key_of(text)
        if self.after is not None:
            if _number(key) == _number(self.after) and key != self.after:
                raise changed()
            self.after = None if key == self.after else self.after
            self.passed += 1
        elif self.room <= 0 or len(self.items) == self.limit:
            self.more = True
        else:
            self.items.append(item)
            self.room -= cost(text)


def page_of_text(text: str, after: str | None, limit: int) -> Page[str]:
    """Give a page of a text; joined, the pieces of all pages are the text.

    Raises:
        Conflict: It has changed since the page before.
    """
    page, pieces = Following[str](after, limit), pieces_of(text)
    for piece in pieces:
        page.add(piece, piece)
    if page.after is not None:
        raise changed()
    return Page(page.items, key=key_of, partial=page.more, limit=limit, total=len(pieces))


async def page_of_diff(diff: AsyncIterator[bytes], after: str | None, limit: int) -> Page[DiffPart]:
    """Give a page of a diff, which is read no further than the page needs; what comes before it is read and let go.

    Raises:
        Conflict: What the caller has seen of it has changed.
    """
    page = Following[DiffPart](after, limit)
    async with aclosing(parts_of(diff)) as parts:
        async for part in parts:
            page.add(part, part.text)
            if page.more:
                break
    if page.after is not None:
        raise changed()
    total = None if page.more else page.passed + len(page.items)
    return Page(page.items, key=lambda part: key_of(part.text), partial=page.more, limit=limit, total=total)


def key_of(text: str) -> str:
    """Give the key of a piece."""
    return text.key if isinstance(text, Piece) else ""


def changed() -> Conflict:
    """Give the error for a text that is not what its first pages were read of."""
    return Conflict(
        "it has changed since the page before was read, and what follows would not fit to that",
        suggestion="Leave the cursor out to begin anew.",
    )


def _number(key: str) -> str:
    return key.partition(".")[0]
