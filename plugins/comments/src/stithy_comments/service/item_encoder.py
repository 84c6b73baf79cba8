"""Encoding items as JSON, with a record of their unknown fields and removed characters."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import attrs
from attrs import define, field, frozen

from stithy_comments.stream.stream_items import NormalizedComment
from stithy_comments.stream.stream_selection import format_utc
from stithy_core.spi import Unknown, clean

LONGEST_BODY = 1_000_000
"""Maximum characters of one text: more than any forge accepts, and so few that one item always fits into a body."""


@frozen(kw_only=True)
class EncodedItem:
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


def encode_item(row: NormalizedComment) -> EncodedItem:
    """Encode one item."""
    encoder = _ItemEncoder()
    encoded = encoder.encode(attrs.evolve(row, body=row.body[:LONGEST_BODY]), "")
    cut = len(row.body) if len(row.body) > LONGEST_BODY else 0
    return EncodedItem(written=to_json(encoded), unknown=encoder.unknown, hidden=encoder.hidden, cut=cut)


def to_json(value: Any) -> bytes:
    """Return compact JSON in UTF-8, the same for the same value; unpaired surrogates become `?`."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")


@define
class _ItemEncoder:
    unknown: dict[str, Unknown] = field(factory=dict)
    hidden: int = 0

    def encode(self, value: Any, place: str) -> Any:
        if isinstance(value, Unknown):
            self.unknown[place] = value
            return value.shown
        if isinstance(value, datetime):
            return format_utc(value)
        if attrs.has(type(value)):
            return dict(self._fields(value, place))
        return self._clean_text(value) if isinstance(value, str) else value

    def _fields(self, value: Any, place: str) -> Iterator[tuple[str, Any]]:
        for one in attrs.fields(type(value)):
            encoded = self.encode(getattr(value, one.name), f"{place}.{one.name}" if place else one.name)
            if encoded is not None:
                yield one.name, encoded

    def _clean_text(self, text: str) -> str:
        shown = clean(text)
        self.hidden += len(text) - len(shown)
        return shown
