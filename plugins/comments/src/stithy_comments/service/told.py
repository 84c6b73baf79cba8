"""Encoding items as JSON, with a record of their unknown fields and removed characters."""

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
"""Maximum characters of one text: more than any forge accepts, and so few that one item always fits into a body."""


@frozen(kw_only=True)
class Item:
    """An item of a response body.

    Args:
        written: Its JSON.
        unknown: Its unknown fields, by their dotted path in the item.
        hidden: The number of invisible characters removed from it.
        cut: The length of its whole body in characters if that was cut; else 0.
    """

    written: bytes
    unknown: Mapping[str, Unknown]
    hidden: int = 0
    cut: int = 0


def item(row: NormalizedComment) -> Item:
    """Encode one item."""
    telling = _Telling()
    told = telling.tell(attrs.evolve(row, body=row.body[:LONGEST_BODY]), "")
    cut = len(row.body) if len(row.body) > LONGEST_BODY else 0
    return Item(written=to_json(told), unknown=telling.unknown, hidden=telling.hidden, cut=cut)


def to_json(value: Any) -> bytes:
    """Return compact JSON in UTF-8, the same for the same value; unpaired surrogates become `?`."""
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
