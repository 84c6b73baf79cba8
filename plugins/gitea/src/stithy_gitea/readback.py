"""Finding again what was written before: when its answer was lost, or when it is to be written only once."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from stithy_core.spi import Comment, Maybe, ReviewComment, Thread, User, or_unknown
from stithy_gitea.mapping import to_user

if TYPE_CHECKING:
    from stithy_core.spi import Forge

C = TypeVar("C", bound=Comment)

# Times have whole seconds, and the server's clock is known from a header that has no finer ones.
MARGIN = timedelta(seconds=2)
AUTHOR = "author"


def earliest(since: datetime) -> datetime:
    """Give the earliest time that a comment may bear which was sent at `since`."""
    return _whole(since) - MARGIN


def as_query(moment: datetime) -> str:
    """Write a time as the API takes it; the servers compare it inclusively, by whole seconds."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


async def author(forge: "Forge") -> Maybe[User]:
    """Give the token's user; unknown where the token may not ask and has written nothing yet."""
    return await or_unknown(forge.once(AUTHOR, forge.identity.me))


async def learn(forge: "Forge", raw: object) -> None:
    """Learn from the answer to a write who the token's user is, since not every token may ask that.

    An answer of another shape says nothing; whoever makes a record of it finds what is wrong with it.
    """
    told = raw.get("user") if isinstance(raw, Mapping) else None
    user = to_user(told) if isinstance(told, Mapping) and isinstance(told.get("id"), int) else None
    if user is not None and user.id:
        await forge.once(AUTHOR, lambda: _given(user))


async def ours(forge: "Forge", comments: Iterable[C], body: str, since: datetime) -> C | None:
    """Look for a comment of the token's user with just that text, sent since a time.

    Where the token may not say whose it is, whoever wrote it will do: such a one was sent, and its answer was lost.
    """
    me = await author(forge)
    for comment in comments:
        mine = not isinstance(me, User) or comment.author.id == me.id
        if mine and comment.body == body and comment.created_at >= earliest(since):
            return comment
    return None


async def answered(forge: "Forge", thread: Thread, body: str, since: datetime) -> ReviewComment | None:
    """Look for the first answer of the token's user with just that text, made since a time.

    Where it is unknown whose token it is there is none: to take another's words for the answer would keep it back.
    """
    root, *answers = thread.comments
    same = [one for one in answers if one.body == body and one.created_at >= _whole(since)]
    same = [one for one in same if root.pending or not one.pending]
    me = await author(forge) if same else None
    return next((one for one in same if isinstance(me, User) and one.author.id == me.id), None)


def _whole(moment: datetime) -> datetime:
    return moment.replace(microsecond=0)


async def _given(user: User) -> Any:
    return user
