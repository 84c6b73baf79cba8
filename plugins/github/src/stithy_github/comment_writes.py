"""Errors of writes in a conversation, and the search for a comment whose response was lost."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from stithy_core.spi import (
    Archived,
    Comment,
    ForgeError,
    IssueRef,
    Locked,
    Moved,
    User,
    or_unknown,
    raise_explained,
)
from stithy_github.mapping import repository_path, to_repository_ref

if TYPE_CHECKING:
    from stithy_core.spi import Forge

C = TypeVar("C", bound=Comment)

# Times have whole seconds, and the server's clock is known from a header of whole seconds.
MARGIN = timedelta(seconds=2)


@asynccontextmanager
async def describe_write_errors(forge: "Forge", subject: IssueRef) -> AsyncIterator[None]:
    """Name the repository or the conversation in the error of a refused write.

    Raises:
        Moved: The repository was renamed; the error has its current name, and nothing was written.
        Archived: The repository is archived.
        Locked: The conversation is locked.
    """
    try:
        yield
    except Moved as error:
        raise_explained(await _describe_rename(forge, subject, error), error)
    except Archived as error:
        text = f"{subject.repository} is archived and takes no writes"
        raise Archived(text, suggestion=error.suggestion, details=error.details) from error
    except Locked as error:
        text = f"the conversation of {subject} is locked"
        raise Locked(text, suggestion=error.suggestion, details=error.details) from error


async def _describe_rename(forge: "Forge", subject: IssueRef, error: Moved) -> Moved:
    """Return the error with the repository's current name, which GitHub's redirect leaves out."""
    try:
        current = to_repository_ref(await forge.http.get(repository_path(subject.repository), shape=dict))
    except ForgeError:  # the first error is more useful than the second
        return error
    if str(current).lower() == str(subject.repository).lower():  # the forge or its URL has moved, not the repository
        return error
    text = f"{subject.repository} is called {current} now; nothing was written"
    return Moved(text, suggestion=f"Use {current}.", details=error.details)


def earliest_time(since: datetime) -> datetime:
    """Return the earliest creation time of a comment that was sent at `since`."""
    return since.astimezone(UTC).replace(microsecond=0) - MARGIN


def format_time(time: datetime) -> str:
    """Format a time as the API takes it, in UTC."""
    return f"{time.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


async def find_own_comment(
    forge: "Forge", comments: Iterable[C], body: str, earliest: datetime, *, certainly: bool = False
) -> C | None:
    """Return a comment of the token's user with a text, created since a time; None without one.

    Args:
        forge: The forge.
        comments: The comments to search.
        body: The text.
        earliest: The time.
        certainly: Whether to return None if the token's user is unknown; else any author's comment is returned then.
    """
    alike = [comment for comment in comments if is_same_text(comment.body, body) and comment.created_at >= earliest]
    if not alike:
        return None
    me = await or_unknown(forge.identity.me())
    if isinstance(me, User):
        return next((comment for comment in alike if comment.author.id == me.id), None)
    return None if certainly else alike[0]


def is_same_text(one: str, other: str) -> bool:
    """Return whether two texts are the same but for line ends and outer whitespace, which a server may change."""
    return _normalize(one) == _normalize(other)


def _normalize(text: str) -> str:
    return text.replace("\r\n", "\n").strip()
