"""Merging several lists into one stream: normalized, without duplicates, sorted, within the time bounds."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any, TypeVar

from attrs import frozen

from stithy_comments.bots import is_bot
from stithy_comments.stream.stream_items import Author, NormalizedComment, ReviewState, StreamEntry
from stithy_comments.stream.stream_selection import Selection
from stithy_comments.stream.stream_sources import StreamSources
from stithy_core.spi import Comment, Event, Listing, Maybe, Review, ReviewComment, Thread, Unknown, User, UserKind

STATES: Mapping[str, ReviewState] = {
    "approved": "approved",
    "changes_requested": "changes_requested",
    "commented": "commented",
    "dismissed": "dismissed",
    "pending": "pending",
}
SAME = {"commented": "comment", "reviewed": "review", "review_commented": "remark"}
"""Events that only repeat a comment or a review, with the kind in that object's key."""

COMMIT = re.compile("[0-9a-f]{40}(?:[0-9a-f]{24})?")
NOT_SENT = Unknown("the review is a draft that was not submitted", "It is listed last; since and until do not apply.")
WITHOUT_TIME = Unknown("the forge does not report the time", "It is listed last; since and until do not apply.")
NOBODY = Author(login=Unknown("the forge reports no author, or a deleted account", shown="ghost"), type="User")
T = TypeVar("T")


@frozen(kw_only=True)
class StreamNormalizer:
    """Creates the items of one pull request.

    Args:
        page: The URL of the pull request, for events without a page of their own.
        bots: Logins of further bots, from the settings.
        states: The verdicts of its reviews, by `Review.key`.
    """

    page: str
    bots: Collection[str]
    states: Mapping[str, Maybe[ReviewState]]

    def comment(self, comment: Comment) -> StreamEntry:
        """Create the entry of a general comment."""
        row = NormalizedComment(type="issue", **self._collect_fields(comment))
        return StreamEntry(key=f"comment:{comment.id}", row=row, source=comment)

    def remark(self, comment: ReviewComment, thread: Thread) -> StreamEntry:
        """Create the entry of a review comment."""
        root = thread.comments[0].id
        row = NormalizedComment(
            type="review",
            **self._collect_fields(comment),
            file_path=thread.path,
            line=thread.line,
            commit_id=comment.commit or None,
            in_reply_to_id=None if comment.id == root else root,
            review_state="pending" if comment.pending else None,
        )
        return StreamEntry(key=f"remark:{comment.id}", row=row, source=comment, thread=thread)

    def review(self, review: Review) -> StreamEntry:
        """Create the entry of a review."""
        time: Maybe[datetime] = review.submitted_at or (NOT_SENT if review.state == "pending" else WITHOUT_TIME)
        row = NormalizedComment(
            id=review.key,
            type="review",
            author=self._author(review.author),
            created_at=time,
            updated_at=time,
            body=review.body,
            url=review.api_url or review.url or self.page,
            html_url=review.url or self.page,
            commit_id=review.commit or None,
            review_state=self.states[review.key],
        )
        return StreamEntry(key=f"review:{review.key}", row=row, source=review)

    def event(self, event: Event) -> StreamEntry:
        """Create the entry of an event."""
        time: Maybe[datetime] = event.at or WITHOUT_TIME
        row = NormalizedComment(
            id=event.id,
            type="timeline",
            author=self._author(event.actor) if event.actor else NOBODY,
            created_at=time,
            updated_at=time,
            body=f"{event.kind}: {event.text}" if event.text else event.kind,
            url=event.api_url or event.url or self.page,
            html_url=event.url or self.page,
            commit_id=event.subject if COMMIT.fullmatch(event.subject) else None,
            review_state=self.states.get(event.subject) if event.kind == "reviewed" else None,
        )
        return StreamEntry(key=_format_event_key(event), row=row, source=event)

    def _collect_fields(self, comment: Comment) -> dict[str, Any]:
        return {
            "id": comment.id,
            "author": self._author(comment.author),
            "created_at": comment.created_at,
            "updated_at": comment.updated_at,
            "body": comment.body,
            "url": comment.api_url or comment.url,
            "html_url": comment.url,
        }

    def _author(self, user: User) -> Author:
        if is_bot(user, self.bots):
            return Author(login=user.login, type="Bot")
        if isinstance(user.kind, Unknown):
            return Author(login=user.login, type=Unknown(user.kind.reason, user.kind.remedy, shown="User"))
        return Author(login=user.login, type="Organization" if user.kind is UserKind.ORGANIZATION else "User")


def map_review_state(review: Review) -> Maybe[ReviewState]:
    """Return the state of a review in the words of SERVE-5."""
    word = Unknown(f"the forge reports the unknown state {review.state!r}", "Read the review on its page.")
    return STATES.get(review.state, word)


def _format_event_key(event: Event) -> str:
    kind = SAME.get(event.kind)
    return f"{kind}:{event.subject}" if kind and event.subject else f"event:{event.id}"


@frozen(kw_only=True)
class ConversationStream:
    """A whole conversation.

    Args:
        sources: The lists that it was created from.
        selection: The requested part.
        entries: All items within the bounds that were read, sorted by creation time, then by id as text; those without
            a time last.
        others: The number of events within the bounds of kinds that were not requested, by kind.
    """

    sources: StreamSources
    selection: Selection
    entries: tuple[StreamEntry, ...]
    others: Mapping[str, int]

    @property
    def newest(self) -> tuple[StreamEntry, ...]:
        """The newest items, at most `selection.most`."""
        return self.entries[-self.selection.most :]

    @property
    def total(self) -> int | None:
        """The number of items within the bounds; None if a list could not be read completely."""
        return None if self.gaps() else len(self.entries) + self.sources.unread

    def gaps(self) -> list[str]:
        """Return descriptions of what could not be read."""
        return [*self.sources.faults(), *self.sources.cuts()]

    def describe_omissions(self, everything: str) -> Iterator[str]:
        """Iterate over descriptions of what exists and is left out.

        Args:
            everything: The argument that requests events of all kinds, such as `events=all`.
        """
        yield from self.sources.cuts()
        whole = len(self.entries) + self.sources.unread
        if older := whole - len(self.newest):
            yield f"the {older:,} oldest of {whole:,} items: max_items is {self.selection.most:,}"
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
        if isinstance(entry.source, Event) and not selection.has_event(entry.source.kind):
            others[entry.source.kind] += 1
            continue
        found[entry.key] = entry
    entries = sorted((entry for entry in found.values() if not entry.is_empty_review), key=lambda entry: entry.sort_key)
    return ConversationStream(sources=sources, selection=selection, entries=tuple(entries), others=others)


def _iterate_entries(sources: StreamSources, selection: Selection) -> Iterator[StreamEntry]:
    """Iterate over all items, events last: where they repeat a comment or review, they have the fewest details."""
    reviews = _items(sources.reviews)
    states = {review.key: map_review_state(review) for review in reviews}
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
