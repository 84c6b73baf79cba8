"""One review thread with all its comments in full."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated

from attrs import frozen

from stithy_comments.text_format import GUTTER, format_id, format_line, format_time
from stithy_core.spi import Listing, Maybe, Meta, ReviewComment, Thread, Unknown


@frozen(kw_only=True)
class ThreadDetails:
    """A thread without its comments.

    Args:
        thread_id: Its id.
        path: The file; None, as are `line` and `side`, if the thread has no place in the code.
        line: The line in the file of `side`; None for the whole file.
        start_line: The first line if it spans several.
        resolved_by: The login of the user who resolved it.
        hunk: The lines of the diff up to its line.
    """

    thread_id: str
    path: Annotated[str | None, Meta(cut=False)]
    line: int | None
    start_line: int | None
    side: str | None
    resolved: Maybe[bool]
    resolved_by: str | None
    outdated: Maybe[bool]
    hunk: Annotated[str | None, Meta(cut=True)]

    def lines(self) -> Iterator[str]:
        """Iterate over its lines of text: its facts, then the hunk."""
        yield format_line(f"Thread {self.thread_id}{self._format_place()}: {', '.join(self._facts())}")
        yield from _quote(self.hunk or "")

    def _format_place(self) -> str:
        if self.path is None:
            return ""
        start = f"{self.start_line}-" if self.start_line not in (None, self.line) else ""
        line = "" if self.line is None else f":{start}{self.line}"
        return f" at {self.path}{line}{' (old side)' if self.side == 'LEFT' else ''}"

    def _facts(self) -> Iterator[str]:
        if isinstance(self.resolved, Unknown):
            yield "resolution unknown"
        else:
            yield f"resolved{f' by {self.resolved_by}' if self.resolved_by else ''}" if self.resolved else "open"
        if self.outdated is True:
            yield "outdated"


@frozen(kw_only=True)
class WholeComment:
    """A comment of the thread, in full.

    Args:
        updated_at: When it last changed, which need not be its text: Gitea counts that a push moved its line. None if
            it never did.
        pending: True while only its author sees it.
        minimized: Why the forge hides it.
    """

    id: int | str
    author: str
    created_at: datetime
    updated_at: datetime | None
    pending: bool | None
    minimized: str | None
    url: str
    body: Annotated[str, Meta(cut=True, rest="method get_review_comments with this id")]

    def lines(self) -> Iterator[str]:
        """Iterate over its lines of text: its facts, then the body, each line behind a gutter."""
        updated = f", updated {format_time(self.updated_at)}" if self.updated_at else ""
        marks = ", pending" if self.pending else f", minimized as {self.minimized}" if self.minimized else ""
        yield format_line(f"- [{self.id}] {self.author}, {format_time(self.created_at)}{updated}{marks}:")
        yield from _quote(self.body)


def create_thread_details(thread: Thread) -> ThreadDetails:
    """Create the facts about a thread."""
    return ThreadDetails(
        thread_id=thread.id,
        path=thread.path,
        line=thread.line,
        start_line=thread.start_line,
        side=None if thread.path is None else thread.side,
        resolved=thread.resolved,
        resolved_by=thread.resolved_by.login if thread.resolved_by else None,
        outdated=thread.outdated,
        hunk=thread.hunk or None,
    )


def list_comments(thread: Thread) -> Listing[ReviewComment]:
    """Return the comments of a thread, oldest first; `cut` says why some are missing."""
    return Listing(thread.comments, cut=thread.cut)


def create_whole_comment(comment: ReviewComment) -> WholeComment:
    """Create the row of a comment."""
    return WholeComment(
        id=format_id(comment.id),
        author=comment.author.login,
        created_at=comment.created_at,
        updated_at=comment.updated_at if comment.updated_at != comment.created_at else None,
        pending=comment.pending or None,
        minimized=None if isinstance(comment.minimized, Unknown) else comment.minimized or None,
        url=comment.url,
        body=comment.body,
    )


def _quote(text: str) -> Iterator[str]:
    """Iterate over the lines of a third party's text behind a gutter, so that they cannot imitate lines of ours."""
    return (f"{GUTTER}{line}" for line in text.splitlines())
