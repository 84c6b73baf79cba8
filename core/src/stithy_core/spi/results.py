"""What handlers return: a frozen attrs class with `render()`, and in it a `Page` where callers page through a list."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, Protocol, TypeVar, runtime_checkable

from attrs import Factory, frozen

T = TypeVar("T")


class Hint(str):
    """A line of `render()` that says what no field says: why a list is empty, what to do next.

    Some hosts pass on the object alone. So the server puts these lines into the object, too, as `note`.
    """

    __slots__ = ()


@runtime_checkable
class Result(Protocol):
    """Any frozen attrs class that can say itself in a few lines."""

    def render(self) -> Iterable[str]:
        """Give the lines of the text block, the most important first.

        Called after the page was cut, so that it shows what is really sent; maybe several times, on copies with shorter
        texts. Never leave out ids, places and verdicts; `excerpt` gives how a long text begins. A line that says more
        than the fields is a `Hint`.
        """
        ...


@frozen
class Page(Generic[T]):
    """A list of a result that the server may cut to its size budget.

    A result may have several: one cursor leads through all of them, each beginning where the one before it ends.

    Args:
        items: All the items at hand, in their final order.
        key: A key that no two items of the result share and that stays the same while the list changes; it is in the
            cursor, so that it is best short.
        partial: Whether there are more items than the ones at hand.
        limit: How many items the caller asked for at most.
        total: How many there are in truth; known by itself when nothing is missing, None when it is not known.
    """

    items: Sequence[T]
    key: Callable[[T], str]
    partial: bool = False
    limit: int | None = None
    total: int | None = Factory(lambda self: None if self.partial else len(self.items), takes_self=True)

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)
