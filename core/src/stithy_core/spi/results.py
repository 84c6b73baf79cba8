"""Results of handlers: frozen attrs classes with `render()`, and a `Page` for each list that callers page through."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, Protocol, TypeVar, runtime_checkable

from attrs import Factory, frozen

T = TypeVar("T")


class Hint(str):
    """A line of `render()` that no field contains: why a list is empty, what to do next.

    Some hosts pass on the object alone, so the server also puts these lines into the object, as `note`.
    """

    __slots__ = ()


@runtime_checkable
class Result(Protocol):
    """A frozen attrs class that can be rendered as a few lines of text."""

    def render(self) -> Iterable[str]:
        """Return the lines of the text block, most important first.

        It is called after pages were cut, so that it shows what is sent, and possibly again on copies with shorter
        texts. Never leave out ids, locations and verdicts; shorten long texts by `excerpt`. A line that says more than
        the fields is a `Hint`.
        """
        ...


@frozen
class Page(Generic[T]):
    """A list of a result that the server may cut to its size budget.

    A result may have several; one cursor pages through all of them, in the order of the fields.

    Args:
        items: The items that were read, in their final order.
        key: Returns an item's key: unique within the result, stable while the list changes, and short, since the
            cursor contains it.
        partial: Whether more items exist than were read.
        limit: The maximum number of items that the caller asked for.
        total: The number of items that exist; `len(items)` by default if nothing is missing, otherwise None (unknown).
    """

    items: Sequence[T]
    key: Callable[[T], str]
    partial: bool = False
    limit: int | None = None
    total: int | None = Factory(lambda self: None if self.partial else len(self.items), takes_self=True)

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)
