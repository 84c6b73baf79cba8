"""Checks of texts that callers post, and the formats of ids, times, lines and URLs in results."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from stithy_core.spi import Hint, InvalidArguments

UNPROCESSABLE = 422
LARGEST_NUMBER = 2**63 - 1
"""The largest id that is a number in results: 64 bits with a sign (REPLY-8)."""
URL_ID = "ID"
"""Stands for the id of an item in the pattern of a URL."""
UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def check_postable(body: str, argument: str) -> None:
    """Check that every forge can store a text and return it unchanged.

    Args:
        body: The text to post.
        argument: The name of the tool's argument, for the error.

    Raises:
        InvalidArguments: It is blank, or has a character that forges drop, replace or refuse. Nothing was sent.
    """
    if not body.strip():
        raise _refusal(argument, "must not be blank", repr(body[:20]), "a text with visible characters")
    if found := UNSTORABLE.search(body):
        character = "a NUL character" if found[0] == "\0" else "an unpaired surrogate"
        problem = f"has {character} at character {found.start()}, which some forges cannot store"
        raise _refusal(argument, problem, ascii(found[0]), "a text without this character")


def _refusal(argument: str, problem: str, value: str, allowed: str) -> InvalidArguments:
    row = {"path": argument, "given": value, "allowed": allowed, "message": f"{argument} {problem}"}
    details = {"status": UNPROCESSABLE, "errors": [row]}
    return InvalidArguments(
        f"{argument} {problem}; nothing was sent", suggestion=f"Correct {argument}.", details=details
    )


def format_id(name: str) -> int | str:
    """Return an id of the model as results have it: a number if the forge's id is one (COM-2, REPLY-3).

    Digits with leading zeros, or beyond `LARGEST_NUMBER`, stay text, such as a hexadecimal id without a letter.
    """
    if not (name.isascii() and name.isdecimal() and len(name) <= len(str(LARGEST_NUMBER))):
        return name
    number = int(name)
    return number if str(number) == name and number <= LARGEST_NUMBER else name


def format_time(at: datetime) -> str:
    """Format a time in UTC as forges do: `2026-01-31T12:00:00Z`."""
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"


def format_line(text: str) -> str:
    """Return a text in one line: names, paths and labels of third parties may contain line breaks."""
    line = " ".join(text.splitlines())
    return Hint(line) if isinstance(text, Hint) else line


def format_lines(texts: Iterable[str]) -> Iterator[str]:
    """Iterate over texts with each in one line, so that a third party's text cannot imitate a line of the result."""
    return map(format_line, texts)


GUTTER = "  | "
"""Prefix of each line of a text or of code, so that a third party's text cannot imitate a line of the result."""


def format_body(head: str, body: str) -> Iterator[str]:
    """Iterate over the lines that show a whole text: behind its head, or below it, with a gutter, if it has several."""
    lines = body.rstrip().splitlines()
    if len(lines) < 2:  # noqa: PLR2004 -- one line, or none
        yield format_line(f"{head} {body.strip()}".rstrip())
        return
    yield format_line(head)
    yield from (f"{GUTTER}{line}".rstrip() for line in lines)


def find_url_patterns(items: Iterable[tuple[str, int | str, str]]) -> dict[str, str]:
    """Return the pattern of the URLs of each kind: `https://…/pull/7#issuecomment-ID`, so that a text has it once.

    Args:
        items: The kind, the id and the URL of each item.

    Returns:
        The patterns by kind; without kinds that have URLs which do not end with the id, or which differ otherwise.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for kind, name, url in items:
        found[kind].add(f"{url.removesuffix(str(name))}{URL_ID}" if url.endswith(str(name)) else "")
    return {kind: min(patterns) for kind, patterns in found.items() if len(patterns) == 1 and "" not in patterns}


def format_url_patterns(patterns: Mapping[str, str]) -> Iterator[str]:
    """Iterate over the line that shows the patterns, none without any; a page that several share is shown once."""
    page, parts = "", []
    for kind, pattern in patterns.items():
        here, mark, anchor = pattern.partition("#")
        parts.append((f"{mark}{anchor}" if here == page else pattern) + (f" ({kind})" if len(patterns) > 1 else ""))
        page = here
    if parts:
        yield f"URL: {', '.join(parts)}"
