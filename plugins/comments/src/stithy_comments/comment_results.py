"""Results of the tools that write a comment or list a conversation (COM-2, COM-3)."""

from collections.abc import Iterator
from datetime import datetime
from itertools import takewhile
from typing import Annotated, Any, ClassVar, Self, TypeVar

from attrs import frozen

from stithy_comments.kept_reads import format_changed
from stithy_comments.text_format import UrlPatterns, format_body, format_id, format_time
from stithy_core.spi import Comment, Forge, IssueRef, Listing, Meta, Page, Unclear

T = TypeVar("T")


@frozen(kw_only=True)
class PostedComment:
    """A comment in a result (COM-2); its id is a number if the forge's id is one."""

    id: int | str
    body: Annotated[str, Meta(cut=True, echo=True)]
    user: str
    created_at: datetime
    updated_at: datetime


@frozen(kw_only=True)
class CommentWriteResult:
    """The result of a tool that writes a comment.

    Args:
        comment: The comment as the forge stores it now.
        url: Its page.
        changed_by_forge: How the stored text differs from the text passed; None if it does not.
    """

    what: ClassVar[str]
    done: ClassVar[str] = "created"

    comment: PostedComment
    url: str
    changed_by_forge: str | None

    @classmethod
    def from_comment(cls, comment: Comment, sent: str) -> Self:
        """Create the result from the comment that the forge stored and the text that was passed."""
        return cls(
            comment=PostedComment(**collect_comment_fields(comment)),
            url=comment.url,
            changed_by_forge=describe_difference(sent, comment.body),
        )

    def render(self) -> Iterator[str]:
        """Iterate over the lines of COM-3, then how the stored text differs."""
        yield f"{self.what} {self.done} successfully. ID: {self.comment.id}, {self._when()}"
        yield f"Comment body: {self.comment.body}"
        if self.changed_by_forge:
            yield f"The forge changed the text: {self.changed_by_forge}"

    def _when(self) -> str:
        return f"Created: {format_time(self.comment.created_at)}"


@frozen(kw_only=True)
class CommentEditResult(CommentWriteResult):
    """The result of a tool that edits a comment."""

    done = "edited"

    def _when(self) -> str:
        return f"Updated: {format_time(self.comment.updated_at)}"


@frozen(kw_only=True)
class ListedComment(PostedComment):
    """One comment of a conversation."""

    body: Annotated[str, Meta(cut=True)]
    url: str


async def edit_comment(forge: Forge, subject: IssueRef, comment: int | str, body: str) -> Comment:
    """Replace the text of a comment and return the comment as the forge stores it.

    Raises:
        Unclear: The answer was lost. An edit, unlike other writes, is safe to repeat.
    """
    try:
        return await forge.comments.edit(subject, str(comment), body)
    except Unclear as error:
        error.suggestion = "Repeat the same call: an edit to the same text is safe to repeat."
        raise


def create_comment_page(comments: Listing[Comment], limit: int) -> Page[ListedComment]:
    """Return a conversation as a page of a result."""
    rows = [ListedComment(**collect_comment_fields(comment), url=comment.url) for comment in comments]
    return Page(rows, key=lambda comment: str(comment.id), limit=limit, total=count_total(comments))


def format_comment_lines(
    comments: Page[ListedComment], subject: str, incomplete: str | None, *, changed: bool | None = None
) -> Iterator[str]:
    """Iterate over the lines that show a conversation: for each comment its id, author, time and whole text."""
    shown = sum(1 for _ in comments)
    whole = "" if comments.total is None else f" of {comments.total}"
    yield f"{shown}{whole} comments on {subject}" if shown else f"No comments on {subject}"
    patterns = UrlPatterns.find(("comment", comment.id, comment.url) for comment in comments)
    for comment in comments:
        edited = f", edited {format_time(comment.updated_at)}" if comment.updated_at > comment.created_at else ""
        url = "" if patterns.cover("comment", comment.id, comment.url) else f", {comment.url}"
        head = f"- [{comment.id}] {comment.user}, {format_time(comment.created_at)}{edited}{url}:"
        yield from format_body(head, comment.body)
    yield from patterns.lines()
    yield from format_incomplete(incomplete)
    yield from format_changed(changed=changed)


def format_incomplete(incomplete: str | None) -> Iterator[str]:
    """Iterate over the line that says why a list could not be read completely; none if it could."""
    if incomplete:
        yield f"The list is incomplete: {incomplete}"


def count_total(listing: Listing[T]) -> int | None:
    """Return the number of all items if it is known: the forge reports it, or the listing is complete."""
    if listing.total is not None or listing.cut:
        return listing.total
    return len(listing)


def describe_difference(sent: str, stored: str) -> str | None:
    """Describe how the text that a forge stored differs from the text sent; None if it does not."""
    if sent == stored:
        return None
    at = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(sent, stored, strict=False)))
    return f"stored {len(stored):,} of {len(sent):,} characters sent; the texts differ from character {at:,} on"


def collect_comment_fields(comment: Comment) -> dict[str, Any]:
    """Return the fields of a `PostedComment` by name."""
    return {
        "id": format_id(comment.id),
        "body": comment.body,
        "user": comment.author.login,
        "created_at": comment.created_at,
        "updated_at": comment.updated_at,
    }
