"""The items of a stream: comments, reviews and events in one shape for all forges (SERVE-5)."""

from datetime import UTC, datetime
from typing import Annotated, Literal, TypeAlias

from attrs import frozen

from stithy_core.spi import NOT_REPORTED, Comment, Event, Maybe, Meta, Review, Thread, Unknown

Type: TypeAlias = Literal["review", "issue", "timeline"]
AccountType: TypeAlias = Literal["User", "Bot", "Organization"]
ReviewState: TypeAlias = Literal["approved", "changes_requested", "commented", "dismissed", "pending"]

TIMELESS = datetime.max.replace(tzinfo=UTC)


@frozen(kw_only=True)
class Author:
    """The author of an item; a deleted account is the User `ghost`."""

    login: Maybe[str]
    type: Maybe[AccountType]


@frozen(kw_only=True)
class NormalizedComment:
    """An item of the stream (SERVE-5).

    Args:
        id: Its id; `by` and the author for a verdict that the forge reports without an id.
        type: `review` for reviews and comments of threads, `issue` for general comments, `timeline` for events.
        body: The text; for an event its kind and object: `labeled: bug`.
        updated_at: The time of the last edit; equal to `created_at` for reviews and events.
        url: The URL in the API if the forge reports one, else the page.
        html_url: The page; for items without a page of their own, the page of the pull request.
        file_path: The file of the thread; None for reviews, and if the thread has no place in the code.
        line: The line of the thread; None for a thread on a whole file.
        commit_id: The commit that was commented on, reviewed or pushed.
        in_reply_to_id: The comment that opened the thread.
        review_state: The verdict of a review; for a review comment `pending` until its author submits it, else None.
    """

    id: str
    type: Type
    author: Author
    created_at: Maybe[datetime]
    updated_at: Maybe[datetime]
    body: Annotated[str, Meta(cut=True, rest="pull_request_read with this id, and the method for its type")]
    url: Annotated[str, Meta(cut=False)]
    html_url: Annotated[str, Meta(cut=False)]
    file_path: Annotated[str | None, Meta(cut=False)] = None
    line: int | None = None
    commit_id: str | None = None
    in_reply_to_id: str | None = None
    review_state: Maybe[ReviewState] | None = None


@frozen(kw_only=True)
class StreamEntry:
    """An item with the object of the model that it was created from.

    Args:
        key: Kind and id, such as `comment:12`; the same for one object from any list.
        row: The item.
        source: The object of the model.
        thread: The thread of a review comment.
    """

    key: str
    row: NormalizedComment
    source: Comment | Review | Event
    thread: Thread | None = None

    @property
    def sort_key(self) -> tuple[datetime, str, str]:
        """The sort key: creation time, then id as text; items without a time are last."""
        created = self.row.created_at
        return TIMELESS if isinstance(created, Unknown) else created, self.row.id, self.key

    @property
    def is_empty_review(self) -> bool:
        """Whether it is the empty review that forges create around each reply in a thread."""
        source = self.source
        return isinstance(source, Review) and source.state == "commented" and not source.body.strip()

    @property
    def is_human_text(self) -> bool:
        """Whether it is a text of a person that is not minimized."""
        folded = isinstance(self.source, Comment) and self.source.minimized not in ("", NOT_REPORTED)
        return self.row.type != "timeline" and self.row.author.type != "Bot" and not folded


def format_page_key(row: NormalizedComment) -> str:
    """Return the cursor key of an item: its id with a prefix, since reviews and comments may have equal ids."""
    is_review = row.review_state is not None and not _is_draft_comment(row)
    kind = "v" if row.type == "review" and is_review else row.type[0]
    return f"{kind}{row.id}"


def _is_draft_comment(row: NormalizedComment) -> bool:
    """Return whether a pending item is a comment of a draft review: it has a time, the review itself has none."""
    return row.review_state == "pending" and isinstance(row.created_at, datetime)
