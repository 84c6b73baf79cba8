"""What people wrote: comments, reviews, and comments in the diff."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, TypeAlias

from attrs import frozen

from stithy_comments.suggested_code import excerpt_with_code
from stithy_comments.texts import moment, wire_id
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
    """One comment of the conversation."""

    id: int | str
    author: str
    body: Body
    created_at: datetime
    updated_at: datetime
    url: str

    def lines(self) -> Iterator[str]:
        """Write it in a line, and the code that it suggests below."""
        return excerpt_with_code(f"- [{self.id}] {self.author}, {moment(self.created_at)}: ", self.body)


@frozen(kw_only=True)
class ReviewRow:
    """One review: `stale` says whether the head has moved since; `submitted_at` is None while it is pending."""

    id: int | str
    author: str
    state: str
    body: Body
    submitted_at: datetime | None
    url: str
    stale: Maybe[bool]

    def lines(self) -> Iterator[str]:
        """Write it in a line."""
        when = f", {moment(self.submitted_at)}" if self.submitted_at else ""
        said = f": {excerpt(self.body)}" if self.body else ""
        yield f"- [{self.id}] {self.author}: {self.state}{' (stale)' if self.stale is True else ''}{when}{said}"


@frozen(kw_only=True)
class ReviewCommentRow(CommentRow):
    """One comment in the diff.

    Args:
        thread_id: What names its thread.
        line: In the file of `side`; None for the whole file.
        start_line: Where the place begins, if it spans several lines.
        in_reply_to_id: The comment that opened the thread; None for that one itself.
        pending: True while only its author sees it.
    """

    thread_id: str
    path: Annotated[str, Meta(cut=False)]
    line: int | None
    start_line: int | None
    side: str
    in_reply_to_id: int | str | None
    resolved: Maybe[bool]
    outdated: Maybe[bool]
    pending: bool | None

    def lines(self) -> Iterator[str]:
        """Write it as any comment, with its place and its thread, since a page may begin in the midst of one."""
        notes = [self._state(), f"reply to {self.in_reply_to_id}" if self.in_reply_to_id is not None else ""]
        notes.append("pending" if self.pending else "")
        said = ", ".join(filter(None, notes))
        when = f"{self.author}, {moment(self.created_at)}"
        return excerpt_with_code(f"- [{self.id}] {self._place()}, {said}, {when}: ", self.body)

    def _state(self) -> str:
        resolved = "resolved" if self.resolved is True else "open" if self.resolved is False else "resolution unknown"
        return f"thread {self.thread_id} ({resolved}{', outdated' if self.outdated is True else ''})"

    def _place(self) -> str:
        if self.line is None:
            return self.path
        start = f"{self.start_line}-" if self.start_line not in (None, self.line) else ""
        return f"{self.path}:{start}{self.line}{' (old side)' if self.side == 'LEFT' else ''}"


@frozen
class Remark:
    """A comment in the diff, and where it stands."""

    comment: ReviewComment
    thread: Thread

    @property
    def id(self) -> str:
        """Its own id."""
        return self.comment.id


def comment_row(comment: Comment) -> CommentRow:
    """Give a comment of the conversation."""
    return CommentRow(**_written(comment))


def review_row(review: Review) -> ReviewRow:
    """Give a review."""
    return ReviewRow(
        id=wire_id(review.id),
        author=review.author.login,
        state=review.state,
        body=review.body,
        submitted_at=review.submitted_at,
        url=review.url,
        stale=review.stale,
    )


def remarks_of(threads: Listing[Thread]) -> Listing[Remark]:
    """Give the comments in the diff, thread after thread, the oldest first within each."""
    found = tuple(Remark(comment, thread) for thread in threads for comment in thread.comments)
    cuts = [threads.cut, *(f"of thread {thread.id}: {thread.cut}" for thread in threads if thread.cut)]
    return Listing(found, cut="; ".join(filter(None, cuts)))


def review_comment_row(remark: Remark) -> ReviewCommentRow:
    """Give a comment in the diff."""
    thread, opening = remark.thread, remark.thread.comments[0]
    return ReviewCommentRow(
        **_written(remark.comment),
        thread_id=thread.id,
        path=thread.path,
        line=thread.line,
        start_line=thread.start_line,
        side=thread.side,
        in_reply_to_id=None if remark.comment is opening else wire_id(opening.id),
        resolved=thread.resolved,
        outdated=thread.outdated,
        pending=remark.comment.pending or None,
    )


def _written(comment: Comment) -> dict[str, Any]:
    return {
        "id": wire_id(comment.id),
        "author": comment.author.login,
        "body": comment.body,
        "created_at": comment.created_at,
        "updated_at": comment.updated_at,
        "url": comment.url,
    }
