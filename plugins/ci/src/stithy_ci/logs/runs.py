"""The parsers of one stream of a log: each is made when its literal comes, and reads as long as it wants lines."""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from attrs import frozen

from stithy_ci.logs.cleaning import Batch
from stithy_ci.logs.streams import Stream
from stithy_ci.spi import MOST_FAILURES, Failure, Line, LogParser

log = logging.getLogger("stithy.ci")

LOOK_BACK = 50
LINE: "partial[Line]" = partial(tuple.__new__, Line)
"""Makes a line of a pair in a third of the time."""
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

    parser: type[LogParser]
    failures: tuple[Failure, ...]
    counted: int | None


class Run:
    """Reads the lines of one stream.

    Args:
        parsers: All there are.
        broken: The numbers of those that raised in this log, in whatever stream.
    """

    def __init__(self, parsers: Sequence[type[LogParser]], broken: set[int]) -> None:
        self._all = parsers
        self._broken = broken
        self._parsers: dict[int, LogParser] = {}
        self._awake: set[int] = set()
        self._past: deque[Line] = deque(maxlen=LOOK_BACK)
        self._before = 0
        self._last: dict[int, int] = {}

    def read(self, batch: Batch, woken: Woken) -> None:
        """Give lines to those who want them, one parser after the other."""
        wanted = sorted((self._awake | woken.keys()) - self._broken)
        lines = _lines(batch, 0 if wanted else -LOOK_BACK)
        for number in wanted:
            self._give(number, lines, woken.get(number, ()))
        self._before += len(batch.texts)
        self._past.extend(lines[-LOOK_BACK:])

    def finish(self, stream: Stream) -> Iterable[tuple[int, Told]]:
        """Give what each parser found in this stream, with its number."""
        for number, parser in self._parsers.items():
            try:
                failures = [stream.placed(one) for one in parser.finish()][:MOST_FAILURES]
                yield number, Told(parser=type(parser), failures=tuple(failures), counted=parser.counted())
            except Exception as error:  # noqa: BLE001 -- a parser may be anybody's
                self._give_up(number, error)

    def _give(self, number: int, lines: Sequence[Line], wakes: Sequence[int]) -> None:
        """Give lines to one parser as far as it wants them; one that raises is given nothing more."""
        try:
            if number not in self._parsers and wakes:
                self._parsers[number] = self._all[number]()
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
        log.error("the parser %s failed", self._all[number].__qualname__, exc_info=error)
        self._broken.add(number)


def _wanted(read: Callable[[Line], bool], lines: Sequence[Line], begin: int) -> int:
    """Give lines to a parser that is awake; returns the index at which it falls asleep, or how many there are."""
    for index in range(begin, len(lines)):
        if not read(lines[index]):
            return index
    return len(lines)


def _lines(batch: Batch, begin: int) -> list[Line]:
    return list(map(LINE, zip(batch.numbers[begin:], batch.texts[begin:], strict=True)))
