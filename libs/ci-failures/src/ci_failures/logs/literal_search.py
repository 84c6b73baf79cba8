"""The literals of all parsers, searched in one pass over many lines."""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from ahocorasick_rs import BytesAhoCorasick, Implementation

from ci_failures.logs.tool_marks import MARKS as TOOL_MARKS
from ci_failures.model import LazyParser, Parser, load_class

MARKS = ECHO, END, ERROR = "\n##[group]Run ", "\n##[endgroup]", "\n##[error]"
"""Between the first two marks a runner echoes the script that it runs: failures in it are ignored.

An error of the runner ends an echo, too, whose end was cut out of the log.
"""
Woken: TypeAlias = Mapping[int, Sequence[int]]
"""For each parser's number, the indices of the lines that wake it, in their order."""


class LiteralMatches(NamedTuple):
    """The literals that some lines contain.

    Args:
        woken: For each parser's number, the indices of the lines that wake it, in their order.
        marks: The indices of the lines with a mark, and the mark.
        evidence: The indices of the lines that may show how a tool or a job ended, with the indices of the marks to
            try.
    """

    woken: Woken
    marks: Sequence[tuple[int, str]]
    evidence: Sequence[tuple[int, Sequence[int]]]


class Literals:
    """The literals of all parsers, prepared once and used for every log.

    Attributes:
        sharing: The numbers of the parsers for which one reads, by the number of that one.
    """

    def __init__(self, parsers: Sequence[type[Parser] | LazyParser]) -> None:
        self._parsers = list(parsers)
        self.sharing: dict[int, list[int]] = defaultdict(list)
        owners: dict[str, list[int]] = defaultdict(list)
        for number, parser in enumerate(parsers):
            if parser.reads_with in parsers:
                self.sharing[parsers.index(parser.reads_with)].append(number)
                continue
            for literal in dict.fromkeys(parser.wakes):
                owners[literal].append(number)
        evidence = _mark_literals()
        self._evidence = tuple(evidence.values())
        own = [literal for literal in owners if literal not in evidence]
        self._own = len(own)
        every = [*own, *MARKS, *evidence]  # one that wakes parsers and is evidence, too, is searched once
        self._owners = [tuple(owners.get(literal, ())) for literal in every]
        self._first_lines: dict[int, Callable[[str], object]] = {}
        texts = [literal.encode() for literal in every]
        self._automaton = BytesAhoCorasick(texts, implementation=Implementation.ContiguousNFA)

    def load(self, number: int) -> type[Parser]:
        """Return the class of a parser, whose module is imported when it is needed for the first time."""
        parser = self._parsers[number] = load_class(self._parsers[number])
        return parser

    def skip_foreign(self, number: int, wakes: Sequence[int], texts: Sequence[str]) -> Sequence[int]:
        """Return the waking lines of a parser that has read nothing, from the first one on that it has to read."""
        first_line = self._parsers[number].first_line
        if not first_line:
            return wakes
        matches = self._first_lines.get(number)
        if matches is None:
            matches = self._first_lines[number] = re.compile(first_line).match
        for at, index in enumerate(wakes):
            if matches(texts[index]):
                return wakes[at:]
        return ()

    def name(self, number: int) -> str:
        """Return the name of a parser for messages."""
        parser = self._parsers[number]
        return parser.tool if isinstance(parser, LazyParser) else parser.__qualname__

    def found(self, data: bytes) -> LiteralMatches:
        """Search lines for all literals; each line is between two line feeds."""
        woken: dict[int, list[int]] = defaultdict(list)
        marks: list[tuple[int, str]] = []
        evidence: list[tuple[int, Sequence[int]]] = []
        index, seen = -1, 0
        owners, first = self._owners, self._own
        last = first + len(MARKS)
        found_in = [-1] * len(owners)  # the line in which each literal was found last: again in it says nothing new
        for literal, _, end in self._automaton.find_matches_as_indexes(data, overlapping=True):
            index += data.count(b"\n", seen, end - 1)  # matches are sorted by their end
            seen = end - 1
            if found_in[literal] == index:
                continue
            found_in[literal] = index
            for number in owners[literal]:
                woken[number].append(index)
            if literal >= last:
                evidence.append((index, self._evidence[literal - last]))
            elif literal >= first:
                marks.append((index, MARKS[literal - first]))
        return LiteralMatches(woken, marks, evidence)


def _mark_literals() -> Mapping[str, tuple[int, ...]]:
    """Return the literals of the marks, each with the indices of its marks."""
    found: dict[str, tuple[int, ...]] = {}
    for index, mark in enumerate(TOOL_MARKS):
        for literal in mark.wakes:
            found[literal] = (*found.get(literal, ()), index)
    return found
