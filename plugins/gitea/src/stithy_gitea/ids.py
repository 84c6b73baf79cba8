"""What an id is, of which a route only says that it is not what was asked for.

Ids are those of the whole instance, and comments, inline comments, reviews and events share them. Only the comments of
conversations can be read by theirs: of the others the server says no more than that they are there, by a 204 (field
notes on the API, section 5).
"""

from typing import TYPE_CHECKING, Any

from stithy_core.spi import Forbidden, IssueRef, NotFound, PullRequestRef, RepositoryRef, Unknown, or_unknown
from stithy_gitea.mapping import to_subject
from stithy_gitea.subjects import ABSENT, comment_path

if TYPE_CHECKING:
    from stithy_core.spi import Forge


async def read_comment(forge: "Forge", repository: RepositoryRef, comment: str) -> dict[str, Any] | None:
    """Read the JSON of a comment of any conversation of a repository; None where the id is of something else.

    Raises:
        NotFound: There is nothing of that id.
    """
    raw: dict[str, Any] | None = await forge.http.get(comment_path(repository, comment), shape=dict)
    return raw


async def event_of(forge: "Forge", subject: IssueRef, comment: str) -> str:
    """Return a description of the event that an id belongs to; empty without one."""
    events = await or_unknown(forge.issues.timeline(subject))
    found = (event.raw for event in (() if isinstance(events, Unknown) else events) if event.id == comment)
    return next((f"it is an event ({raw})" for raw in found), "")


def is_id(text: str) -> bool:
    """Return whether a text can be an id."""
    return text.isascii() and text.isdigit()


async def refuse_comment(forge: "Forge", pr: PullRequestRef, comment: str) -> None:
    """Pass an id that is of something else than a comment of a conversation, or of which the token may not ask.

    Raises:
        NotFound: There is nothing of that id, or it is a comment of a conversation.
    """
    if not is_id(comment):
        raise missing_thread(pr, comment, "ids of review comments are numbers")
    try:
        raw = await read_comment(forge, pr.repository, comment)
    except NotFound as error:
        raise missing_thread(pr, comment, "the repository has no comment of that id", error) from error
    except Forbidden:
        return
    if raw is not None:
        place = to_subject(raw) or pr.repository
        raise missing_thread(pr, comment, f"it is a comment in the conversation of {place}, not in a diff")


def missing_thread(pr: PullRequestRef, comment: str, reason: str, error: NotFound | None = None) -> NotFound:
    """Return the error for a thread that a pull request does not have."""
    text = f"{pr} has no thread {comment}: {reason}; nothing was written"
    remedy = "Read its threads: they have their ids, and those of their comments."
    return NotFound(text, suggestion=remedy, details=error.details if error else {"status": ABSENT})
