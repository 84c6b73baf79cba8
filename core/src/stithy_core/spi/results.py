"""Results of handlers: classes with `render()`, a `Page` for each list to page through, and shortened texts."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, Protocol, Self, TypeVar, runtime_checkable

from attrs import Factory, frozen

JOINER = "\u200d"
FLAGS = "".join(map(chr, range(0x1F1E6, 0x1F200)))
STEPS = 32
"""The maximum number of code points that a grapheme is searched back for."""


class Abridged(str):
    """A part of a text that knows the length of the whole text, which is the one to report.

    Args:
        text: The part.
        whole: The number of characters of the whole text.
    """

    __slots__ = ("whole",)

    whole: int

    def __new__(cls, text: str, whole: int) -> Self:
        """Create the string and set `whole`."""
        made = super().__new__(cls, text)
        made.whole = whole
        return made


def whole_length(text: str) -> int:
    """Return the number of characters of a text, or of the whole text that it was cut from."""
    length: int = getattr(text, "whole", len(text))
    return length


def excerpt(text: str, most: int = 200) -> str:
    """Return the beginning of a text in one line; if it is cut, with the length of the whole: `Lorem… [812 chars]`.

    Args:
        text: The text; an `Abridged` one reports the length of its whole.
        most: The maximum number of characters to show.
    """
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    return f"{line[: grapheme_boundary(line, most)]}… [{whole_length(text)} chars]"


def format_count(count: int | str, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `1 file`, `2,000 files`, `3 replies`.

    Args:
        count: The number; a text, such as `at least 3`, counts as more than one.
        noun: The noun in the singular.
        plural: Its plural, if that does not follow the rule.
    """
    if count == 1:
        return f"1 {noun}"
    is_regular = not noun.endswith("y") or noun[-2:-1] in "aeiou"
    plural = plural or (f"{noun}s" if is_regular else f"{noun[:-1]}ies")
    return f"{count:,} {plural}" if isinstance(count, int) else f"{count} {plural}"


def grapheme_boundary(text: str, at: int) -> int:
    """Return the start of the grapheme at an index, at most `STEPS` code points back."""
    for here in range(at, max(0, at - STEPS), -1):
        if here >= len(text) or not _extends_grapheme(text, here):
            return here
    return 0 if at <= STEPS else at


def _extends_grapheme(text: str, at: int) -> bool:
    """Return whether a code point extends the one before it (a subset of Unicode Annex 29)."""
    before, char = text[at - 1], text[at]
    if char < "\u0300":
        return before == "\r" and char == "\n"
    if before == JOINER or char in "\u200c\u200d" or "\U0001f3fb" <= char <= "\U0001f3ff":
        return True
    if char in FLAGS:
        return (at - len(text[:at].rstrip(FLAGS))) % 2 == 1  # two letters make one flag
    jamo = "\u1160" <= char <= "\u11ff"
    return jamo or "\U000e0020" <= char <= "\U000e007f" or unicodedata.category(char)[0] == "M"


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
