"""A body as the formats read it: the text, its mask without code, and its `<details>`."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from attrs import define

from stithy_comments.findings.code_spans import literal_spans
from stithy_comments.findings.plain_words import plain_words
from stithy_comments.findings.text_cuts import replace_parts, strip_quote_marks

DETAILS = re.compile(r"<(?P<close>/?)details\b[^<>]*+>", re.IGNORECASE)
SUMMARY = re.compile(r"[\s>]*+<summary[^<>]*+>", re.IGNORECASE)
SUMMARY_END = re.compile(r"</summary\s*+>", re.IGNORECASE)
LONGEST_SUMMARY = 2_000
DEEPEST = 6
"""Maximum nesting of `<details>` that a format reads: each level is read again, so the bound keeps time linear."""
QUOTES = re.compile(r"[ \t>]*+")


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
