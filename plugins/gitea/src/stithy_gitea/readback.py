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


def earliest_time(since: datetime) -> datetime:
    """Return the earliest creation time of a comment that was sent at `since`."""
    return _whole(since) - MARGIN


def as_query(moment: datetime) -> str:
    """Write a time as the API takes it; the servers compare it inclusively, by whole seconds."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


async def token_user(forge: "Forge") -> Maybe[User]:
    """Return the token's user; unknown if the token may not ask and has written nothing yet."""
    return await or_unknown(forge.once(AUTHOR, forge.identity.me))


async def record_token_user(forge: "Forge", raw: object) -> None:
    """Record the token's user from the response to a write, since not every token may ask for it.

    An answer of another shape says nothing; whoever makes a record of it finds what is wrong with it.
    """
    told = raw.get("user") if isinstance(raw, Mapping) else None
    user = to_user(told) if isinstance(told, Mapping) and isinstance(told.get("id"), int) else None
    if user is not None and user.id:
        await forge.once(AUTHOR, lambda: _return_user(user))


async def find_own_comment(forge: "Forge", comments: Iterable[C], body: str, since: datetime) -> C | None:
    """Return a comment of the token's user with exactly this text, created since a time; None without one.

    Where the token may not say whose it is, whoever wrote it will do: such a one was sent, and its answer was lost.
    """
    me = await token_user(forge)
    for comment in comments:
        mine = not isinstance(me, User) or comment.author.id == me.id
        if mine and comment.body == body and comment.created_at >= earliest_time(since):
            return comment
    return None


async def find_own_reply(forge: "Forge", thread: Thread, body: str, since: datetime) -> ReviewComment | None:
    """Return the first reply of the token's user with exactly this text, created since a time; None without one.

    Without a known user of the token, return None: a reply of another user must not suppress this one.
    """
    root, *answers = thread.comments
    same = [one for one in answers if one.body == body and one.created_at >= _whole(since)]
    same = [one for one in same if root.pending or not one.pending]
    me = await token_user(forge) if same else None
    return next((one for one in same if isinstance(me, User) and one.author.id == me.id), None)


def _whole(moment: datetime) -> datetime:
    return moment.replace(microsecond=0)


async def _return_user(user: User) -> Any:
    return user
