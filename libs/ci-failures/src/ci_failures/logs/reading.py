"""One pass over a log for all parsers: their literals are looked for at once, and only who is awake reads lines."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import compress
from typing import NamedTuple

from ahocorasick_rs import BytesAhoCorasick, Implementation

from ci_failures.logs.cleaning import Batch, Cleaner, joined
from ci_failures.logs.evidence import LogEvidence, Outcome
from ci_failures.logs.evidence import literals as evidence_literals
from ci_failures.logs.runs import Lines, Run, Told, Woken
from ci_failures.logs.steps import Steps
from ci_failures.logs.streams import ROOT, Stream, Streams
from ci_failures.model import MOST_FAILURES, Parser

MARKS = ECHO, END, ERROR = "\n##[group]Run ", "\n##[endgroup]", "\n##[error]"
"""A runner echoes the script that it runs between the first two: what stands there failed nowhere.

An error of its own ends an echo, too, whose end was cut out of the log.
"""
PORTION = 256 * 1024
"""Bytes whose lines are held at once."""


class Found(NamedTuple):
    """What stands in some lines.

    Args:
        woken: By the number of a parser the indices of the lines that wake it, in their order.
        marks: The indices of the lines at which an echo begins or ends, and which of both.
        evidence: The indices of the lines that may show how a tool or a job ended, with the marks to try there.
    """

    woken: Woken
    marks: Sequence[tuple[int, str]]
    evidence: Sequence[tuple[int, Sequence[int]]]


class Literals:
    """The literals of all parsers, made once and used for every log."""

    def __init__(self, parsers: Sequence[type[Parser]]) -> None:
        self.parsers = parsers
        owners: dict[str, list[int]] = defaultdict(list)
        for number, parser in enumerate(parsers):
            for literal in dict.fromkeys(parser.wakes):
                owners[literal].append(number)
        self._owners = [tuple(of) for of in owners.values()]
        evidence = evidence_literals()
        self._evidence = tuple(evidence.values())
        every = [literal.encode() for literal in (*owners, *MARKS, *evidence)]
        self._automaton = BytesAhoCorasick(every, implementation=Implementation.ContiguousNFA)

    def found(self, data: bytes) -> Found:
        """Look through lines, each of which stands between two ends of lines."""
        woken: dict[int, list[int]] = defaultdict(list)
        marks: list[tuple[int, str]] = []
        evidence: list[tuple[int, Sequence[int]]] = []
        index, seen = -1, 0
        owners, first = self._owners, len(self._owners)
        last = first + len(MARKS)
        for literal, _, end in self._automaton.find_matches_as_indexes(data, overlapping=True):
            index += data.count(b"\n", seen, end - 1)  # what is found is in the order of its end
            seen = end - 1
            if literal < first:
                for number in owners[literal]:
                    woken[number].append(index)
            elif literal < last:
                marks.append((index, MARKS[literal - first]))
            else:
                evidence.append((index, self._evidence[literal - last]))
        return Found(woken, marks, evidence)


class LogReader:
    """Reads one log.

    Args:
        literals: Those of all parsers.
    """

    def __init__(self, literals: Literals) -> None:
        self._literals = literals
        self._broken: set[int] = set()
        self._runs: dict[Stream, Run] = {}
        self._cleaner = Cleaner()
        self._streams = Streams()
        self._steps = Steps()
        self._echoed = False
        self._evidence = LogEvidence()
        self._lines = 0
        self._outcome: Outcome | None = None

    @property
    def outcome(self) -> Outcome:
        """What the log shows of its end beside the failures; asked after `finish`."""
        assert self._outcome is not None
        return self._outcome

    def feed(self, chunk: bytes) -> None:
        """Take bytes of the log as they come."""
        for begin in range(0, len(chunk), PORTION):
            self._read(self._cleaner.feed(chunk[begin : begin + PORTION]))

    def finish(self) -> list[Told]:
        """Give what all parsers found, after the last byte."""
        self._read(self._cleaner.finish())
        found: dict[int, list[Told]] = defaultdict(list)
        for stream, run in self._runs.items():
            for number, told in run.finish(stream):
                found[number].append(told)
        tales = [
            _harmful(_together(found[number]), self._steps) for number in sorted(found) if number not in self._broken
        ]
        self._outcome = self._evidence.outcome(tales, self._lines)
        return [one for one in tales if one.failures or one.counted]

    def _read(self, batch: Batch) -> None:
        """Give lines to those who want them, one stream after the other."""
        texts, numbers, data = batch
        if not texts:
            return
        streams = self._streams.part(texts, data)
        found = self._literals.found(joined(texts) if streams else data)
        self._walk(found.marks, numbers)
        shown = self._shown(len(texts), found.marks) if found.marks or self._echoed else None
        for index, marks in found.evidence:
            if shown is None or shown[index]:
                self._evidence.read(numbers[index], texts[index], marks)
        self._lines = numbers[-1]
        if shown is None and not streams:
            self._run(ROOT).read(Lines(batch), found.woken)
            return
        for stream, places in _parted(shown or bytearray(b"\x01") * len(texts), streams).items():
            self._run(stream).read(Lines(batch, places), _ranked(found.woken, places))

    def _run(self, stream: Stream) -> Run:
        if stream not in self._runs:
            self._runs[stream] = Run(self._literals.parsers, self._broken)
        return self._runs[stream]

    def _walk(self, marks: Sequence[tuple[int, str]], numbers: Sequence[int]) -> None:
        """Go on in the steps of the log."""
        for index, mark in marks:
            if mark == ECHO:
                self._steps.begin(numbers[index])
            elif mark == ERROR:
                self._steps.fail()

    def _shown(self, count: int, marks: Sequence[tuple[int, str]]) -> bytearray:
        """Tell which of so many lines are none of the scripts that are echoed, and no ends of groups."""
        shown = bytearray(b"\x01") * count
        hidden = 0 if self._echoed else -1
        for index, mark in marks:
            if mark == ECHO and hidden < 0:
                hidden = index
            elif mark != ECHO and hidden >= 0:
                shown[hidden:index] = bytes(index - hidden)
                hidden = -1
            if mark == END:
                shown[index] = 0
        self._echoed = hidden >= 0
        if self._echoed:
            shown[hidden:] = bytes(count - hidden)
        return shown


def _parted(shown: bytearray, streams: Mapping[int, Stream]) -> Mapping[Stream, Sequence[int]]:
    """Give the indices of the lines that are shown, by their streams, of which the first comes first."""
    groups: dict[Stream, list[int]] = defaultdict(list)
    for index, stream in streams.items():
        if shown[index]:
            groups[stream].append(index)
            shown[index] = 0
    groups[ROOT] += compress(range(len(shown)), shown)  # most are of none
    return dict(sorted((group for group in groups.items() if group[1]), key=lambda group: group[1][0]))


def _ranked(woken: Woken, places: Sequence[int]) -> Woken:
    """Give the ranks that those who wake somebody have among some lines."""
    count = len(places)
    ranked = {}
    for number, wanted in woken.items():
        ranks = [rank for at in wanted if (rank := bisect_left(places, at)) < count and places[rank] == at]
        if ranks:
            ranked[number] = ranks
    return ranked


def _together(tales: Sequence[Told]) -> Told:
    """Make one of what one parser found in several streams."""
    failures = [one for tale in tales for one in tale.failures]
    counts = [tale.counted for tale in tales if tale.counted is not None]
    return Told(
        parser=tales[0].parser, failures=tuple(failures[:MOST_FAILURES]), counted=sum(counts) if counts else None
    )


def _harmful(told: Told, steps: Steps) -> Told:
    """Leave out what stands in steps that passed."""
    left = tuple(one for one in told.failures if not steps.harmless(one.kind, one.log_line))
    gone = len(told.failures) - len(left)
    counted = None if told.counted is None else max(0, told.counted - gone)
    return told if not gone else Told(parser=told.parser, failures=left, counted=counted)
