"""Checks of texts that callers post, and the formats of ids, times, lines and URLs in results."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from attrs import frozen

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


@frozen
class UrlPatterns:
    """The URLs of a list's items as one pattern for each kind, so that a text has it once.

    Args:
        by_kind: The pattern of most items of a kind, such as `https://…/pull/7#issuecomment-ID`; kinds whose URLs do
            not end with the id have none.
    """

    by_kind: Mapping[str, str]

    @classmethod
    def find(cls, items: Iterable[tuple[str, int | str, str]]) -> "UrlPatterns":
        """Return the patterns of items; each is a kind, an id and a URL."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for kind, name, url in items:
            if url.endswith(str(name)):
                found[kind][f"{url.removesuffix(str(name))}{URL_ID}"] += 1
        return cls({kind: patterns.most_common(1)[0][0] for kind, patterns in found.items()})

    def cover(self, kind: str, name: int | str, url: str) -> bool:
        """Return whether an item's URL follows from the pattern of its kind."""
        pattern = self.by_kind.get(kind)
        return pattern is not None and f"{pattern.removesuffix(URL_ID)}{name}" == url

    def lines(self) -> Iterator[str]:
        """Iterate over the line that shows the patterns, none without any; a page that several share is shown once."""
        page, parts = "", []
        for kind, pattern in self.by_kind.items():
            here, mark, anchor = pattern.partition("#")
            shown = f"{mark}{anchor}" if here == page else pattern
            parts.append(f"{shown} ({kind})" if len(self.by_kind) > 1 else shown)
            page = here
        if parts:
            yield f"URL: {', '.join(parts)}"
