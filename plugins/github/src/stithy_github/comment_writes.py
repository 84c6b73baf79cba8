"""What stands in the way of a write, by name, and finding again what was written and whose answer was lost."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from stithy_core.spi import Archived, Comment, ForgeError, IssueRef, Locked, Moved, User, or_unknown
from stithy_github.mapping import repository_path, to_repository_ref

if TYPE_CHECKING:
    from stithy_core.spi import Forge

C = TypeVar("C", bound=Comment)

# Times have whole seconds, and the server's clock is known from a header that has no finer ones.
MARGIN = timedelta(seconds=2)


@asynccontextmanager
async def describe_write_errors(forge: "Forge", subject: IssueRef) -> AsyncIterator[None]:
    """Say of a write that was refused what of ours it is about.

    Raises:
        Moved: The repository has another name now, which is told; nothing was written.
        Archived: It takes no writes.
        Locked: The conversation is locked.
    """
    try:
        yield
    except Moved as error:
        raise await _describe_rename(forge, subject, error) from error
    except Archived as error:
        text = f"{subject.repository} is archived and takes no writes"
        raise Archived(text, suggestion=error.suggestion, details=error.details) from error
    except Locked as error:
        text = f"the conversation of {subject} is locked"
        raise Locked(text, suggestion=error.suggestion, details=error.details) from error


async def _describe_rename(forge: "Forge", subject: IssueRef, error: Moved) -> Moved:
    """Find the present name; GitHub redirects a write to a number."""
    try:
        present = to_repository_ref(await forge.http.get(repository_path(subject.repository), shape=dict))
    except ForgeError:  # the first refusal says more than the second
        return error
    if str(present).lower() == str(subject.repository).lower():  # it is the forge, or its address, that moved
        return error
    text = f"{subject.repository} is called {present} now; nothing was written"
    return Moved(text, suggestion=f"Use {present}.", details=error.details)


def earliest_time(began: datetime) -> datetime:
    """Give the earliest time that something sent then may bear."""
    return began.astimezone(UTC).replace(microsecond=0) - MARGIN


def format_time(time: datetime) -> str:
    """Write a time as GitHub takes it."""
    return f"{time.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


async def find_own_comment(
    forge: "Forge", comments: Iterable[C], body: str, earliest: datetime, *, certainly: bool = False
) -> C | None:
    """Look for a comment of ours with that text, made since a time.

    Args:
        forge: Where it would be.
        comments: Among which it would be.
        body: The text.
        earliest: The time.
        certainly: Whether it must be ours where nobody says who we are; else it is anybody's then.
    """
    alike = [one for one in comments if is_same_text(one.body, body) and one.created_at >= earliest]
    if not alike:
        return None
    me = await or_unknown(forge.identity.me())
    if isinstance(me, User):
        return next((one for one in alike if one.author.id == me.id), None)
    return None if certainly else alike[0]


def is_same_text(one: str, other: str) -> bool:
    """Say whether two texts are the same but for line ends and the space around them, which a server may change."""
    return _normalize(one) == _normalize(other)


def _normalize(text: str) -> str:
    return text.replace("\r\n", "\n").strip()
