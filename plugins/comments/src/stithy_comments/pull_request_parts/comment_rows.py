"""Rows of comments, reviews and review comments."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, TypeAlias

from attrs import frozen

from stithy_comments.suggested_code import excerpt_with_code
from stithy_comments.text_format import format_id, format_time
from stithy_core.spi import (
    Comment,
    Listing,
    Maybe,
    Meta,
    Review,
    ReviewComment,
    Thread,
    excerpt,
)

Body: TypeAlias = Annotated[str, Meta(cut=True, rest="the same call with this id")]


@frozen(kw_only=True)
class CommentRow:
    """One comment of the general conversation."""

    id: int | str
    author: str
    body: Body
    created_at: datetime
    updated_at: datetime
    url: str

    def lines(self) -> Iterator[str]:
        """Iterate over its lines of text: an excerpt, then the code that it suggests."""
        return excerpt_with_code(f"- [{self.id}] {self.author}, {format_time(self.created_at)}: ", self.body)


@frozen(kw_only=True)
class ReviewRow:
    """One review, or a verdict that the forge reports without id, time, text and page.

    Args:
        submitted_at: None while it is pending, and for a verdict without a time.
        stale: Whether the head commit has changed since.
    """

    id: int | str | None
    author: str
    state: str
    body: Body
    submitted_at: datetime | None
    url: str | None
    stale: Maybe[bool]

    @property
    def key(self) -> str:
        """The cursor key: the id, or the author of a verdict without one."""
        return f"by {self.author}" if self.id is None else str(self.id)

    def lines(self) -> Iterator[str]:
        """Iterate over its lines of text: one."""
        when = f", {format_time(self.submitted_at)}" if self.submitted_at else ""
        text = f": {excerpt(self.body)}" if self.body else ""
        name = "" if self.id is None else f"[{self.id}] "
        yield f"- {name}{self.author}: {self.state}{' (stale)' if self.stale is True else ''}{when}{text}"


@frozen(kw_only=True)
class ReviewCommentRow(CommentRow):
    """One review comment.

    Args:
        thread_id: The id of its thread.
        path: The file; None, as are `line` and `side`, if the thread has no place in the code.
        line: The line in the file of `side`; None for the whole file.
        start_line: The first line if it spans several.
        in_reply_to_id: The comment that opened the thread; None for that comment itself.
        pending: True while only its author sees it.
    """

    thread_id: str
    path: Annotated[str | None, Meta(cut=False)]
    line: int | None
    start_line: int | None
    side: str | None
    in_reply_to_id: int | str | None
    resolved: Maybe[bool]
    outdated: Maybe[bool]
    pending: bool | None

    def lines(self) -> Iterator[str]:
        """Iterate over its lines of text, with place and thread in each, since a page may begin within a thread."""
        answers = f"reply to {self.in_reply_to_id}" if self.in_reply_to_id is not None else ""
        notes = (self._place(), self._state(), answers, "pending" if self.pending else "")
        facts = ", ".join(filter(None, notes))
        when = f"{self.author}, {format_time(self.created_at)}"
        return excerpt_with_code(f"- [{self.id}] {facts}, {when}: ", self.body)

    def _state(self) -> str:
        resolved = "resolved" if self.resolved is True else "open" if self.resolved is False else "resolution unknown"
        return f"thread {self.thread_id} ({resolved}{', outdated' if self.outdated is True else ''})"

    def _place(self) -> str:
        if self.path is None or self.line is None:
            return self.path or ""
        start = f"{self.start_line}-" if self.start_line not in (None, self.line) else ""
        return f"{self.path}:{start}{self.line}{' (old side)' if self.side == 'LEFT' else ''}"


@frozen
class ThreadComment:
    """A review comment with its thread."""

    comment: ReviewComment
    thread: Thread

    @property
    def id(self) -> str:
        """The id of the comment."""
        return self.comment.id


def create_comment_row(comment: Comment) -> CommentRow:
    """Create the row of a comment."""
    return CommentRow(**_collect_fields(comment))


def create_review_row(review: Review) -> ReviewRow:
    """Create the row of a review."""
    return ReviewRow(
        id=format_id(review.id) if review.id else None,
        author=review.author.login,
        state=review.state,
        body=review.body,
        submitted_at=review.submitted_at,
        url=review.url or None,
        stale=review.stale,
    )


def list_thread_comments(threads: Listing[Thread]) -> Listing[ThreadComment]:
    """Return the review comments, thread after thread, oldest first within each."""
    found = tuple(ThreadComment(comment, thread) for thread in threads for comment in thread.comments)
    cuts = [threads.cut, *(f"of thread {thread.id}: {thread.cut}" for thread in threads if thread.cut)]
    return Listing(found, cut="; ".join(filter(None, cuts)))


def create_review_comment_row(remark: ThreadComment) -> ReviewCommentRow:
    """Create the row of a review comment."""
    thread, opening = remark.thread, remark.thread.comments[0]
    return ReviewCommentRow(
        **_collect_fields(remark.comment),
        thread_id=thread.id,
        path=thread.path,
        line=thread.line,
        start_line=thread.start_line,
        side=None if thread.path is None else thread.side,
        in_reply_to_id=None if remark.comment is opening else format_id(opening.id),
        resolved=thread.resolved,
        outdated=thread.outdated,
        pending=remark.comment.pending or None,
    )


def _collect_fields(comment: Comment) -> dict[str, Any]:
    return {
        "id": format_id(comment.id),
        "author": comment.author.login,
        "body": comment.body,
        "created_at": comment.created_at,
        "updated_at": comment.updated_at,
        "url": comment.url,
    }
