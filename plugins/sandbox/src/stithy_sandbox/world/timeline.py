"""The timeline of a conversation, computed from its records."""

from collections.abc import Iterator

from stithy_core.spi import Comment, Event, Review, ReviewComment
from stithy_sandbox.world.records import Conversation, Pull
from stithy_sandbox.world.store import Store
from stithy_sandbox.world.views import commits_of

KINDS = {Comment: "commented", ReviewComment: "review_commented"}


def timeline(store: Store, conversation: Conversation) -> list[Event]:
    """Return the events, oldest first; the id of an event is that of its object, which is unique in the world."""
    events = [*conversation.events, *(_said(comment) for comment in conversation.comments)]
    if isinstance(conversation, Pull):
        events += [*_pushed(store, conversation), *(_judged(review) for review in conversation.reviews)]
        threads = conversation.threads.values()
        events += [_said(comment) for thread in threads for comment in thread.comments]
    return sorted(events, key=lambda event: event.at or conversation.subject.created_at)


def _said(comment: Comment) -> Event:
    kind = KINDS[type(comment)]
    return Event(
        id=comment.id,
        kind=kind,
        at=comment.created_at,
        actor=comment.author,
        text=comment.body,
        subject=comment.id,
        url=comment.url,
        raw=kind,
    )


def _judged(review: Review) -> Event:
    return Event(
        id=review.id,
        kind="reviewed",
        at=review.submitted_at,
        actor=review.author,
        text=review.state,
        subject=review.id,
        url=review.url,
        raw="reviewed",
    )


def _pushed(store: Store, pull: Pull) -> Iterator[Event]:
    for commit in commits_of(store, pull):
        yield Event(
            id=commit.sha,
            kind="committed",
            at=commit.committed_at,
            actor=commit.author,
            text=commit.message,
            subject=commit.sha,
            url=commit.url,
            raw="committed",
        )
