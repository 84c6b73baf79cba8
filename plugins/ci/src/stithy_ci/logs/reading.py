"""One pass over a log for all parsers: their literals are looked for at once, and only who is awake reads lines."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import compress
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick, Implementation

from stithy_ci.logs.cleaning import Batch, Cleaner
from stithy_ci.logs.runs import Run, Told, Woken
from stithy_ci.logs.steps import Steps
from stithy_ci.logs.streams import ROOT, Stream, Streams
from stithy_ci.spi import MOST_FAILURES, LogParser

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
    """

    woken: Woken
    marks: Sequence[tuple[int, str]]


class Literals:
    """The literals of all parsers, made once and used for every log."""

    def __init__(self, parsers: Sequence[type[LogParser]]) -> None:
        self.parsers = parsers
        owners: dict[str, list[int]] = defaultdict(list)
        for number, parser in enumerate(parsers):
            for literal in dict.fromkeys(parser.wakes):
                owners[literal].append(number)
        self._owners = [tuple(of) for of in owners.values()]
        self._automaton = AhoCorasick([*owners, *MARKS], implementation=Implementation.ContiguousNFA)

    def found(self, texts: Sequence[str]) -> Found:
        """Look through lines."""
        woken: dict[int, list[int]] = defaultdict(list)
        marks: list[tuple[int, str]] = []
        text = "\n".join(("", *texts, ""))
        index, seen = -1, 0
        owners, first = self._owners, len(self._owners)
        for literal, _, end in self._automaton.find_matches_as_indexes(text, overlapping=True):
            index += text.count("\n", seen, end - 1)  # what is found is in the order of its end
            seen = end - 1
            if literal < first:
                for number in owners[literal]:
                    woken[number].append(index)
            else:
                marks.append((index, MARKS[literal - first]))
        return Found(woken, marks)


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
        return [one for one in tales if one.failures or one.counted]

    def _read(self, batch: Batch) -> None:
        """Give lines to those who want them, one stream after the other."""
        if not batch.texts:
            return
        streams = self._streams.part(batch.texts)
        woken, marks = self._literals.found(batch.texts)
        for index, mark in marks:
            if mark == ECHO:
                self._steps.begin(batch.numbers[index])
            elif mark == ERROR:
                self._steps.fail()
        places = self._shown(len(batch.texts), marks) if marks or self._echoed else None
        if streams is None:
            self._run(ROOT).read(*((batch, woken) if places is None else _picked(batch, woken, places)))
            return
        groups: dict[Stream, list[int]] = defaultdict(list)
        for index in range(len(streams)) if places is None else places:
            groups[streams[index]].append(index)
        for stream, of in groups.items():
            self._run(stream).read(*_picked(batch, woken, of))

    def _run(self, stream: Stream) -> Run:
        if stream not in self._runs:
            self._runs[stream] = Run(self._literals.parsers, self._broken)
        return self._runs[stream]

    def _shown(self, count: int, marks: Sequence[tuple[int, str]]) -> Sequence[int]:
        """Give the indices of so many lines without the scripts that are echoed, and the ends of groups."""
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
        return list(compress(range(count), shown))


def _picked(batch: Batch, woken: Woken, places: Sequence[int]) -> tuple[Batch, Woken]:
    """Give these lines of a batch alone, and which of them wake whom."""
    ranks = dict(zip(places, range(len(places)), strict=True))
    left = Batch([batch.texts[place] for place in places], [batch.numbers[place] for place in places])
    return left, {number: of for number, at in woken.items() if (of := [ranks[i] for i in at if i in ranks])}


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
