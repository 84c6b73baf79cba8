"""The response body: the schema of SERVE-4, with gaps and omissions reported beside it, within a size limit."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import attrs
from attrs import frozen

from stithy_comments.gathering import Failed
from stithy_comments.service.query import Asked
from stithy_comments.service.told import LONGEST_BODY, Item, item, to_json
from stithy_comments.stream.merging import Stream
from stithy_comments.stream.summary import summarise
from stithy_core.spi import Unknown, error_payload

LARGEST = 8_000_000
"""Maximum bytes of a response body."""
BESIDES = 300_000
"""Bytes of the limit that are reserved for the fields beside the items."""
MOST_NOTES = 100


@frozen(kw_only=True)
class Body:
    """A response body.

    Args:
        written: The JSON.
        count: The number of items within `since` and `until` on all pages.
    """

    written: bytes
    count: int


def body(stream: Stream, asked: Asked) -> Body:
    """Write a stream as a response body: the newest items of the page, as many as fit."""
    wanted = stream.entries[asked.window]
    items = _fitting([item(entry.row) for entry in wanted[-asked.max_items :]])
    beside = {
        "summary": _summary(stream, asked),
        "errors": [*_failures(stream)],
        "unknown": [*islice(_unknown(items), MOST_NOTES)],
        "left_out": [*islice(_left_out(stream, asked, len(wanted), items), MOST_NOTES)],
        "hidden_characters_removed": sum(one.hidden for one in items),
    }
    rest = to_json({name: value for name, value in beside.items() if value})
    comments = b'{"comments":[%b]' % b",".join(one.written for one in items)
    return Body(
        written=comments + (b"}" if rest == b"{}" else b"," + rest[1:]),
        count=len(stream.entries),
    )


def _fitting(items: Sequence[Item]) -> Sequence[Item]:
    """Return the newest items, as many as fit; `LONGEST_BODY` makes sure that one always does."""
    room, kept = LARGEST - BESIDES, len(items)
    while kept and (room := room - len(items[kept - 1].written) - 1) >= 0:
        kept -= 1
    return items[kept:]


def _summary(stream: Stream, asked: Asked) -> dict[str, Any] | None:
    summary = summarise(stream, asked.summarize, asked.summary_budget_chars)
    if summary is None:
        return None
    found = attrs.asdict(summary)
    if isinstance(summary.stats.total_comments, Unknown):  # `errors` and `left_out` say why
        del found["stats"]["total_comments"]
    return found


def _failures(stream: Stream) -> Iterator[Mapping[str, Any]]:
    for name, listing in stream.sources.lists().items():
        if isinstance(listing, Failed) and listing.error:
            yield {"source": name, **error_payload(listing.error)}


def _unknown(items: Sequence[Item]) -> Iterator[Mapping[str, str]]:
    """Iterate over unknown fields, each reason once; the field is `comments[*]…` if several items share it."""
    places: dict[tuple[str, str, str], list[int]] = {}
    for number, one in enumerate(items):
        for place, unknown in one.unknown.items():
            places.setdefault((place, unknown.reason, unknown.remedy), []).append(number)
    for (place, reason, remedy), numbers in places.items():
        where = f"comments[{numbers[0] if len(numbers) == 1 else '*'}].{place}"
        yield {"field": where, "reason": reason} | ({"remedy": remedy} if remedy else {})


def _left_out(stream: Stream, asked: Asked, wanted: int, items: Sequence[Item]) -> Iterator[str]:
    """Iterate over descriptions of what exists and is left out."""
    yield from stream.sources.cuts()
    yield from stream.others_told("events=all")
    given = min(wanted, asked.max_items)
    if given < wanted:
        yield f"the {wanted - given:,} oldest of {wanted:,} items: max_items is {asked.max_items:,}"
    if len(items) < given:
        older = f"the {given - len(items):,} oldest of {given:,} items"
        yield f"{older}: the response limit is {LARGEST:,} bytes; use since, until or a page to get the others"
    for number, one in enumerate(items):
        if one.cut:
            yield f"comments[{number}].body: cut to {LONGEST_BODY:,} of its {one.cut:,} characters"
