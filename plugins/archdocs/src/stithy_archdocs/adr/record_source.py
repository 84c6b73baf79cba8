"""The lines of a record, as the parsers of status, links and options need them."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice

from attrs import field, frozen

from stithy_archdocs.document_models import Section
from stithy_archdocs.documents.document_locations import Markup
from stithy_archdocs.documents.front_matter import FrontMatter

_LONGEST_LINE = 8_000
"""Characters of a line that are read; a longer line is data, not prose."""

_WIDEST_INDENT = 40
_GAP = re.compile(r"\s{4,}")
_COMMENTS = re.compile(r"<!--.*?-->|<!--.*$")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_QUOTE = re.compile(r"^ {0,3}>[ \t]?(?P<text>.*?)\s*$")
_MOST_QUOTED = 40
"""Lines from the start of a section in which quotations are read."""


def _narrow_gaps(text: str) -> str:
    """Shorten wide gaps in a line: the regular expressions of the parsers take minutes on a thousand spaces."""
    said = text.lstrip()
    indent = len(text) - len(said)
    if indent <= _WIDEST_INDENT and "    " not in said and said.isprintable():
        return text
    return text[: min(indent, _WIDEST_INDENT)] + _GAP.sub("   ", said)


@frozen
class SourceLine:
    """A line of prose: its number from 1, and its text without comments."""

    number: int
    text: str


@frozen
class RecordSource:
    """The text of a record, split into lines and sections.

    Args:
        path: Path relative to the project.
        lines: The lines; index 0 is line 1.
        sections: Its sections, in order.
        hidden: Pairs of first and last line of fences and comments, in order.
        matter: Its front matter.
        markup: Its markup language.
    """

    path: str
    lines: list[str]
    sections: tuple[Section, ...]
    hidden: tuple[tuple[int, int], ...]
    matter: FrontMatter
    markup: Markup = "markdown"
    _within: dict[int, Sequence[SourceLine]] = field(factory=dict, init=False, eq=False, repr=False)

    def get_lines(self, section: Section) -> Sequence[SourceLine]:
        """Return the lines of a section that are not blank, quoted, in a fence or in a comment."""
        known = self._within.get(section.first)  # cached: every parser requests them
        if known is None:
            known = self._within[section.first] = tuple(self._iterate_unquoted(section))
        return known

    def iterate_paragraphs(self, section: Section) -> Iterator[tuple[str, int]]:
        """Iterate over the paragraphs and bullets of a section with their first lines, without code and tables."""
        parts: list[str] = []
        start = before = 0
        for line in self.get_lines(section):
            stops = line.text.lstrip().startswith(("|", "[source"))
            if parts and (stops or line.number > before + 1 or _BULLET.match(line.text)):
                yield " ".join(parts), start
                parts = []
            if not stops:
                start = start if parts else line.number
                parts.append(_BULLET.sub("", line.text).strip())
            before = line.number
        if parts:
            yield " ".join(parts), start

    def get_quotations(self, section: Section) -> Sequence[SourceLine]:
        """Return the quotations at the start of a section, without quotation marks (`>`)."""
        told = ((line.number, _QUOTE.match(line.text)) for line in islice(self._iterate_lines(section), _MOST_QUOTED))
        return [SourceLine(number, quote["text"]) for number, quote in told if quote and quote["text"]]

    def _iterate_unquoted(self, section: Section) -> Iterator[SourceLine]:
        return (line for line in self._iterate_lines(section) if not line.text.lstrip().startswith(">"))

    def _iterate_lines(self, section: Section) -> Iterator[SourceLine]:
        begin = self.get_heading_end(section) + 1
        for number in range(begin, section.last + 1):
            text = self.lines[number - 1][:_LONGEST_LINE]
            if "<!--" in text:
                text = _COMMENTS.sub("", text)
            elif self.is_hidden(number):
                continue
            if text.strip():
                yield SourceLine(number, _narrow_gaps(text))

    def get_heading_end(self, section: Section) -> int:
        """Return the last line of a section's heading; the line before the section if it has none."""
        if not section.headings:
            return section.first - 1
        return section.last - (section.text.count("\n") + 1 if section.text else 0)

    def is_hidden(self, number: int) -> bool:
        """Return whether a line is in a fence or a comment."""
        index = bisect_right(self.hidden, number, key=lambda span: span[0])
        return index > 0 and number <= self.hidden[index - 1][1]

    def find_sections(self, title: "re.Pattern[str]") -> Iterator[Section]:
        """Iterate over the sections whose own title matches."""
        return (section for section in self.sections if section.headings and title.search(section.headings[-1]))
