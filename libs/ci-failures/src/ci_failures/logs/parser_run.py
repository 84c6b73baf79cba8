"""The parsers of one stream of a log.

Each is created when one of its literals is found, and reads while it is awake.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple, TypeAlias, cast

from ci_failures.logs.literal_search import Literals, Woken
from ci_failures.logs.streams import Stream
from ci_failures.model import MOST_FAILURES, Failure, Line, Parser

LOOK_BACK = 50
LINE: "partial[Line]" = partial(tuple.__new__, Line)
"""Creates a line from a pair in two thirds of the time of the constructor."""
Covers: TypeAlias = Mapping[tuple[str, int], tuple[int, int]]
NO_COVER: Covers = MappingProxyType({})


class ParserResult(NamedTuple):
    """What one parser read.

    Args:
        parser: The class of the parser.
        failures: What failed.
        counted: The tool's own total; None if it prints none.
        covers: What `Parser.covers` returns, by name and line of the failures: streams may have several of a name.
        gap: What `Parser.gap` returns.
    """

    parser: type[Parser]
    failures: tuple[Failure, ...]
    counted: int | None
    covers: Covers = NO_COVER
    gap: str = ""

    def keep(self, wanted: Callable[[Failure], bool]) -> "ParserResult":
        """Return the result without the failures that are not wanted, also in its count."""
        left = tuple(filter(wanted, self.failures))
        gone = len(self.failures) - len(left)
        counted = None if self.counted is None else max(0, self.counted - gone)
        return self._replace(failures=left, counted=counted) if gone else self


def get_key(one: Failure) -> tuple[str, int]:
    """Return what tells a failure from others of its parser: its name and its line."""
    return one.name, one.log_line


class LazyLines:
    """Lines that are created when a parser reads them for the first time: parsers read few lines of most logs.

    Args:
        texts: The texts of the lines.
        numbers: Their numbers.
    """

    __slots__ = ("_made", "_numbers", "texts")

    def __init__(self, texts: Sequence[str], numbers: Sequence[int]) -> None:
        self.texts, self._numbers = texts, numbers
        self._made: list[Line | None] = [None] * len(texts)

    def __len__(self) -> int:
        return len(self.texts)

    def between(self, begin: int, end: int) -> list[Line]:
        """Return the lines from an index up to another."""
        made = self._made
        for index in range(begin, end):
            if made[index] is None:
                made[index] = LINE((self._numbers[index], self.texts[index]))
        return cast("list[Line]", made[begin:end])

    def pass_on(self, read: Callable[[Line], bool], index: int) -> int:
        """Pass lines to a parser that is awake.

        Returns:
            The index after the line at which it falls asleep; if it does not, one more than the number of lines.
        """
        made, numbers, texts, count = self._made, self._numbers, self.texts, len(self._made)
        for at in range(index, count):
            line = made[at]
            if line is None:
                line = made[at] = LINE((numbers[at], texts[at]))
            if not read(line):
                return at + 1
        return count + 1


class ActiveParser:
    """A parser that has been woken, and how far it has read.

    Attributes:
        parser: The parser.
        awake: Whether it wants the next line.
        unread: The index of the first line that it has not read, counted from the beginning of the stream.
    """

    __slots__ = ("awake", "parser", "unread")

    def __init__(self, parser: Parser) -> None:
        self.parser = parser
        self.awake = False
        self.unread = 0

    def read(self, lines: LazyLines, wakes: Sequence[int], past: Sequence[tuple[int, str]], begin: int) -> None:
        """Read some lines: each that wakes the parser, and those after it up to the one at which it falls asleep.

        Args:
            lines: The lines.
            wakes: The indices of those that wake the parser.
            past: The numbers and the texts of the lines before them.
            begin: How many lines of the stream precede them.
        """
        read, before = self.parser.read, self.parser.before
        unread = self.unread - begin
        if self.awake:
            unread = lines.pass_on(read, 0)
        for index in wakes:
            if index < unread:
                continue
            if before and unread < index and self.parser.wants_before(lines.texts[index]):
                first = max(unread, index - before)
                missed = list(map(LINE, past[first:])) if first < 0 else []
                self.parser.look_back(missed + lines.between(max(first, 0), index))
            unread = lines.pass_on(read, index)
        self.awake = unread > len(lines)
        self.unread = begin + min(unread, len(lines))


class ParserRun:
    """The parsers that read one stream.

    Args:
        literals: The literals of all parsers.
        broken: The numbers of parsers that raised in this log, in any stream; it is updated.
    """

    def __init__(self, literals: Literals, broken: set[int]) -> None:
        self._literals = literals
        self._broken = broken
        self._active: dict[int, ActiveParser] = {}
        self._awake: set[int] = set()
        self._past: list[tuple[int, str]] = []
        self._count = 0

    def read(self, texts: Sequence[str], numbers: Sequence[int], woken: Woken) -> None:
        """Pass lines to the parsers that want them, one parser after the other."""
        lines = LazyLines(texts, numbers)
        for number in sorted((self._awake | woken.keys()) - self._broken):
            try:
                active, wakes = self._active.get(number), woken.get(number, ())
                if active is None:
                    if not (wakes := self._literals.skip_foreign(number, wakes, texts)):
                        continue
                    active = self._create(number)
                active.read(lines, wakes, self._past, self._count)
                (self._awake.add if active.awake else self._awake.discard)(number)
            except Exception as error:  # noqa: BLE001 -- the code of a third party may raise anything
                self._give_up(number, error)
                self._broken.update(self._literals.sharing.get(number, ()))
        self._count += len(texts)
        self._past = [*self._past, *zip(numbers[-LOOK_BACK:], texts[-LOOK_BACK:], strict=True)][-LOOK_BACK:]

    def finish(self, stream: Stream) -> Iterable[tuple[int, ParserResult]]:
        """Return what each parser read in this stream, with its number."""
        for reader, active in self._active.items():
            for number in (reader, *self._literals.sharing.get(reader, ())):
                if number in self._broken:
                    continue
                try:
                    parser = active.parser if number == reader else self._literals.load(number).sharing(active.parser)
                    failures = tuple(map(stream.placed, parser.finish()) if stream.place else parser.finish())
                    total, covered = parser.total(), parser.covers()
                    covers = (
                        {get_key(one): covered[one.name] for one in failures if one.name in covered} if covered else {}
                    )
                    yield number, ParserResult(type(parser), failures[:MOST_FAILURES], total, covers, parser.gap())
                except Exception as error:  # noqa: BLE001 -- the code of a third party may raise anything
                    self._give_up(number, error)

    def _create(self, number: int) -> ActiveParser:
        active = self._active[number] = ActiveParser(self._literals.load(number)())
        return active

    def _give_up(self, number: int, error: Exception) -> None:
        import logging

        log = logging.getLogger("ci_failures")
        log.error("the parser %s failed", self._literals.name(number), exc_info=error)
        self._broken.add(number)
