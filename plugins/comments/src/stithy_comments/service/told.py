"""From items to JSON: what is not known and what was taken out is noted on the way."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import attrs
from attrs import define, field, frozen

from stithy_comments.stream.items import NormalizedComment
from stithy_comments.stream.selection import stamp
from stithy_core.spi import Unknown, clean

LONGEST_BODY = 1_000_000
"""Characters of one text: no forge of today takes as many, and an answer must hold one item at least."""


@frozen(kw_only=True)
class Item:
    """An item as it is sent.

    Args:
        written: Its JSON.
        unknown: What is not known of it, by the field's place in it.
        hidden: How many characters that no reader sees were taken out of it.
        cut: How many characters its body had, where that was cut.
    """

    written: bytes
    unknown: Mapping[str, Unknown]
    hidden: int = 0
    cut: int = 0


def item(row: NormalizedComment) -> Item:
    """Write one item."""
    telling = _Telling()
    told = telling.tell(attrs.evolve(row, body=row.body[:LONGEST_BODY]), "")
    cut = len(row.body) if len(row.body) > LONGEST_BODY else 0
    return Item(written=to_json(told), unknown=telling.unknown, hidden=telling.hidden, cut=cut)


def to_json(value: Any) -> bytes:
    """Write JSON in UTF-8 without blanks, the same for the same value; halves of surrogate pairs become `?`."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")


@define
class _Telling:
    unknown: dict[str, Unknown] = field(factory=dict)
    hidden: int = 0

    def tell(self, value: Any, place: str) -> Any:
        if isinstance(value, Unknown):
            self.unknown[place] = value
            return value.shown
        if isinstance(value, datetime):
            return stamp(value)
        if attrs.has(type(value)):
            return dict(self._fields(value, place))
        return self._shown(value) if isinstance(value, str) else value

    def _fields(self, value: Any, place: str) -> Iterator[tuple[str, Any]]:
        for one in attrs.fields(type(value)):
            told = self.tell(getattr(value, one.name), f"{place}.{one.name}" if place else one.name)
            if told is not None:
                yield one.name, told

    def _shown(self, text: str) -> str:
        shown = clean(text)
        self.hidden += len(text) - len(shown)
        return shown
