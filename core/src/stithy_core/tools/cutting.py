"""Texts and lists cut short, each knowing how long it was; never inside of what a reader takes for one character."""

import json
from bisect import bisect_right
from collections.abc import Iterable
from typing import Any, Self

from stithy_core.spi.texts import grapheme_boundary

_JSON = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


class CutText(str):
    """The beginning of a text, and the mark that says so.

    Args:
        text: What is left, with the mark.
        left: How many characters of it are left.
        whole: How many there were.
        hidden: How many hidden ones were taken out before.
    """

    __slots__ = ("hidden", "left", "whole")

    left: int
    whole: int
    hidden: int

    def __new__(cls, text: str, left: int, whole: int, hidden: int = 0) -> Self:
        """Make it, as strings are made."""
        made = super().__new__(cls, text)
        made.left, made.whole, made.hidden = left, whole, hidden
        return made

    def shorter(self, most: int) -> "CutText":
        """Give less of it: as `cut_text` of the whole."""
        return self if cost(self) <= most else _cut(str(self)[: self.left], most, self.whole, self.hidden)


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


def cost(value: object) -> int:
    """Measure in the bytes that are sent: UTF-8 of JSON without blanks, escapes included."""
    text = _JSON.encode(value)
    return len(text) if text.isascii() else len(text.encode())


def cut_text(text: str, most: int, *, hidden: int = 0, whole: int | None = None) -> str:
    """Give a text that takes at most so many bytes, with a mark where it was cut.

    Args:
        text: What can be sent.
        most: How many bytes; the mark alone may need more.
        hidden: How many characters were taken out of it before.
        whole: How many characters there are, if these are not all of them.
    """
    if whole is None or whole == len(text):
        if len(text) + 2 <= most and cost(text) <= most:
            return text
        whole = len(text)
    return _cut(text, most, whole, hidden)


def _cut(text: str, most: int, whole: int, hidden: int) -> CutText:
    mark = f"… [{whole} chars]"
    room = max(0, most - cost(mark))
    head = text[:room]  # no character is sent in less than a byte
    fitting = bisect_right(range(len(head) + 1), room, key=lambda length: cost(head[:length]) - 2) - 1
    left = grapheme_boundary(text, fitting)
    return CutText(text[:left] + mark, left, whole, hidden)
