"""A fault, and the error that it must become."""

from collections.abc import Callable
from typing import Any

from attrs import frozen

from faulty.server import FaultyForge
from stithy_core.spi import ForgeError, Unavailable, Unclear


@frozen(kw_only=True)
class Meaning:
    """The error that a fault must become.

    Args:
        kind: Its class.
        words: What its message says.
        remedy: What its suggestion says.
        asked: How often the forge is asked before it is given up.
    """

    kind: type[ForgeError]
    words: str
    remedy: str
    asked: int = 1


@frozen(kw_only=True)
class Fault:
    """A faulty response.

    Args:
        name: As the tests call it.
        answer: Gives what the server does in its answer's place; see `loopback.Server.answers`.
        read: What it means for a read.
        write: What it means for a write, which was not carried out.
        status: What must be kept of the answer.
        said: Likewise; None where it says nothing to a person.
        wait: How many seconds the caller is told to wait.
        slow: Whether time has to run out, of which the tests give little.
        locked: Whether the conversation is.
        archived: Whether the repository is.
    """

    name: str
    answer: Callable[[FaultyForge], Any]
    read: Meaning
    write: Meaning
    status: int | None = None
    said: str | None = None
    wait: float | None = None
    slow: bool = False
    locked: bool = False
    archived: bool = False


UNCLEAR = Meaning(kind=Unclear, words="it was sent once and not again", remedy="Repeat the same call")
"""What may have been carried out was looked for and not found: it is not sent again."""

PASSING = Meaning(kind=Unavailable, words="answer", remedy="Nothing was changed; try again later.", asked=3)
"""What may pass is asked for again."""
