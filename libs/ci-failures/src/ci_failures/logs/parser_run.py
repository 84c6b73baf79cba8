"""The parsers of one stream of a log.

Each is created when one of its literals is found, and reads while it is awake.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from attrs import frozen

from ci_failures.logs.cleaning import Batch
from ci_failures.logs.streams import Stream
from ci_failures.model import MOST_FAILURES, Failure, Line, Parser

log = logging.getLogger("ci_failures")

LOOK_BACK = 50
LINE: "partial[Line]" = partial(tuple.__new__, Line)
"""Creates a line from a pair in two thirds of the time of the constructor."""
MANY = 4
"""If more than one of so many lines wakes a parser, all lines are created at once."""
Woken: TypeAlias = Mapping[int, Sequence[int]]
"""For each parser's number, the indices of the lines that wake it, in their order."""


@frozen(kw_only=True)
class ParserResult:
    """What one parser read.

    Args:
        parser: The class of the parser.
        failures: What failed.
        counted: The tool's own total; None if it prints none.
    """

    parser: type[Parser]
    failures: tuple[Failure, ...]
    counted: int | None


class Lines(dict[int, Line]):
    """Lines of a batch by their rank, created on first access, since parsers read few lines of a log.

    Args:
        batch: The batch.
        places: The indices of the lines in the batch; None for all.
    """

    def __init__(self, batch: Batch, places: Sequence[int] | None = None) -> None:
        super().__init__()
        self._texts, self._numbers, _ = batch
        self._places = range(len(batch.texts)) if places is None else places
        self.count = len(self._places)

    def make(self) -> None:
        """Create all of them, which costs half as much for each."""
        pairs = ((self._numbers[place], self._texts[place]) for place in self._places)
        whole = self._places == range(len(self._texts))
        made = map(LINE, zip(self._numbers, self._texts, strict=True) if whole else pairs)
        self.update(enumerate(made))

    def __missing__(self, rank: int) -> Line:
        """Create one line."""
        place = self._places[rank]
        line = self[rank] = LINE((self._numbers[place], self._texts[place]))
        return line


class ParserRun:
    """The parsers that read one stream.

    Args:
        parsers: All parser classes.
        broken: The numbers of parsers that raised in this log, in any stream; it is updated.
    """

    def __init__(self, parsers: Sequence[type[Parser]], broken: set[int]) -> None:
        self._all = parsers
        self._broken = broken
        self._parsers: dict[int, Parser] = {}
        self._awake: set[int] = set()
        self._past: deque[Line] = deque(maxlen=LOOK_BACK)
        self._before = 0
        self._last: dict[int, int] = {}

    def read(self, lines: Lines, woken: Woken) -> None:
        """Pass lines to the parsers that want them, one parser after the other."""
        if self._awake or MANY * sum(map(len, woken.values())) > lines.count:
            lines.make()
        for number in sorted((self._awake | woken.keys()) - self._broken):
            self._give(number, lines, woken.get(number, ()))
        self._before += lines.count
        self._past.extend(map(lines.__getitem__, range(max(0, lines.count - LOOK_BACK), lines.count)))

    def finish(self, stream: Stream) -> Iterable[tuple[int, ParserResult]]:
        """Return what each parser read in this stream, with its number."""
        for number, parser in self._parsers.items():
            try:
                failures = [stream.placed(one) for one in parser.finish()][:MOST_FAILURES]
                yield number, ParserResult(parser=type(parser), failures=tuple(failures), counted=parser.total())
            except Exception as error:  # noqa: BLE001 -- the code of a third party may raise anything
                self._give_up(number, error)

    def _give(self, number: int, lines: Lines, wakes: Sequence[int]) -> None:
        """Pass lines to one parser as long as it wants them; one that raises gets no more."""
        try:
            if number not in self._parsers and wakes:
                self._parsers[number] = self._all[number]()
            if number in self._parsers:
                self._tell(number, self._parsers[number], lines, wakes)
        except Exception as error:  # noqa: BLE001 -- the code of a third party may raise anything
            self._give_up(number, error)

    def _tell(self, number: int, parser: Parser, lines: Lines, wakes: Sequence[int]) -> None:
        """Pass a parser the lines from each that wakes it to the one at which it falls asleep."""
        read, before, end = parser.read, parser.before, lines.count
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

    def _missed(self, lines: Lines, begin: int, end: int) -> Iterator[Line]:
        """Iterate over lines before a waking one that were not read yet.

        Those before the first are of earlier batches.
        """
        if begin < 0:
            yield from tuple(self._past)[begin:]
        yield from map(lines.__getitem__, range(max(begin, 0), end))

    def _give_up(self, number: int, error: Exception) -> None:
        log.error("the parser %s failed", self._all[number].__qualname__, exc_info=error)
        self._broken.add(number)


def _wanted(read: Callable[[Line], bool], lines: Lines, begin: int) -> int:
    """Pass lines to an awake parser; return the index at which it falls asleep, or the number of lines."""
    for rank in range(begin, lines.count):
        if not read(lines[rank]):
            return rank
    return lines.count
