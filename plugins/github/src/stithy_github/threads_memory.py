"""What was said in threads that were read before, so that the next reading asks only what has changed.

GraphQL's answers carry no validator, so this is ours: a seal over all of the comments of a thread that can change.
"""

import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING, Any

from attrs import Factory, define, frozen

from stithy_core.spi import PullRequestRef, ReviewComment, Thread
from stithy_github.mapping import to_time

if TYPE_CHECKING:
    from stithy_core.spi import Forge

MOST = 16_000_000
"""Bytes that are kept of a forge for all tokens together, about."""
BESIDES = 1_000
"""Bytes that a comment takes beside its text, about: its record, its marks, its addresses."""
SETTLED = timedelta(seconds=3)
"""Times have whole seconds, so what changed just before it was read may change again and bear the same time."""
FIELDS = ("id", "updatedAt", "state", "isMinimized", "minimizedReason", "authorAssociation")

Row = Mapping[str, Any]


@frozen
class Kept:
    """What was said in one thread, and its seal."""

    seal: bytes
    comments: tuple[ReviewComment, ...]
    hunk: str

    @property
    def size(self) -> int:
        """How many bytes it takes, about."""
        return len(self.hunk) + sum(BESIDES + len(comment.body) for comment in self.comments)


@frozen
class Conversation:
    """The threads of a pull request by their ids, as they were under a repository's name: it stands in addresses."""

    name: str
    threads: Mapping[str, Kept]

    @property
    def size(self) -> int:
        """How many bytes it takes, about."""
        return sum(kept.size for kept in self.threads.values())

    def within(self, most: int) -> "Conversation":
        """Give as many of its threads as take no more than so many bytes."""
        sizes = accumulate(kept.size for kept in self.threads.values())
        fitting = takewhile(lambda pair: pair[1] <= most, zip(self.threads.items(), sizes, strict=True))
        return Conversation(self.name, dict(item for item, _ in fitting))


@define
class Memory:
    """Keeps conversations as each token saw them, those that were asked for last."""

    most: int = MOST
    _kept: OrderedDict[tuple[str, str], Conversation] = Factory(OrderedDict)

    def recall(self, identity: str, pr: PullRequestRef) -> Conversation | None:
        """Return what was kept for a token, if anything; it holds only as far as GitHub confirms it."""
        return self._kept.get(_key(identity, pr))

    def keep(self, identity: str, pr: PullRequestRef, conversation: Conversation) -> None:
        """Keep it in the place of what was there, or a part of it where it alone is too large."""
        key = _key(identity, pr)
        self._kept.pop(key, None)
        if (part := conversation.within(self.most)).threads:
            self._kept[key] = part
        while sum(one.size for one in self._kept.values()) > self.most:
            self._kept.popitem(last=False)


async def memory_of(forge: "Forge") -> Memory:
    """Give a forge's own."""
    return await forge.once("threads that were read", _new, by_token=False)


async def _new() -> Memory:
    return Memory()


def _key(identity: str, pr: PullRequestRef) -> tuple[str, str]:
    return identity, str(pr).lower()


def to_kept(thread: Thread, remarks: Sequence[Row | None], read_at: datetime) -> Kept | None:
    """Make what is kept of a thread; None where it was not read whole, or may have changed since without a trace.

    Args:
        thread: As it was read.
        remarks: The JSON of its comments; null stands for one that may not be seen.
        read_at: The server's time before it was asked.
    """
    if thread.cut or any(row and to_time(row["updatedAt"]) > read_at - SETTLED for row in remarks):
        return None
    return Kept(seal_of(remarks), thread.comments, thread.hunk)


def seal_of(remarks: Sequence[Row | None]) -> bytes:
    """Give what is the same only where all comments are as they were; an account may be renamed or deleted, too."""
    marks = [row and [*(row.get(field) for field in FIELDS), (row.get("author") or {}).get("login")] for row in remarks]
    return sha256(json.dumps(marks).encode()).digest()
