"""The result of `pull_request_read`: the requested part."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, Protocol

from attrs import frozen

from stithy_comments.kept_reads import format_changed
from stithy_comments.pull_request_parts.comment_rows import CommentRow, ReviewCommentRow, ReviewRow
from stithy_comments.pull_request_parts.commit_status import CheckRow, CommitStatus
from stithy_comments.pull_request_parts.diff_parts import DiffPart
from stithy_comments.pull_request_parts.pull_request_details import PullRequestDetails
from stithy_comments.pull_request_parts.whole_thread import ThreadDetails, WholeComment
from stithy_comments.text_format import format_line, format_lines, format_time
from stithy_comments.tools.read_tool import Method
from stithy_core.spi import FileChange, Meta, Page, whole_length

SHOWN = 200
"""Characters of a text that a line shows; the default of `excerpt`."""


@frozen(kw_only=True)
class FileRow:
    """One changed file."""

    path: Annotated[str, Meta(cut=False)]
    previous_path: Annotated[str | None, Meta(cut=False)]
    status: str
    additions: int
    deletions: int

    def lines(self) -> Iterator[str]:
        """Iterate over its lines of text: one."""
        former = f", before {self.previous_path}" if self.previous_path else ""
        yield f"- {self.path}{former}: {self.status} +{self.additions} -{self.deletions}"


def create_file_row(change: FileChange) -> FileRow:
    """Create the row of a changed file."""
    return FileRow(
        path=change.path,
        previous_path=change.previous_path or None,
        status=change.status,
        additions=change.additions,
        deletions=change.deletions,
    )


class PartRow(Protocol):
    """An item of a list."""

    def lines(self) -> Iterator[str]:
        """Iterate over its lines of text."""
        ...


@frozen(kw_only=True)
class TextOwner:
    """The owner of a whole text: a comment, a review, a review comment, or the pull request.

    Args:
        characters: The length of the whole text.
    """

    id: int | str
    author: str
    url: str
    characters: int
    at: datetime | None = None
    state: str | None = None
    path: Annotated[str | None, Meta(cut=False)] = None
    line: int | None = None
    thread_id: str | None = None

    def lines(self) -> Iterator[str]:
        """Iterate over its lines of text: one."""
        place = "" if self.path is None else f" {self.path}" + ("" if self.line is None else f":{self.line}")
        state = f" {self.state}" if self.state else ""
        when = f", {format_time(self.at)}" if self.at else ""
        yield f"[{self.id}]{place} {self.author}{state}{when}, {self.characters} characters"


@frozen(kw_only=True)
class PullRequestPart:
    """The result of `pull_request_read`; only the requested part is set.

    Args:
        method: The requested method.
        total: The number of items on all pages; None if unknown.
        cut: Why the forge's list is incomplete; None if it is complete.
        changed: True if the list changed since the previous page.
        item: The owner of the text in `parts`.
        parts: The text; joined, the parts of all pages are the whole text.
        diff: The diff; joined, the texts of the parts of all pages are the whole diff.
    """

    pull_request: Annotated[str, Meta(cut=False)]
    method: Method
    total: int | None = None
    cut: str | None = None
    changed: bool | None = None
    details: PullRequestDetails | None = None
    status: CommitStatus | None = None
    item: TextOwner | None = None
    thread: ThreadDetails | None = None
    diff: Page[DiffPart] | None = None
    files: Page[FileRow] | None = None
    checks: Page[CheckRow] | None = None
    comments: Page[CommentRow] | None = None
    reviews: Page[ReviewRow] | None = None
    review_comments: Page[ReviewCommentRow] | None = None
    thread_comments: Page[WholeComment] | None = None
    parts: Annotated[Page[str] | None, Meta(cut=False)] = None

    def render(self) -> Iterator[str]:
        """Iterate over the lines of text: one per item; a diff or a whole text is shown as the page has it."""
        yield f"{self.pull_request} {self.method}{self._count()}"
        yield from format_lines(self.details.lines() if self.details else ())
        yield from format_lines(line for row in (self.status, self.item, *self._rows()) if row for line in row.lines())
        for part in (self.thread, *(self.thread_comments or ())):
            yield from part.lines() if part else ()
        for part in self.diff or ():
            yield f"[{format_line(part.path)}]"
            yield part.text.removesuffix("\n")
        yield from self.parts or ()
        if self.cut:
            yield f"The list is incomplete: {self.cut}"
        yield from format_changed(changed=self.changed)
        if any(whole_length(body) > SHOWN for body in self._bodies()):
            yield "… long texts are cut here; repeat the call with id=… to read one in full"

    def _count(self) -> str:
        shown = sum(1 for _ in self._page() or ())
        if self._page() is None:
            return ""
        return f": {shown} of {self.total}" if self.total is not None else f": {shown}"

    def _page(self) -> Page[Any] | None:
        texts = (self.diff, self.parts, self.thread_comments)
        lists = (self.files, self.checks, self.comments, self.reviews, self.review_comments)
        return next((page for page in (*texts, *lists) if page is not None), None)

    def _rows(self) -> Iterator[PartRow]:
        for page in (self.files, self.checks, self.comments, self.reviews, self.review_comments):
            yield from page or ()

    def _bodies(self) -> Iterator[str]:
        for page in (self.comments, self.reviews, self.review_comments):
            yield from (row.body for row in page or ())
