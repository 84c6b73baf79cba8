"""One pass over a log for all parsers: their literals are looked for at once, and only who is awake reads lines."""

import logging
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import compress
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick, Implementation
from attrs import frozen

from stithy_ci.logs.cleaning import Batch, Cleaner
from stithy_ci.spi import MOST_FAILURES, Failure, Line, LogParser

log = logging.getLogger("stithy.ci")

MARKS = ECHO, END, ERROR = "\n##[group]Run ", "\n##[endgroup]", "\n##[error]"
"""A runner echoes the script that it runs between the first two: what stands there failed nowhere.

An error of its own ends an echo, too, whose end was cut out of the log.
"""
LOOK_BACK = 50
PORTION = 256 * 1024
"""Bytes whose lines are held at once."""
LINE: "partial[Line]" = partial(tuple.__new__, Line)
"""Makes a line of a pair in a third of the time."""


@frozen(kw_only=True)
class Told:
    """What one parser found.

    Args:
        parser: Which.
        failures: What failed.
        counted: How many the tool itself counts, where it says so.
    """

    parser: type[LogParser]
    failures: tuple[Failure, ...]
    counted: int | None


class Found(NamedTuple):
    """What stands in some lines.

    Args:
        woken: By the number of a parser the indices of the lines that wake it, in their order.
        marks: The indices of the lines at which an echo begins or ends, and which of both.
    """

    woken: Mapping[int, Sequence[int]]
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
        self._parsers: dict[int, LogParser] = {}
        self._awake: set[int] = set()
        self._broken: set[int] = set()
        self._cleaner = Cleaner()
        self._past: deque[Line] = deque(maxlen=LOOK_BACK)
        self._before = 0
        self._last: dict[int, int] = {}
        self._echoed = False

    def feed(self, chunk: bytes) -> None:
        """Take bytes of the log as they come."""
        for begin in range(0, len(chunk), PORTION):
            self._read(self._cleaner.feed(chunk[begin : begin + PORTION]))

    def finish(self) -> list[Told]:
        """Give what all parsers found, after the last byte."""
        self._read(self._cleaner.finish())
        told = []
        for number, parser in sorted(self._parsers.items()):
            try:
                failures = tuple(parser.finish())[:MOST_FAILURES]
                told.append(Told(parser=type(parser), failures=failures, counted=parser.counted()))
            except Exception as error:  # noqa: BLE001 -- a parser may be anybody's
                self._give_up(number, error)
        return [one for one in told if one.failures or one.counted]

    def _read(self, batch: Batch) -> None:
        """Give lines to those who want them, one parser after the other."""
        if not batch.texts:
            return
        woken, marks = self._literals.found(batch.texts)
        if marks or self._echoed:
            batch, woken = self._shown(batch, woken, marks)
        wanted = sorted(self._awake | (woken.keys() - self._broken))
        lines = _lines(batch, 0 if wanted else -LOOK_BACK)
        for number in wanted:
            self._give(number, lines, woken.get(number, ()))
        self._before += len(batch.texts)
        self._past.extend(lines[-LOOK_BACK:])

    def _shown(
        self, batch: Batch, woken: Mapping[int, Sequence[int]], marks: Sequence[tuple[int, str]]
    ) -> tuple[Batch, Mapping[int, Sequence[int]]]:
        """Take out the scripts that are echoed, and the ends of groups."""
        shown = bytearray(b"\x01") * len(batch.texts)
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
            shown[hidden:] = bytes(len(shown) - hidden)
        places = [index for index, is_shown in enumerate(shown) if is_shown]
        left = Batch(list(compress(batch.texts, shown)), list(compress(batch.numbers, shown)))
        return left, {
            number: [bisect_left(places, at) for at in indices if shown[at]] for number, indices in woken.items()
        }

    def _give(self, number: int, lines: Sequence[Line], wakes: Sequence[int]) -> None:
        """Give lines to one parser as far as it wants them; one that raises is given nothing more."""
        try:
            if number not in self._parsers and wakes:
                self._parsers[number] = self._literals.parsers[number]()
            if number in self._parsers:
                self._tell(number, self._parsers[number], lines, wakes)
        except Exception as error:  # noqa: BLE001 -- a parser may be anybody's
            self._give_up(number, error)

    def _tell(self, number: int, parser: LogParser, lines: Sequence[Line], wakes: Sequence[int]) -> None:
        """Give a parser the lines from each that wakes it to the one at which it falls asleep."""
        read, before, end = parser.read, parser.before, len(lines)
        last = self._last.get(number, -1) - self._before
        if number in self._awake:
            last = _wanted(read, lines, 0)
        for index in wakes:
            if index <= last:
                continue
            if before:
                for line in self._missed(lines, max(last + 1, index - before), index):
                    read(line)
            last = _wanted(read, lines, index + 1) if read(lines[index]) else index
        (self._awake.add if last == end else self._awake.discard)(number)
        self._last[number] = self._before + min(last, end - 1)

    def _missed(self, lines: Sequence[Line], begin: int, end: int) -> Iterator[Line]:
        """Give lines again that nobody wanted yet; those before the first are of earlier pieces."""
        if begin < 0:
            yield from tuple(self._past)[begin:]
        yield from lines[max(begin, 0) : end]

    def _give_up(self, number: int, error: Exception) -> None:
        log.error("the parser %s failed", self._literals.parsers[number].__qualname__, exc_info=error)
        self._broken.add(number)
        self._awake.discard(number)
        self._parsers.pop(number, None)


def _wanted(read: Callable[[Line], bool], lines: Sequence[Line], begin: int) -> int:
    """Give lines to a parser that is awake; returns the index at which it falls asleep, or how many there are."""
    for index in range(begin, len(lines)):
        if not read(lines[index]):
            return index
    return len(lines)


def _lines(batch: Batch, begin: int) -> list[Line]:
    return list(map(LINE, zip(batch.numbers[begin:], batch.texts[begin:], strict=True)))
