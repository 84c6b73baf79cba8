"""Merging several lists into one stream: without duplicates, sorted, within the time bounds."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TypeVar

from attrs import frozen

from stithy_comments.stream.stream_items import StreamEntry
from stithy_comments.stream.stream_normalizer import StreamNormalizer, map_review_state
from stithy_comments.stream.stream_selection import Selection
from stithy_comments.stream.stream_sources import StreamSources
from stithy_core.spi import Event, Listing, Maybe, Unknown

T = TypeVar("T")


@frozen(kw_only=True)
class ConversationStream:
    """A whole conversation.

    Args:
        sources: The lists that it was created from.
        selection: The requested part.
        entries: All items within the bounds, sorted by creation time, then by id as text; those without a time last.
        others: The number of events within the bounds of kinds that were not requested, by kind.
    """

    sources: StreamSources
    selection: Selection
    entries: tuple[StreamEntry, ...]
    others: Mapping[str, int]

    @property
    def kept(self) -> tuple[StreamEntry, ...]:
        """The newest items, at most `selection.most`."""
        return self.entries[-self.selection.most :]

    @property
    def total(self) -> int | None:
        """The number of items within the bounds; None if a list could not be read completely."""
        return None if self.gaps() else len(self.entries)

    def gaps(self) -> list[str]:
        """Return descriptions of what could not be read."""
        return [*self.sources.faults(), *self.sources.cuts()]

    def describe_omissions(self, everything: str) -> Iterator[str]:
        """Iterate over descriptions of what exists and is left out.

        Args:
            everything: The argument that requests events of all kinds, such as `events=all`.
        """
        yield from self.sources.cuts()
        if older := len(self.entries) - len(self.kept):
            yield f"the {older:,} oldest of {len(self.entries):,} items: max_items is {self.selection.most:,}"
        yield from self.describe_other_events(everything)

    def describe_other_events(self, everything: str) -> Iterator[str]:
        """Iterate over a description of the events that were not requested; arguments as for `describe_omissions`."""
        if self.others:
            counted = ", ".join(f"{kind} {number}" for kind, number in sorted(self.others.items()))
            yield f"events of other kinds: {counted}; pass {everything} to include them"


def merge_sources(sources: StreamSources, selection: Selection) -> ConversationStream:
    """Merge the sources into one stream. An object in several lists appears once, from the list with most details."""
    found: dict[str, StreamEntry] = {}
    others: Counter[str] = Counter()
    for entry in _iterate_entries(sources, selection):
        row = entry.row
        if entry.key in found or not selection.covers(_drop_unknown(row.created_at), _drop_unknown(row.updated_at)):
            continue
        if isinstance(entry.said, Event) and not selection.has_event(entry.said.kind):
            others[entry.said.kind] += 1
            continue
        found[entry.key] = entry
    entries = sorted((entry for entry in found.values() if not entry.is_empty_review), key=lambda entry: entry.sort_key)
    return ConversationStream(sources=sources, selection=selection, entries=tuple(entries), others=others)


def _iterate_entries(sources: StreamSources, selection: Selection) -> Iterator[StreamEntry]:
    """Iterate over all items, events last: where they repeat a comment or review, they have the fewest details."""
    reviews = _items(sources.reviews)
    states = {review.id: map_review_state(review) for review in reviews}
    normal = StreamNormalizer(page=sources.subject.url, bots=selection.bots, states=states)
    yield from map(normal.comment, _items(sources.comments))
    if selection.wants_verdicts:
        yield from map(normal.review, reviews)
    for thread in _items(sources.threads):
        yield from (normal.remark(comment, thread) for comment in thread.comments)
    yield from map(normal.event, _items(sources.timeline))


def _items(listing: Maybe[Listing[T]] | None) -> Listing[T]:
    return Listing() if listing is None or isinstance(listing, Unknown) else listing


def _drop_unknown(value: Maybe[T]) -> T | None:
    return None if isinstance(value, Unknown) else value
