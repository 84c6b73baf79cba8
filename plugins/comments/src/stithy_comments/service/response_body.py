"""The response body: the schema of SERVE-4, with gaps and omissions reported beside it, within a size limit."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

import attrs
from attrs import define, field, frozen

from stithy_comments.partial_reads import Failed
from stithy_comments.service.query_parameters import QueryParameters
from stithy_comments.stream.merged_stream import ConversationStream
from stithy_comments.stream.stream_items import NormalizedComment
from stithy_comments.stream.stream_selection import format_utc
from stithy_comments.stream.summary import summarize_stream
from stithy_core.spi import Unknown, clean, error_payload

LONGEST_BODY = 1_000_000
"""Maximum characters of one text: more than any forge accepts, and so few that one item always fits into a body."""
LARGEST = 8_000_000
"""Maximum bytes of a response body."""
BESIDES = 300_000
"""Bytes of the limit that are reserved for the fields beside the items."""
MOST_NOTES = 100


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


@frozen(kw_only=True)
class ResponseBody:
    """A response body.

    Args:
        written: The JSON.
        count: The number of items within `since` and `until` on all pages.
    """

    written: bytes
    count: int


def create_body(stream: ConversationStream, options: QueryParameters) -> ResponseBody:
    """Write a stream as a response body: the newest items of the page, as many as fit."""
    wanted = stream.entries[options.window]
    items = _select_fitting([encode_item(entry.row) for entry in wanted[-options.max_items :]])
    beside = {
        "summary": _create_summary(stream, options),
        "errors": [*_list_errors(stream)],
        "unknown": [*islice(_list_unknown_fields(items), MOST_NOTES)],
        "left_out": [*islice(_describe_omissions(stream, options, len(wanted), items), MOST_NOTES)],
        "hidden_characters_removed": sum(one.hidden for one in items),
    }
    rest = to_json({name: value for name, value in beside.items() if value})
    comments = b'{"comments":[%b]' % b",".join(one.written for one in items)
    return ResponseBody(
        written=comments + (b"}" if rest == b"{}" else b"," + rest[1:]),
        count=len(stream.entries),
    )


def _select_fitting(items: Sequence[EncodedItem]) -> Sequence[EncodedItem]:
    """Return the newest items, as many as fit; `LONGEST_BODY` makes sure that one always does."""
    free, first = LARGEST - BESIDES, len(items)
    while first and (free := free - len(items[first - 1].written) - 1) >= 0:
        first -= 1
    return items[first:]


def _create_summary(stream: ConversationStream, options: QueryParameters) -> dict[str, Any] | None:
    summary = summarize_stream(stream, options.summarize, options.summary_budget_chars)
    if summary is None:
        return None
    found = attrs.asdict(summary)
    if isinstance(summary.stats.total_comments, Unknown):  # `errors` and `left_out` say why
        del found["stats"]["total_comments"]
    return found


def _list_errors(stream: ConversationStream) -> Iterator[Mapping[str, Any]]:
    for name, listing in stream.sources.lists().items():
        if isinstance(listing, Failed) and listing.error:
            yield {"source": name, **error_payload(listing.error)}


def _list_unknown_fields(items: Sequence[EncodedItem]) -> Iterator[Mapping[str, str]]:
    """Iterate over unknown fields, each reason once; the field is `comments[*]…` if several items share it."""
    places: dict[tuple[str, str, str], list[int]] = {}
    for number, one in enumerate(items):
        for place, unknown in one.unknown.items():
            places.setdefault((place, unknown.reason, unknown.remedy), []).append(number)
    for (place, reason, remedy), numbers in places.items():
        where = f"comments[{numbers[0] if len(numbers) == 1 else '*'}].{place}"
        yield {"field": where, "reason": reason} | ({"remedy": remedy} if remedy else {})


def _describe_omissions(
    stream: ConversationStream, options: QueryParameters, wanted: int, items: Sequence[EncodedItem]
) -> Iterator[str]:
    """Iterate over descriptions of what exists and is left out."""
    yield from stream.sources.cuts()
    yield from stream.describe_other_events("events=all")
    requested = min(wanted, options.max_items)
    if requested < wanted:
        yield f"the {wanted - requested:,} oldest of {wanted:,} items: max_items is {options.max_items:,}"
    if len(items) < requested:
        older = f"the {requested - len(items):,} oldest of {requested:,} items"
        yield f"{older}: the response limit is {LARGEST:,} bytes; use since, until or a page to get the others"
    for number, one in enumerate(items):
        if one.cut:
            yield f"comments[{number}].body: cut to {LONGEST_BODY:,} of its {one.cut:,} characters"
