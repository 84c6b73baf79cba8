"""Copies of a result with shorter texts and lists; whatever need not change is the same object."""

import copy
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from typing import Any

import attrs
from attrs import frozen

from stithy_core.sanitize import clean, sendable
from stithy_core.spi import Abridged, Page, Unknown
from stithy_core.tools.cutting import CutList, CutMapping, CutText, cut_text
from stithy_core.tools.shape import LOOSE, Field, fields_of

SHORTEST = 64
NAMES = 256
PART = 16
WORD = 1_024
"""A text of one word may be a path or an address; hardly any is as long as this."""


@frozen
class Trim:
    """How short to cut.

    Args:
        texts: How many bytes a text may have.
        items: How many items a list may have; None for any.
    """

    texts: int
    items: int | None = None

    def text(self, text: str, field: Field) -> str:
        """Cut a text, if it may be cut; what is hidden in it is taken out before."""
        if field.cut is False or len(text) <= SHORTEST // 6:  # no character takes more than six bytes
            return text
        if field.cut is None and len(text) <= (NAMES if _has_blanks(text) else WORD):
            return text
        most = self.texts if field.cut else max(self.texts, NAMES)
        if isinstance(text, CutText):
            return text.shorter(most)
        return self._short(text, most, field)

    def _short(self, text: str, most: int, field: Field) -> str:
        """Cut a text by what of it can be seen; of a very long one only the beginning is looked at, if that will do."""
        part = text[: PART * most]
        seen = _seen(part, field)
        if len(seen) <= most:
            part, seen = text, _seen(text, field)
        hidden = len(part) - len(seen)
        short = cut_text(seen, most, hidden=hidden, whole=len(text) - hidden)
        if isinstance(short, CutText) and isinstance(text, Abridged):
            return cut_text(seen, most, hidden=hidden, whole=text.whole)
        return short if isinstance(short, CutText) else text

    def __call__(self, value: Any) -> Any:
        """Give a copy of a result."""
        return rebuilt(value, self.text, self.items)


def cleaned(result: Any) -> Any:
    """Give a copy without hidden characters, apart from what the caller wrote."""
    return rebuilt(result, _clean)


def _clean(text: str, field: Field) -> str:
    if field.echo or isinstance(text, CutText):
        return text
    seen = clean(text)
    return Abridged(seen, text.whole) if isinstance(text, Abridged) else seen


def rebuilt(value: Any, change: Callable[[str, Field], str], most: int | None = None, field: Field = LOOSE) -> Any:
    """Give a copy with other texts, and with at most so many items in each list."""
    if value is None or isinstance(value, bool | int | float | Enum | datetime | Unknown):
        return value
    if isinstance(value, str):
        return change(value, field)
    if isinstance(value, Page):
        items = rebuilt(value.items, change, most, field)
        return value if items is value.items else with_field(value, "items", items)
    if attrs.has(type(value)):
        return _with_fields(value, change, most)
    if isinstance(value, Mapping):
        return _mapping(value, change, most, field)
    return _list(value, change, most, field) if isinstance(value, Sequence | set | frozenset) else value


def with_field(value: Any, name: str, new: Any) -> Any:
    """Give a copy of a record with another value in one field; its class is not asked again what it thinks of it."""
    copied = copy.copy(value)
    object.__setattr__(copied, name, new)  # the copy is nobody's yet, frozen or not
    return copied


def fitted(result: Any, fits: Callable[[Any], bool], budget: int) -> Any:
    """Cut a result as little as will do: its long texts, and where that is not enough, its lists.

    Args:
        result: What is too large.
        fits: Whether a copy is small enough.
        budget: How many bytes there are.
    """
    most = max(1, budget // 2)
    small = Trim(max(budget, SHORTEST), most)(result)  # nothing longer could fit, and the rest is quick
    cut = with_short_texts(small, fits, budget)
    return _longest(lambda items: Trim(SHORTEST, items)(small), fits, 1, most) if cut is None else cut


def with_short_texts(result: Any, fits: Callable[[Any], bool], budget: int) -> Any:
    """Cut the long texts of a result as little as will do; None where that is not enough."""
    if not fits(Trim(SHORTEST)(result)):
        return None
    return _longest(lambda most: Trim(most)(result), fits, SHORTEST, budget)


def _longest(make: Callable[[int], Any], fits: Callable[[Any], bool], least: int, most: int) -> Any:
    """Find the longest copy that fits by halving, to about a hundredth."""
    best = make(least)
    while most - least > 1 + least // 100:
        middle = (least + most) // 2
        tried = make(middle)
        if fits(tried):
            least, best = middle, tried
        else:
            most = middle
    return best


def _with_fields(value: Any, change: Callable[[str, Field], str], most: int | None) -> Any:
    for field in fields_of(type(value)):
        before = getattr(value, field.name)
        after = rebuilt(before, change, most, field)
        if after is not before:
            value = with_field(value, field.name, after)
    return value


def _mapping(value: Mapping[str, Any], change: Callable[[str, Field], str], most: int | None, field: Field) -> Any:
    entries = [(key, rebuilt(inner, change, most, field)) for key, inner in list(value.items())[:most]]
    if len(entries) < len(value):
        return CutMapping(entries, getattr(value, "whole", len(value)))
    return value if all(value[key] is inner for key, inner in entries) else dict(entries)


def _list(value: Any, change: Callable[[str, Field], str], most: int | None, field: Field) -> Any:
    before = list(value) if most is None else [item for item, _ in zip(value, range(most), strict=False)]
    items = [rebuilt(item, change, most, field) for item in before]
    if len(items) < len(value):
        return CutList(items, getattr(value, "whole", len(value)))
    if all(new is old for new, old in zip(items, before, strict=True)):
        return value
    return tuple(items) if isinstance(value, tuple) else items


def _seen(text: str, field: Field) -> str:
    return sendable(text if field.echo else clean(text))


def _has_blanks(text: str) -> bool:
    return " " in text or "\n" in text
