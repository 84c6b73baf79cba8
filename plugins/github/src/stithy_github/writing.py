"""Finding again what was written and whose answer was lost."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from stithy_core.spi import Comment, User, known

if TYPE_CHECKING:
    from stithy_core.spi import Forge

# Times have whole seconds, and the server's clock is known from a header that has no finer ones.
MARGIN = timedelta(seconds=2)


def since_when(began: datetime) -> datetime:
    """Give the earliest time that something sent then may bear."""
    return began.astimezone(UTC).replace(microsecond=0) - MARGIN


def stamp(time: datetime) -> str:
    """Write a time as GitHub takes it."""
    return f"{time.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def same_text(one: str, other: str) -> bool:
    """Say whether two texts are the same but for line ends and the space around them, which a server may change."""
    return _bare(one) == _bare(other)


def _bare(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


async def is_ours(forge: "Forge") -> Callable[[Comment], bool]:
    """Give what tells the token's own comments; an app's token has no user to ask for, and takes any author."""
    me = await known(forge.identity.me())
    return lambda comment: not isinstance(me, User) or comment.author.id == me.id
