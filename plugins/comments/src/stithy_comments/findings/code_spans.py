"""The code and the HTML comments of a body, in which other markup has no meaning.

All are found in one pass, since each can contain what looks like another. An unclosed fence or comment counts as text,
so a broken body loses no word. The pass is linear in the length of the body.
"""

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Literal, NamedTuple

MARK = re.compile(
    r"""
    ^(?P<quote>[ \t>]*+) (?P<fence>`{3,}+|~{3,}+) (?P<info>[^\n]*+)
    | (?P<comment><!--)
    | (?P<code>(?<!`)` (?!`) [^`\n]++ ` (?!`) | (?<!`)`` (?!`) (?:[^`\n]|`(?!`))++ `` (?!`))
    """,
    re.MULTILINE | re.VERBOSE,
)
CLOSING = re.compile(r"^[ \t>]*+(?P<fence>`{3,}+|~{3,}+)[ \t]*$", re.MULTILINE)
UNQUOTED = re.compile(r"^(?![ \t]*>)", re.MULTILINE)
COMMENT_END = "-->"


class Span(NamedTuple):
    """A part of a text, `text[start:end]`, and its kind."""

    start: int
    end: int
    kind: Literal["fence", "comment", "code", ""] = ""


def literal_spans(text: str) -> Iterator[Span]:
    """Iterate over the fences, comments and inline code of a text, in order.

    Args:
        text: Markdown; its lines end in a line feed. All or some of its lines may be quoted.
    """
    fences = _Fences(text)
    last_end = text.rfind(COMMENT_END)
    here = 0
    while found := MARK.search(text, here):
        here = found.end()
        if found["code"]:
            yield Span(found.start(), here, "code")
        elif found["comment"] and here <= last_end:
            here = text.index(COMMENT_END, here) + len(COMMENT_END)
            yield Span(found.start(), here, "comment")
        elif found["fence"] and (end := fences.end(found)):
            here = end
            yield Span(found.start(), here, "fence")


class _Fences:
    """The lines that can close a fence.

    `_widest` has for each mark and each closing line the width of the widest closing fence there or later: an opening
    fence that is wider is never closed. This avoids a scan to the end for each of them, which would be quadratic.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._closings = [(found.start(), found.end(), found["fence"]) for found in CLOSING.finditer(text)]
        self._widest = {mark: self._widest_from(mark) for mark in "`~"}
        self._next = 0
        self._quote_end = 0

    def _widest_from(self, mark: str) -> list[int]:
        widths = [len(fence) if fence[0] == mark else 0 for _, _, fence in reversed(self._closings)]
        return [*accumulate(widths, max, initial=0)][::-1]

    def end(self, opening: re.Match[str]) -> int | None:
        """Return the end of a fence: after its closing line, or the end of the quote around it; None if unclosed."""
        fence = opening["fence"]
        self._skip_to(opening.end())
        if (fence[0] == "`" and "`" in opening["info"]) or self._widest[fence[0]][self._next] < len(fence):
            return None
        border = self._end_of_quote(opening.end()) if ">" in opening["quote"] else len(self._text) + 1
        for at in range(self._next, len(self._closings)):
            start, end, closing = self._closings[at]
            if start >= border:
                break
            if closing.startswith(fence):
                return end
        return border

    def _skip_to(self, place: int) -> None:
        while self._next < len(self._closings) and self._closings[self._next][0] < place:
            self._next += 1

    def _end_of_quote(self, place: int) -> int:
        if place > self._quote_end:
            found = UNQUOTED.search(self._text, place + 1)
            self._quote_end = found.start() if found else len(self._text)
        return self._quote_end
