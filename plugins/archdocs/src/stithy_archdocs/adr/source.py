"""A record's text, laid out, as the readers of statuses, links and options want it."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice

from attrs import field, frozen

from stithy_archdocs.documents.matter import Matter
from stithy_archdocs.records import Section

_LONGEST_LINE = 8_000
"""Characters of a line that are read; longer ones are data."""

_WIDEST_INDENT = 40
_GAP = re.compile(r"\s{4,}")
_COMMENTS = re.compile(r"<!--.*?-->|<!--.*$")
_QUOTE = re.compile(r"^ {0,3}>[ \t]?(?P<text>.*?)\s*$")
_MOST_QUOTED = 40
"""Lines from the beginning of a section in which quotations are looked for."""


def _narrow(text: str) -> str:
    """Make wide gaps in a line narrow: what reads lines would take minutes for a thousand spaces."""
    said = text.lstrip()
    if "    " not in said and said.isprintable():
        return text
    return text[: min(len(text) - len(said), _WIDEST_INDENT)] + _GAP.sub("   ", said)


@frozen
class Line:
    """A line that says something: its number and its text, without comments."""

    number: int
    text: str


@frozen
class Source:
    """A record.

    Args:
        path: Relative to the project.
        lines: Its lines, the first at 0.
        sections: Its parts.
        hidden: Spans of lines in fences and comments, in order.
        matter: Its front matter.
        rst: Whether it is reStructuredText.
    """

    path: str
    lines: list[str]
    sections: tuple[Section, ...]
    hidden: tuple[tuple[int, int], ...]
    matter: Matter
    rst: bool = False
    _within: dict[int, Sequence[Line]] = field(factory=dict, init=False, eq=False, repr=False)

    def within(self, section: Section) -> Sequence[Line]:
        """Give the lines of a section that are neither blank, quoted, in a fence nor in a comment."""
        known = self._within.get(section.first)  # every reader asks for them
        if known is None:
            known = self._within[section.first] = tuple(self._said(section))
        return known

    def quoted(self, section: Section) -> Sequence[Line]:
        """Give what is quoted at the beginning of a section, without the marks of the quotation."""
        told = ((line.number, _QUOTE.match(line.text)) for line in islice(self._told(section), _MOST_QUOTED))
        return [Line(number, quote["text"]) for number, quote in told if quote and quote["text"]]

    def _said(self, section: Section) -> Iterator[Line]:
        return (line for line in self._told(section) if not line.text.lstrip().startswith(">"))

    def _told(self, section: Section) -> Iterator[Line]:
        begin = self.heading_ends(section) + 1
        for number in range(begin, section.last + 1):
            text = self.lines[number - 1][:_LONGEST_LINE]
            if "<!--" in text:
                text = _COMMENTS.sub("", text)
            elif self.is_hidden(number):
                continue
            if text.strip():
                yield Line(number, _narrow(text))

    def heading_ends(self, section: Section) -> int:
        """Give the last line of a section's heading; the line before it where it has none."""
        if not section.headings:
            return section.first - 1
        return section.last - (section.text.count("\n") + 1 if section.text else 0)

    def is_hidden(self, number: int) -> bool:
        """Tell whether a line is in a fence or a comment."""
        index = bisect_right(self.hidden, number, key=lambda span: span[0])
        return index > 0 and number <= self.hidden[index - 1][1]

    def parts(self, title: "re.Pattern[str]") -> Iterator[Section]:
        """Give the sections whose own title matches."""
        return (section for section in self.sections if section.headings and title.search(section.headings[-1]))
