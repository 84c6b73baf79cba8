"""Lists of which GitHub gives less than it counts."""

from collections.abc import Iterable
from typing import TypeVar

from stithy_core.spi import Listing

T = TypeVar("T")

PAGE_SIZE = 100
"""Rows of a page at most (docs/forge-behaviour/github.md#paging)."""


def build_listing(items: Iterable[T], total: int | None, what: str, cut: str = "") -> Listing[T]:
    """Give a listing that says so where there are more.

    Args:
        items: What was read.
        total: How many GitHub counts; None where it does not.
        what: What they are, and of what.
        cut: Why the reading itself ended early, if it did.
    """
    whole = tuple(items)
    if not cut and total is not None and total > len(whole):
        cut = f"GitHub lists only {len(whole):,} of the {total:,} {what}"
    return Listing(whole, None if total is None else max(total, len(whole)), cut)
