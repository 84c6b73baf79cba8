"""Finding again what was written when its answer was lost."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from stithy_core.spi import Comment, User, known

if TYPE_CHECKING:
    from stithy_core.spi import Forge

C = TypeVar("C", bound=Comment)

# Times have whole seconds, and the server's clock is known from a header that has no finer ones.
MARGIN = timedelta(seconds=2)


def earliest(since: datetime) -> datetime:
    """Give the earliest time that a comment may bear which was sent at `since`."""
    return since.replace(microsecond=0) - MARGIN


def as_query(moment: datetime) -> str:
    """Write a time as the API takes it; the servers compare it inclusively, by whole seconds."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


async def ours(forge: "Forge", comments: Iterable[C], body: str, since: datetime) -> C | None:
    """Look for a comment of the token's user with just that text, made since a time.

    Where the token may not say whose it is, whoever wrote it will do.
    """
    me = await known(forge.identity.me())
    for comment in comments:
        mine = not isinstance(me, User) or comment.author.id == me.id
        if mine and comment.body == body and comment.created_at >= earliest(since):
            return comment
    return None
