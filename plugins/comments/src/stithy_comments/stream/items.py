"""One thing that was said or happened, in the same shape whatever forge and list it is from (SERVE-5)."""

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
    """Who wrote it; a deleted account is the User `ghost`."""

    login: Maybe[str]
    type: Maybe[AccountType]


@frozen(kw_only=True)
class NormalizedComment:
    """An item of the stream (SERVE-5).

    Args:
        type: review for verdicts and comments in the diff, which have `file_path`; timeline for events.
        body: What was written; of an event its kind, and what it is about: `labeled: bug`.
        updated_at: Of a review or an event, of which forges tell one time only, that one.
        url: The API's address, where the forge says one; else the page's.
        html_url: The page; of what has none of its own, that of the pull request.
        line: As the thread has it; none for a remark on a whole file.
        commit_id: On which it was written or given, or what was pushed.
        in_reply_to_id: The comment that opened the thread.
        review_state: Of a verdict. Of a comment in the diff only `pending`: its author has not sent it.
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
class Entry:
    """An item, and what it was made of.

    Args:
        key: What sort of thing it is, and its id: the same from whatever list it comes.
        row: As it is given.
        said: As the forge's plugin gave it.
        thread: Where it stands in the diff.
    """

    key: str
    row: NormalizedComment
    said: Comment | Review | Event
    thread: Thread | None = None

    @property
    def place(self) -> tuple[datetime, str, str]:
        """Where it stands in the stream: by time, then by id as text; without a time it stands last."""
        created = self.row.created_at
        return TIMELESS if isinstance(created, Unknown) else created, self.row.id, self.key

    @property
    def says_nothing(self) -> bool:
        """Whether it is the empty cover around comments in the diff that forges make of each reply."""
        said = self.said
        return isinstance(said, Review) and said.state == "commented" and not said.body.strip()

    @property
    def is_of_people(self) -> bool:
        """Whether it is the words of somebody who is not known as a bot, and nobody has folded them away."""
        folded = isinstance(self.said, Comment) and self.said.minimized not in ("", NOT_REPORTED)
        return self.row.type != "timeline" and self.row.author.type != "Bot" and not folded


def page_key(row: NormalizedComment) -> str:
    """Name an item within its stream, shortly: ids of verdicts, remarks and comments are of different series."""
    place = "" if row.file_path is None else "d"
    return f"{row.type[0]}{place}{row.id}"
