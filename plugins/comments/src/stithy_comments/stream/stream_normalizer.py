"""Conversion of the model's comments, reviews and events to the items of a stream."""

import re
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from attrs import frozen

from stithy_comments.bots import is_bot
from stithy_comments.stream.stream_items import Author, NormalizedComment, ReviewState, StreamEntry
from stithy_core.spi import Comment, Event, Maybe, Review, ReviewComment, Thread, Unknown, User, UserKind

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


@frozen(kw_only=True)
class StreamNormalizer:
    """Creates the items of one pull request.

    Args:
        page: The URL of the pull request, for events without a page of their own.
        bots: Logins of further bots, from the settings.
        states: The verdicts of its reviews, by id.
    """

    page: str
    bots: Collection[str]
    states: Mapping[str, Maybe[ReviewState]]

    def comment(self, comment: Comment) -> StreamEntry:
        """Create the entry of a general comment."""
        row = NormalizedComment(type="issue", **self._collect_fields(comment))
        return StreamEntry(key=f"comment:{comment.id}", row=row, said=comment)

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
        return StreamEntry(key=f"remark:{comment.id}", row=row, said=comment, thread=thread)

    def review(self, review: Review) -> StreamEntry:
        """Create the entry of a review."""
        time: Maybe[datetime] = review.submitted_at or NOT_SENT
        row = NormalizedComment(
            id=review.id,
            type="review",
            author=self._author(review.author),
            created_at=time,
            updated_at=time,
            body=review.body,
            url=review.api_url or review.url,
            html_url=review.url,
            commit_id=review.commit or None,
            review_state=self.states[review.id],
        )
        return StreamEntry(key=f"review:{review.id}", row=row, said=review)

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
        return StreamEntry(key=_format_event_key(event), row=row, said=event)

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
    what = SAME.get(event.kind)
    return f"{what}:{event.subject}" if what and event.subject else f"event:{event.id}"
