"""What callers want to post, looked at before anything is sent; and ids, times and lines as tools write them."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from stithy_core.spi import Hint, InvalidArguments

UNPROCESSABLE = 422
UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def check_postable(body: str, argument: str) -> None:
    """Pass a text that every forge can store and give back unchanged.

    Args:
        body: What is to be posted.
        argument: What the caller calls it.

    Raises:
        InvalidArguments: It is blank, or has a character that forges drop, replace or refuse; nothing was sent.
    """
    if not body.strip():
        raise _refused(argument, "must not be blank", repr(body[:20]), "a text that says something")
    if found := UNSTORABLE.search(body):
        what = "a NUL" if found[0] == "\0" else "half of a surrogate pair"
        problem = f"has {what} at character {found.start()}, which not every forge stores as it is"
        raise _refused(argument, problem, ascii(found[0]), "a text without it")


def _refused(argument: str, problem: str, given: str, allowed: str) -> InvalidArguments:
    row = {"path": argument, "given": given, "allowed": allowed, "message": f"{argument} {problem}"}
    details = {"status": UNPROCESSABLE, "errors": [row]}
    return InvalidArguments(f"{argument} {problem}; nothing was sent", suggestion="Correct it.", details=details)


def wire_id(name: str) -> int | str:
    """Give an id of the model as tools do: a number wherever the forge's is one (COM-2, REPLY-3)."""
    return int(name) if name.isascii() and name.isdecimal() else name


def moment(at: datetime) -> str:
    """Write a time, which is in UTC, as tools and forges do."""
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"


def in_line(text: str) -> str:
    """Give a text in one line: names, paths and labels of strangers may have ends of lines in them."""
    line = " ".join(text.splitlines())
    return Hint(line) if isinstance(text, Hint) else line


def in_lines(texts: Iterable[str]) -> Iterator[str]:
    """Give each text in a line of its own, so that nobody's words pass for a line of ours."""
    return map(in_line, texts)
