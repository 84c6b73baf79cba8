"""One pass over a log for all parsers: their literals are looked for at once, and only who is awake reads lines."""

import logging
from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

from ahocorasick_rs import AhoCorasick, Implementation
from attrs import frozen

from stithy_ci.logs.cleaning import Batch, Cleaner
from stithy_ci.spi import MOST_FAILURES, Failure, Line, LogParser

log = logging.getLogger("stithy.ci")

ECHO, END, ERROR = "##[group]Run ", "##[endgroup]", "##[error]"
"""A runner echoes the script that it runs between the first two: what stands there failed nowhere.

An error of its own ends an echo, too, whose end was cut out of the log.
"""
LOOK_BACK = 50


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


class Literals:
    """The literals of all parsers, made once and used for every log."""

    def __init__(self, parsers: Sequence[type[LogParser]]) -> None:
        self.parsers = parsers
        owners: dict[str, list[int]] = defaultdict(list)
        for number, parser in enumerate(parsers):
            for literal in parser.wakes:
                owners[literal].append(number)
        self._owners = [tuple(owners[literal]) for literal in owners]
        self._echo = len(self._owners)
        self._automaton = AhoCorasick([*owners, ECHO, END, ERROR], implementation=Implementation.ContiguousNFA)

    def found(self, texts: Sequence[str]) -> tuple[dict[int, set[int]], dict[int, bool]]:
        """Look through lines.

        Returns:
            By the index of a line the parsers that it wakes, and whether an echo begins or ends there.
        """
        ends = list(accumulate(map(len, texts), initial=0))
        ends = [end + number for number, end in enumerate(ends[1:], 1)]  # and the ends of lines
        woken: dict[int, set[int]] = {}
        echoes: dict[int, bool] = {}
        for literal, at, _ in self._automaton.find_matches_as_indexes("\n".join(texts), overlapping=True):
            index = bisect_right(ends, at)
            if literal < self._echo:
                woken.setdefault(index, set()).update(self._owners[literal])
            elif texts[index].startswith((ECHO, END, ERROR)):
                echoes[index] = literal == self._echo
        return woken, echoes


class LogReader:
    """Reads one log.

    Args:
        literals: Those of all parsers.
    """

    def __init__(self, literals: Literals) -> None:
        self._literals = literals
        self._parsers: dict[int, LogParser] = {}
        self._awake: dict[int, Callable[[Line], bool]] = {}
        self._broken: set[int] = set()
        self._cleaner = Cleaner()
        self._past: deque[Line] = deque(maxlen=LOOK_BACK)
        self._before = self._at = 0
        self._last: dict[int, int] = {}
        self._echoed = False

    def feed(self, chunk: bytes) -> None:
        """Take bytes of the log as they come."""
        self._read(self._cleaner.feed(chunk))

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
        if not batch.texts:
            return
        woken, echoes = self._literals.found(batch.texts)
        events = sorted(woken.keys() | echoes.keys())
        index = 0
        while index < len(batch.texts):
            if not self._awake or self._echoed:  # then nothing happens before the next literal
                following = bisect_right(events, index - 1)
                if following == len(events):
                    break
                index = events[following]
            told = not self._echoed
            if index in echoes:
                self._echoed = echoes[index]
                told = not self._echoed and not batch.texts[index].startswith(END)
            if told:
                self._at = self._before + index
                if index in woken:
                    self._wake(woken[index], batch, index)
                self._give(_line(batch, index))
            index += 1
        self._before += len(batch.texts)
        self._past.extend(_lines(batch, len(batch.texts) - LOOK_BACK, len(batch.texts)))

    def _wake(self, numbers: Iterable[int], batch: Batch, index: int) -> None:
        for number in numbers:
            if number in self._awake or number in self._broken:
                continue
            if number not in self._parsers:
                self._parsers[number] = self._literals.parsers[number]()
            self._awake[number] = self._parsers[number].read
            missed = self._at - self._last.get(number, -1) - 1  # what it has read it is not given again
            if wanted := min(self._literals.parsers[number].before, missed):
                here = _lines(batch, index - wanted, index)
                for line in [*self._past, *here][-wanted:] if len(here) < wanted else here:
                    self._give_before(number, line)

    def _give(self, line: Line) -> None:
        """Give a line to those who are awake; one that raises is given nothing more, and the others go on."""
        for number, read in tuple(self._awake.items()):
            try:
                wanted = read(line)
            except Exception as error:  # noqa: BLE001 -- a parser may be anybody's
                self._give_up(number, error)
                continue
            if not wanted:
                self._last[number] = self._at
                del self._awake[number]

    def _give_before(self, number: int, line: Line) -> None:
        """Give a line before the one that woke a parser; whether it wants more is not asked yet."""
        if number in self._awake:
            try:
                self._awake[number](line)
            except Exception as error:  # noqa: BLE001 -- a parser may be anybody's
                self._give_up(number, error)

    def _give_up(self, number: int, error: Exception) -> None:
        log.error("the parser %s failed", self._literals.parsers[number].__qualname__, exc_info=error)
        self._broken.add(number)
        self._awake.pop(number, None)
        self._parsers.pop(number, None)


def _line(batch: Batch, index: int) -> Line:
    return Line(batch.numbers[index], batch.texts[index])


def _lines(batch: Batch, first: int, end: int) -> list[Line]:
    return [_line(batch, index) for index in range(max(0, first), end)]
