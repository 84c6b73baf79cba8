"""Copies of a result with shorter texts and lists, for an answer that keeps to its budget.

A text is never cut within a grapheme. Unchanged parts are the same objects.
"""

import copy
import typing
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import Enum
from typing import Any, Self, TypeAlias

import attrs
from attrs import frozen

from stithy_core.sanitize import clean, sendable
from stithy_core.spi import Abridged, Meta, Page, Unknown
from stithy_core.spi.tools import grapheme_boundary, json_bytes
from stithy_core.tools.schema import field_hints, split_notes


@frozen
class FieldNotes:
    """The notes of one field of a result class.

    Args:
        name: Its name in Python.
        wire: Its name in the answer.
        cut: Whether its texts may be cut; None where no note says.
        rest: The call or resource that returns the whole text.
        echo: Whether it repeats what the caller wrote.
    """

    name: str = ""
    wire: str = ""
    cut: bool | None = None
    rest: str = ""
    echo: bool = False


NO_FIELD = FieldNotes()
"""For values outside of fields."""

TextChange: TypeAlias = Callable[[str, FieldNotes], str]
"""Returns a text to put in place of another, by the notes of its field."""


class _NotesByClass(dict[type, tuple[FieldNotes, ...]]):
    def __missing__(self, cls: type) -> tuple[FieldNotes, ...]:
        self[cls] = notes = tuple(_read_notes(name, hint) for name, hint in field_hints(cls).items())
        return notes


# Not `functools.cache`: mypy does not take a class for hashable.
field_notes: Callable[[type], tuple[FieldNotes, ...]] = _NotesByClass().__getitem__
"""Return the notes of the fields of an attrs class."""


def _read_notes(name: str, hint: Any) -> FieldNotes:
    metas = list(_iterate_metas(hint))
    cuts = [meta.cut for meta in metas if meta.cut is not None]
    return FieldNotes(
        name=name,
        wire=split_notes(hint).name or name,
        cut=cuts[-1] if cuts else None,
        rest=next((meta.rest for meta in metas if meta.rest), ""),
        echo=any(meta.echo for meta in metas),
    )


def _iterate_metas(hint: Any) -> Iterator[Meta]:
    """Iterate over the notes of a type and of the types inside it: those of a list's items apply to its texts."""
    yield from (note for note in getattr(hint, "__metadata__", ()) if isinstance(note, Meta))
    for inner in typing.get_args(hint):
        if not isinstance(inner, Meta):
            yield from _iterate_metas(inner)


class CutText(str):
    """The beginning of a text, with a mark at its end.

    Args:
        text: What is left, with the mark.
        left: How many characters are left.
        whole: How many there were.
        hidden: How many hidden characters were removed before.
    """

    __slots__ = ("hidden", "left", "whole")

    left: int
    whole: int
    hidden: int

    def __new__(cls, text: str, left: int, whole: int, hidden: int = 0) -> Self:
        """Create the text."""
        made = super().__new__(cls, text)
        made.left, made.whole, made.hidden = left, whole, hidden
        return made

    def shorter(self, most: int) -> "CutText":
        """Return a shorter beginning of the same text, of at most `most` bytes."""
        return self if json_bytes(self) <= most else _cut_text(str(self)[: self.left], most, self.whole, self.hidden)


class CutList(list[Any]):
    """The first items of a list.

    Args:
        items: What is left.
        whole: How many there were.
    """

    def __init__(self, items: Iterable[Any], whole: int) -> None:
        super().__init__(items)
        self.whole = whole


class CutMapping(dict[str, Any]):
    """The first entries of a mapping.

    Args:
        entries: What is left.
        whole: How many there were.
    """

    def __init__(self, entries: Iterable[tuple[str, Any]], whole: int) -> None:
        super().__init__(entries)
        self.whole = whole


def truncate_text(text: str, most: int, *, hidden: int = 0, whole: int | None = None) -> str:
    """Return a text of at most so many bytes, with a mark where it was cut.

    Args:
        text: The text.
        most: Its largest size in bytes; the mark alone may need more.
        hidden: How many hidden characters were removed from it before.
        whole: How many characters the whole text has, if this is a part.
    """
    if whole is None or whole == len(text):
        if len(text) + 2 <= most and json_bytes(text) <= most:
            return text
        whole = len(text)
    return _cut_text(text, most, whole, hidden)


def _cut_text(text: str, most: int, whole: int, hidden: int) -> CutText:
    mark = f"… [{whole} chars]"
    left_over = max(0, most - json_bytes(mark))
    head = text[:left_over]  # no character is sent in less than a byte
    fitting = bisect_right(range(len(head) + 1), left_over, key=lambda length: json_bytes(head[:length]) - 2) - 1
    left = grapheme_boundary(text, fitting)
    return CutText(text[:left] + mark, left, whole, hidden)


SHORTEST = 64
NAMES = 256
PART = 16
WORD = 1_024
"""A text without blanks may be a path or a URL; hardly any is as long as this."""


@frozen
class Shrinker:
    """Cuts the texts and lists of a result.

    Args:
        texts: The largest size of a text, in bytes.
        items: The largest number of items of a list; None for any.
    """

    texts: int
    items: int | None = None

    def text(self, text: str, field: FieldNotes) -> str:
        """Return a text, cut if it may be cut, without hidden characters."""
        if field.cut is False or len(text) <= SHORTEST // 6:  # no character takes more than six bytes
            return text
        if field.cut is None and len(text) <= (NAMES if _has_blanks(text) else WORD):
            return text
        most = self.texts if field.cut else max(self.texts, NAMES)
        if isinstance(text, CutText):
            return text.shorter(most)
        return self._shorten(text, most, field)

    def _shorten(self, text: str, most: int, field: FieldNotes) -> str:
        """Return the beginning of a text without hidden characters; of a long text only a part is cleaned."""
        part = text[: PART * most]
        seen = _clean_text(part, field)
        if len(seen) <= most:
            part, seen = text, _clean_text(text, field)
        hidden = len(part) - len(seen)
        short = truncate_text(seen, most, hidden=hidden, whole=len(text) - hidden)
        if isinstance(short, CutText) and isinstance(text, Abridged):
            return truncate_text(seen, most, hidden=hidden, whole=text.whole)
        return short if isinstance(short, CutText) else text

    def __call__(self, value: Any) -> Any:
        """Return a copy of a result."""
        return map_texts(value, self.text, self.items)


def remove_hidden(result: Any) -> Any:
    """Return a copy without hidden characters, except in fields that repeat what the caller wrote."""
    return map_texts(result, _clean)


def _clean(text: str, field: FieldNotes) -> str:
    if field.echo or isinstance(text, CutText):
        return text
    seen = clean(text)
    return Abridged(seen, text.whole) if isinstance(text, Abridged) else seen


def map_texts(value: Any, change: TextChange, most: int | None = None, field: FieldNotes = NO_FIELD) -> Any:
    """Return a copy with each text changed, and with at most so many items in each list."""
    if value is None or isinstance(value, bool | int | float | Enum | datetime | Unknown):
        return value
    if isinstance(value, str):
        return change(value, field)
    if isinstance(value, Page):
        items = map_texts(value.items, change, most, field)
        return value if items is value.items else replace_field(value, "items", items)
    if attrs.has(type(value)):
        return _map_fields(value, change, most)
    if isinstance(value, Mapping):
        return _map_mapping(value, change, most, field)
    return _map_list(value, change, most, field) if isinstance(value, Sequence | set | frozenset) else value


def replace_field(value: Any, name: str, new: Any) -> Any:
    """Return a copy of a record with another value in one field; validators and converters do not run."""
    copied = copy.copy(value)
    object.__setattr__(copied, name, new)  # nobody else has the copy yet, frozen or not
    return copied


def shrink_to_fit(result: Any, fits: Callable[[Any], bool], budget: int) -> Any:
    """Return a copy of a result, cut as little as necessary: its long texts, and if that is not enough, its lists.

    Args:
        result: A result that is too large.
        fits: Whether a copy is small enough.
        budget: The largest size, in bytes.
    """
    most = max(1, budget // 2)
    small = Shrinker(max(budget, SHORTEST), most)(result)  # nothing longer could fit, and the rest is quick
    cut = shorten_texts(small, fits, budget)
    return _longest(lambda items: Shrinker(SHORTEST, items)(small), fits, 1, most) if cut is None else cut


def shorten_texts(result: Any, fits: Callable[[Any], bool], budget: int) -> Any:
    """Return a copy whose long texts are cut as little as necessary; None where that is not enough."""
    if not fits(Shrinker(SHORTEST)(result)):
        return None
    return _longest(lambda most: Shrinker(most)(result), fits, SHORTEST, budget)


def _longest(make: Callable[[int], Any], fits: Callable[[Any], bool], least: int, most: int) -> Any:
    """Return the longest copy that fits, found by bisection to about one percent."""
    best = make(least)
    while most - least > 1 + least // 100:
        middle = (least + most) // 2
        tried = make(middle)
        if fits(tried):
            least, best = middle, tried
        else:
            most = middle
    return best


def _map_fields(value: Any, change: TextChange, most: int | None) -> Any:
    for field in field_notes(type(value)):
        before = getattr(value, field.name)
        after = map_texts(before, change, most, field)
        if after is not before:
            value = replace_field(value, field.name, after)
    return value


def _map_mapping(value: Mapping[str, Any], change: TextChange, most: int | None, field: FieldNotes) -> Any:
    entries = [(key, map_texts(inner, change, most, field)) for key, inner in list(value.items())[:most]]
    if len(entries) < len(value):
        return CutMapping(entries, getattr(value, "whole", len(value)))
    return value if all(value[key] is inner for key, inner in entries) else dict(entries)


def _map_list(value: Any, change: TextChange, most: int | None, field: FieldNotes) -> Any:
    before = list(value) if most is None else [item for item, _ in zip(value, range(most), strict=False)]
    items = [map_texts(item, change, most, field) for item in before]
    if len(items) < len(value):
        return CutList(items, getattr(value, "whole", len(value)))
    if all(new is old for new, old in zip(items, before, strict=True)):
        return value
    return tuple(items) if isinstance(value, tuple) else items


def _clean_text(text: str, field: FieldNotes) -> str:
    return sendable(text if field.echo else clean(text))


def _has_blanks(text: str) -> bool:
    return " " in text or "\n" in text
