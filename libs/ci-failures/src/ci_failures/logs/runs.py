"""The parsers of one stream of a log: each is made when its literal comes, and reads as long as it wants lines."""

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
"""Makes a line of a pair in two thirds of the time."""
MANY = 4
"""Of how many lines one must wake somebody for all of them to be made at once."""
Woken: TypeAlias = Mapping[int, Sequence[int]]
"""By the number of a parser the indices of the lines that wake it, in their order."""


@frozen(kw_only=True)
class Told:
    """What one parser found.

    Args:
        parser: Which.
        failures: What failed.
        counted: How many the tool itself counts, where it says so.
    """

    parser: type[Parser]
    failures: tuple[Failure, ...]
    counted: int | None


class Lines(dict[int, Line]):
    """Lines of a batch by their rank; each is made when it is first asked for, as most of a log interests nobody.

    Args:
        batch: Whose lines.
        places: The indices in it of those that are meant; None for all.
    """

    def __init__(self, batch: Batch, places: Sequence[int] | None = None) -> None:
        super().__init__()
        self._texts, self._numbers, _ = batch
        self._places = range(len(batch.texts)) if places is None else places
        self.count = len(self._places)

    def make(self) -> None:
        """Make all of them, which costs half as much for each."""
        pairs = ((self._numbers[place], self._texts[place]) for place in self._places)
        whole = self._places == range(len(self._texts))
        made = map(LINE, zip(self._numbers, self._texts, strict=True) if whole else pairs)
        self.update(enumerate(made))

    def __missing__(self, rank: int) -> Line:
        """Make one."""
        place = self._places[rank]
        line = self[rank] = LINE((self._numbers[place], self._texts[place]))
        return line


class Run:
    """Reads the lines of one stream.

    Args:
        parsers: All there are.
        broken: The numbers of those that raised in this log, in whatever stream.
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
        """Give lines to those who want them, one parser after the other."""
        if self._awake or MANY * sum(map(len, woken.values())) > lines.count:
            lines.make()
        for number in sorted((self._awake | woken.keys()) - self._broken):
            self._give(number, lines, woken.get(number, ()))
        self._before += lines.count
        self._past.extend(map(lines.__getitem__, range(max(0, lines.count - LOOK_BACK), lines.count)))

    def finish(self, stream: Stream) -> Iterable[tuple[int, Told]]:
        """Give what each parser found in this stream, with its number."""
        for number, parser in self._parsers.items():
            try:
                failures = [stream.placed(one) for one in parser.finish()][:MOST_FAILURES]
                yield number, Told(parser=type(parser), failures=tuple(failures), counted=parser.counted())
            except Exception as error:  # noqa: BLE001 -- a parser may be anybody's
                self._give_up(number, error)

    def _give(self, number: int, lines: Lines, wakes: Sequence[int]) -> None:
        """Give lines to one parser as far as it wants them; one that raises is given nothing more."""
        try:
            if number not in self._parsers and wakes:
                self._parsers[number] = self._all[number]()
            if number in self._parsers:
                self._tell(number, self._parsers[number], lines, wakes)
        except Exception as error:  # noqa: BLE001 -- a parser may be anybody's
            self._give_up(number, error)

    def _tell(self, number: int, parser: Parser, lines: Lines, wakes: Sequence[int]) -> None:
        """Give a parser the lines from each that wakes it to the one at which it falls asleep."""
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
        """Give lines again that nobody wanted yet; those before the first are of earlier pieces."""
        if begin < 0:
            yield from tuple(self._past)[begin:]
        yield from map(lines.__getitem__, range(max(begin, 0), end))

    def _give_up(self, number: int, error: Exception) -> None:
        log.error("the parser %s failed", self._all[number].__qualname__, exc_info=error)
        self._broken.add(number)


def _wanted(read: Callable[[Line], bool], lines: Lines, begin: int) -> int:
    """Give lines to a parser that is awake; returns the index at which it falls asleep, or how many there are."""
    for rank in range(begin, lines.count):
        if not read(lines[rank]):
            return rank
    return lines.count
