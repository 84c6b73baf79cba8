"""Results of the tools that write a comment or read a conversation (COM-2, COM-3)."""

from collections.abc import Iterator
from datetime import datetime
from itertools import takewhile
from typing import Annotated, Any, ClassVar, Self, TypeVar

from attrs import frozen

from stithy_comments.texts import in_line, moment, wire_id
from stithy_core.spi import Comment, Forge, IssueRef, Listing, Meta, Page, Unclear, excerpt

T = TypeVar("T")


@frozen(kw_only=True)
class Posted:
    """A comment that was written (COM-2); its id is a number wherever the forge's is one."""

    id: int | str
    body: Annotated[str, Meta(cut=True, echo=True)]
    user: str
    created_at: datetime
    updated_at: datetime


@frozen(kw_only=True)
class Written:
    """What a tool gives that writes a comment.

    Args:
        comment: As the forge has it now.
        url: Its page.
        changed_by_forge: How that differs from what was given; None where it does not.
    """

    what: ClassVar[str]
    done: ClassVar[str] = "created"

    comment: Posted
    url: str
    changed_by_forge: str | None

    @classmethod
    def of(cls, comment: Comment, given: str) -> Self:
        """Tell of a comment that the forge took in the place of a text."""
        return cls(comment=Posted(**told(comment)), url=comment.url, changed_by_forge=difference(given, comment.body))

    def render(self) -> Iterator[str]:
        """Return the text of COM-3, and after it what differs from what was given."""
        yield f"{self.what} {self.done} successfully. ID: {self.comment.id}, {self._when()}"
        yield f"Comment body: {self.comment.body}"
        if self.changed_by_forge:
            yield f"The forge changed the text: {self.changed_by_forge}"

    def _when(self) -> str:
        return f"Created: {moment(self.comment.created_at)}"


@frozen(kw_only=True)
class Edited(Written):
    """What a tool gives that edits a comment."""

    done = "edited"

    def _when(self) -> str:
        return f"Updated: {moment(self.comment.updated_at)}"


@frozen(kw_only=True)
class Listed(Posted):
    """One comment of a conversation."""

    body: Annotated[str, Meta(cut=True)]
    url: str


async def edited(forge: Forge, subject: IssueRef, comment: int, body: str) -> Comment:
    """Put another text in a comment's place.

    Raises:
        Unclear: The answer was lost; that may be repeated, as no other write.
    """
    try:
        return await forge.comments.edit(subject, str(comment), body)
    except Unclear as error:
        error.suggestion = "Repeat the same call: to edit twice to the same text does no harm."
        raise


def page_of(comments: Listing[Comment], limit: int) -> Page[Listed]:
    """Give a conversation as a page."""
    rows = [Listed(**told(comment), url=comment.url) for comment in comments]
    return Page(rows, key=lambda comment: str(comment.id), limit=limit, total=total_of(comments))


def lines(comments: Page[Listed], subject: str, incomplete: str | None) -> Iterator[str]:
    """Give a line a comment: its id, who, when and how it begins."""
    shown = sum(1 for _ in comments)
    whole = "" if comments.total is None else f" of {comments.total}"
    yield f"{shown}{whole} comments on {subject}" if shown else f"No comments on {subject}"
    for comment in comments:
        yield in_line(f"- [{comment.id}] {comment.user}, {moment(comment.created_at)}: {excerpt(comment.body)}")
    yield from unread(incomplete)


def unread(incomplete: str | None) -> Iterator[str]:
    """Say why a list has more than could be read, where it has."""
    if incomplete:
        yield f"There are more than could be read: {incomplete}"


def total_of(listing: Listing[T]) -> int | None:
    """Count all that there are, where that is known: the forge says it, or nothing was left out."""
    if listing.total is not None or listing.cut:
        return listing.total
    return len(listing)


def difference(given: str, stored: str) -> str | None:
    """Say how a text that a forge stored differs from the one that it was given; None where it does not."""
    if given == stored:
        return None
    at = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(given, stored, strict=False)))
    return f"it has {len(stored):,} characters, {len(given):,} were given; they differ from character {at:,} on"


def told(comment: Comment) -> dict[str, Any]:
    """Give the fields of `Posted`."""
    return {
        "id": wire_id(comment.id),
        "body": comment.body,
        "user": comment.author.login,
        "created_at": comment.created_at,
        "updated_at": comment.updated_at,
    }
