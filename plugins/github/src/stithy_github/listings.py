"""Listings that report how many items GitHub leaves out."""

from collections.abc import Iterable
from typing import TypeVar

from stithy_core.spi import Listing

T = TypeVar("T")

PAGE_SIZE = 100
"""The maximum number of rows of a page (docs/forge-behaviour/github.md#paging)."""


def build_listing(items: Iterable[T], total: int | None, description: str, cut: str = "") -> Listing[T]:
    """Return a listing whose `cut` says so if GitHub counts more items than it lists.

    Args:
        items: The items that were read.
        total: GitHub's count; None if it does not report one.
        description: What the items are, such as "runs of the commit".
        cut: Why reading ended early, if it did.
    """
    rows = tuple(items)
    if not cut and total is not None and total > len(rows):
        cut = f"GitHub lists only {len(rows):,} of the {total:,} {description}"
    return Listing(rows, total=None if total is None else max(total, len(rows)), cut=cut)
