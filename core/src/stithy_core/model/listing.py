"""What a forge lists, and how much of it that is."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar, overload

from attrs import frozen

T = TypeVar("T")
S = TypeVar("S")


@frozen(eq=False)
class Listing(Sequence[T]):
    """Items in the order of the forge, or of the operation that gave them.

    Args:
        items: What was read.
        total: How many there are, where the forge says so truly; None where it does not.
        cut: Why there are more than `items`; empty where they are all.
    """

    items: tuple[T, ...] = ()
    total: int | None = None
    cut: str = ""

    def map(self, change: Callable[[T], S]) -> "Listing[S]":
        """Give the same listing of other things, one for one."""
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
