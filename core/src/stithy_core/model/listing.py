"""Lists of a forge, and how complete they are."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar, overload

from attrs import frozen

T = TypeVar("T")
S = TypeVar("S")


@frozen(eq=False)
class Listing(Sequence[T]):
    """Items in the order of the forge, or of the operation that returned them.

    Args:
        items: The items that were read.
        total: The number of items that exist, if the forge reports it reliably; otherwise None.
        cut: Why items are missing; empty if all were read.
    """

    items: tuple[T, ...] = ()
    total: int | None = None
    cut: str = ""

    def map(self, change: Callable[[T], S]) -> "Listing[S]":
        """Return a listing with `change` applied to each item, and the same total and cut."""
        return Listing(tuple(change(item) for item in self.items), self.total, self.cut)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        return self.items[index]

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)
