"""A body as the formats read it: the text, its mask without code, and its `<details>`."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import accumulate
from typing import Literal, NamedTuple

from attrs import define

from stithy_comments.findings.plain_words import plain_words
from stithy_comments.findings.text_cuts import replace_parts, strip_quote_marks

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
DETAILS = re.compile(r"<(?P<close>/?)details\b[^<>]*+>", re.IGNORECASE)
SUMMARY = re.compile(r"[\s>]*+<summary[^<>]*+>", re.IGNORECASE)
SUMMARY_END = re.compile(r"</summary\s*+>", re.IGNORECASE)
LONGEST_SUMMARY = 2_000
DEEPEST = 6
"""Maximum nesting of `<details>` that a format reads: each level is read again, so the bound keeps time linear."""
QUOTES = re.compile(r"[ \t>]*+")


class Span(NamedTuple):
    """A part of a text, `text[start:end]`, and its kind."""

    start: int
    end: int
    kind: Literal["fence", "comment", "code", ""] = ""


def literal_spans(text: str) -> Iterator[Span]:
    """Iterate over the fences, comments and inline code of a text, in order; other markup in them has no meaning.

    All are found in one pass, since each can contain what looks like another. An unclosed fence or comment counts as
    text, so a broken body loses no word. The pass is linear in the length of the body.

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


@define
class Details:
    """A `<details>` of a page: its offsets, those of its content, its nesting level (0 for a root), and its summary."""

    start: int
    end: int
    inner_start: int
    inner_end: int
    level: int
    raw_summary: str = ""

    @property
    def summary(self) -> str:
        """The summary in one line, without tags."""
        return plain_words(self.raw_summary)


class Page:
    """A body, or a part of one.

    Args:
        text: Markdown; its lines end in a line feed.

    Attributes:
        text: The same.
        mask: The text with NUL for the characters of code blocks and for each `<` of inline code and comments. A match
            in it is markup, and has the same offset in the text.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans = list(literal_spans(text))

    @cached_property
    def mask(self) -> str:
        """The text without code; see the class."""
        parts, here = [], 0
        for start, end, kind in self.spans:
            shown = self.text[start:end]
            hidden = _hidden(shown) if kind == "fence" else shown.replace("<", "\0")
            parts += [self.text[here:start], hidden]
            here = end
        return "".join([*parts, self.text[here:]])

    @cached_property
    def details(self) -> list[Details]:
        """All `<details>` in the order of their opening tags; an unclosed one ends with the text."""
        found: list[Details] = []
        opened: list[Details] = []
        for tag in DETAILS.finditer(self.mask):
            if not tag["close"]:
                opened.append(self._open_details(tag, len(opened)))
                found.append(opened[-1])
            elif opened:
                last = opened.pop()
                last.inner_end, last.end = tag.span()
        return found

    def _open_details(self, tag: re.Match[str], level: int) -> Details:
        node = Details(tag.start(), len(self.text), tag.end(), len(self.text), level)
        summary = SUMMARY.match(self.mask, tag.end())
        if summary and (close := SUMMARY_END.search(self.mask, summary.end(), summary.end() + LONGEST_SUMMARY)):
            node.raw_summary = self.text[summary.end() : close.start()]
            node.inner_start = close.end()
        return node

    def replace_parts(self, parts: Iterable[tuple[int, int, str]]) -> "Page":
        """Return the page with parts of it replaced; see `replace_parts`."""
        listed = list(parts)
        return Page(replace_parts(self.text, listed)) if listed else self

    def roots(self) -> Iterator[Details]:
        """Iterate over the `<details>` that are not inside another."""
        end = 0
        for node in self.details:
            if node.start >= end:
                end = node.end
                yield node

    def outside_folds(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Iterate over the matches of a pattern in the mask outside of `<details>`."""
        folds = self.roots()
        fold = next(folds, None)
        for found in pattern.finditer(self.mask):
            while fold and fold.end <= found.start():
                fold = next(folds, None)
            if not (fold and fold.start <= found.start()):
                yield found

    def part(self, start: int, end: int) -> "Page":
        """Return a part as a page, without the quote marks that precede its start."""
        marks = QUOTES.match(self.text, self.text.rfind("\n", 0, start) + 1, start)
        return Page(strip_quote_marks(self.text[start:end], marks[0].count(">") if marks else 0))

    def inside(self, fold: Details) -> "Page":
        """Return the content of a `<details>` as a page."""
        return self.part(fold.inner_start, fold.inner_end)


def _hidden(code: str) -> str:
    return "\n".join("\0" * len(line) for line in code.split("\n"))
