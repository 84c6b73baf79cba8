"""Pages of pieces: those after the cursor, as many as fit into one answer."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Generic, TypeVar

from attrs import Factory, define

from stithy_comments.pull_request_parts.diff_parts import DiffPart, split_diff
from stithy_comments.pull_request_parts.text_pieces import Piece, measure_json, split_text
from stithy_core.spi import BYTE_BUDGET, Conflict, Page

T = TypeVar("T")


@define
class PageCollector(Generic[T]):
    """Collects the pieces of a page in order and skips those before the cursor.

    Args:
        after: The key of the last piece seen; None once the page has begun.
        limit: Maximum number of pieces.
    """

    after: str | None
    limit: int
    items: list[T] = Factory(list)
    passed: int = 0
    free: int = BYTE_BUDGET
    more: bool = False

    def add(self, item: T, text: str) -> None:
        """Add the next piece, or set `more` if it does not fit.

        Raises:
            Conflict: The text up to the last piece seen has changed.
        """
        key = get_piece_key(text)
        if self.after is not None:
            if _number(key) == _number(self.after) and key != self.after:
                raise create_changed_error()
            self.after = None if key == self.after else self.after
            self.passed += 1
        elif self.free <= 0 or len(self.items) == self.limit:
            self.more = True
        else:
            self.items.append(item)
            self.free -= measure_json(text)


def paginate_text(text: str, after: str | None, limit: int) -> Page[str]:
    """Return a page of a text; joined, the pieces of all pages are the text.

    Raises:
        Conflict: The text has changed since the previous page.
    """
    page, pieces = PageCollector[str](after, limit), split_text(text)
    for piece in pieces:
        page.add(piece, piece)
    if page.after is not None:
        raise create_changed_error()
    return Page(page.items, key=get_piece_key, partial=page.more, limit=limit, total=len(pieces))


async def paginate_diff(diff: AsyncIterator[bytes], after: str | None, limit: int) -> Page[DiffPart]:
    """Return a page of a diff; the diff is read up to the end of the page, and what is before the page is discarded.

    Raises:
        Conflict: The diff up to the cursor has changed since the previous page.
    """
    page = PageCollector[DiffPart](after, limit)
    async with aclosing(split_diff(diff)) as parts:
        async for part in parts:
            page.add(part, part.text)
            if page.more:
                break
    if page.after is not None:
        raise create_changed_error()
    total = None if page.more else page.passed + len(page.items)
    return Page(page.items, key=lambda part: get_piece_key(part.text), partial=page.more, limit=limit, total=total)


def get_piece_key(text: str) -> str:
    """Return the key of a piece; empty for other texts."""
    return text.key if isinstance(text, Piece) else ""


def create_changed_error() -> Conflict:
    """Create the error for a text that has changed since its previous page."""
    return Conflict(
        "the text has changed since the previous page, so the next part would not match",
        suggestion="Repeat the call without cursor to start from the first page.",
    )


def _number(key: str) -> str:
    return key.partition(".")[0]
