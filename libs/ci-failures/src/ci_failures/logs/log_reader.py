"""One pass over a log for all parsers: their literals are searched together, and only awake parsers read lines."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import compress

from attrs import evolve

from ci_failures.logs.cleaning import LONGEST, Batch, Cleaner
from ci_failures.logs.echoed_scripts import Echo
from ci_failures.logs.evidence import LINTERS, LogEvidence, Outcome
from ci_failures.logs.literal_search import ECHO, ERROR, Literals, Woken
from ci_failures.logs.parser_run import Covers, ParserResult, ParserRun, get_key
from ci_failures.logs.prefixes import (
    MOST_WINDOWS,
    SAMPLE,
    Prefix,
    Recognized,
    learn_prefix,
)
from ci_failures.logs.recent_lines import RecentLines
from ci_failures.logs.sample_lines import without_recording, without_runner
from ci_failures.logs.steps import ACTION, Steps
from ci_failures.logs.streams import MOST as MOST_STREAMS
from ci_failures.logs.streams import ROOT, Stream, Streams, join_lines
from ci_failures.model import MOST_FAILURES, Failure

PORTION = 256 * 1024
"""Bytes whose lines are in memory at once."""


class LogReader:
    """Reader of one log.

    Args:
        literals: The literals of all parsers.
        learns: Whether the prefix of the lines is learned.
    """

    def __init__(self, literals: Literals, *, learns: bool = True) -> None:
        self._literals = literals
        self._first = bytearray()
        self._windows = MOST_WINDOWS if learns else 0
        self._broken: set[int] = set()
        self._runs: dict[Stream, ParserRun] = {}
        self._cleaner = Cleaner()
        self._streams = Streams()
        self._steps = Steps()
        self._echo = Echo()
        self._recent = RecentLines()
        self._evidence = LogEvidence(self._steps, self._recent)
        self._lines = 0
        self._outcome: Outcome | None = None

    @property
    def outcome(self) -> Outcome:
        """What the log shows beside the failures; available after `finish`."""
        assert self._outcome is not None
        return self._outcome

    def feed(self, chunk: bytes) -> None:
        """Read bytes of the log in any portions."""
        if self._windows == MOST_WINDOWS:
            self._first += chunk
            if len(self._first) < SAMPLE:
                return
            chunk, self._first = bytes(self._first), bytearray()
        for begin in range(0, len(chunk), PORTION):
            self._read_learning(self._cleaner.feed(chunk[begin : begin + PORTION]))

    def finish(self) -> list[ParserResult]:
        """Return the failures of each parser, after the last byte."""
        if self._first:
            self._read_learning(self._cleaner.feed(bytes(self._first.removesuffix(b"\n")) + b"\n"))
        self._read(self._cleaner.finish())
        found: dict[int, ParserResult] = {}
        for stream, run in self._runs.items():
            for number, told in run.finish(stream):
                found[number] = _together(found[number], told) if number in found else told
        tales = [found[number] for number in sorted(found) if number not in self._broken]
        if self._steps.any_failed:
            tales = [told.keep(self._is_harmful) for told in tales]
        if is_passed := self._evidence.is_passed(self._lines):
            tales = list(map(_excuse, tales))
        tales = _without_covered(tales, self._steps)
        if len(self._runs) == 1:  # the lines of several streams are not a single run's
            tales = self._evidence.drop_printed(tales)
        self._outcome = evolve(
            self._evidence.outcome(tales, self._lines, is_passed=is_passed), cuts=tuple(self._list_cuts(tales))
        )
        return [one for one in tales if one.failures or one.counted]

    def _is_harmful(self, one: Failure) -> bool:
        """Check whether a failure may have failed the job: it is not in a step that passed."""
        return not self._steps.harmless("lint" if one.tool in LINTERS else one.kind, one.log_line)

    def _list_cuts(self, tales: Iterable[ParserResult]) -> Iterator[str]:
        """Iterate over what was left out at a bound, or what a tool did not print, a sentence each."""
        yield from filter(None, (told.gap for told in tales))
        if cut := self._cleaner.cut:
            lines = "one line was" if cut == 1 else f"{cut:,} lines were"
            yield f"{lines} read up to {LONGEST:,} characters only, the first being line {self._cleaner.first_cut}"
        if self._echo.is_open or self._echo.endless:
            begins = self._echo.endless or self._echo.begins
            yield f"the script that the runner prints from line {begins:,} on has no end, and its lines were not read"
        for number in sorted(self._broken):
            yield f"the parser {self._literals.name(number)} failed, and what it read was left out"
        if beyond := self._streams.beyond.strip():
            yield f"more than {MOST_STREAMS} names precede lines; those with '{beyond}' or later names have no place"

    def _read_learning(self, batch: Batch) -> None:
        """Learn what precedes lines, as long as nothing was recognized, and read them without it."""
        first = self._windows == MOST_WINDOWS
        if batch.texts and self._windows and (first or not self._evidence.count()):
            self._windows -= 1
            size = SAMPLE if first else len(batch.data)
            sample = batch.data[: batch.data.rfind(b"\n", 0, size) + 1] or batch.data
            lines = without_recording(batch.list_whole_lines(sample.count(b"\n") - 1), sample)
            lines = without_runner(lines, sample)
            trial = partial(self._try_prefix, sample, batch.numbers)
            if learned := learn_prefix(lines, trial, first=first):
                known = self._cleaner.prefix
                self._cleaner.prefix = Prefix([*known.parts, *learned.parts]) if known else learned
                self._windows *= learned.is_stamp and known is None
                batch = batch.without(learned)
        self._read(batch)

    def _try_prefix(self, data: bytes, numbers: Sequence[int], prefix: Prefix | None) -> Recognized:
        """Return what is recognized in lines behind a prefix.

        They are not cleaned again, as a second stamp is part of a prefix.
        """
        trial = LogReader(self._literals, learns=False)
        lines = data[1:-1].decode("utf-8", "replace").split("\n")
        batch = Batch(lines, numbers[: len(lines)], data, {})
        trial._read(batch.without(prefix) if prefix else batch)
        failures = [one for told in trial.finish() for one in told.failures]
        texts = [(one.name, one.file, one.message) for one in failures]
        certain = sum(one.confidence == "high" for one in failures)
        return Recognized(trial._evidence.count(), texts, certain, frozenset(one.tool for one in failures))

    def _read(self, batch: Batch) -> None:
        """Pass lines to the parsers that want them, one stream after the other."""
        if not batch.texts:
            return
        texts, numbers, data, names = batch
        streams = self._streams.part(texts, data)
        if names:
            streams = self._streams.named(names, streams)
        if streams and not isinstance(numbers, range):
            streams = _with_parts(streams, numbers)
        found = self._literals.found(join_lines(texts) if streams else data)
        self._walk(found.marks, batch)
        shown = self._echo.list_shown(numbers, found.marks) if found.marks or self._echo.is_open else None
        self._recent.feed(texts, numbers, shown)
        for index, marks in found.evidence:
            if shown is None or shown[index]:
                self._evidence.read(numbers[index], texts[index], marks)
        self._lines = numbers[-1]
        if shown is None and not streams:
            self._run(ROOT).read(texts, numbers, found.woken)
            return
        for stream, places in _parted(shown or bytearray(b"\x01") * len(texts), streams).items():
            own = list(map(texts.__getitem__, places)), list(map(numbers.__getitem__, places))
            self._run(stream).read(*own, _ranked(found.woken, places))

    def _run(self, stream: Stream) -> ParserRun:
        if stream not in self._runs:
            self._runs[stream] = ParserRun(self._literals, self._broken)
        return self._runs[stream]

    def _walk(self, marks: Sequence[tuple[int, str]], batch: Batch) -> None:
        """Record the steps that begin or fail in these lines."""
        for index, mark in marks:
            if mark == ECHO:
                self._steps.begin(batch.numbers[index], is_action=bool(ACTION.match(batch.texts[index])))
            elif mark == ERROR:
                self._steps.fail()


def _with_parts(streams: Mapping[int, Stream], numbers: Sequence[int]) -> Mapping[int, Stream]:
    """Return the streams of lines, to which the further parts of a split line belong, too: these have its number."""
    found: dict[int, Stream] = {}
    for at, number in enumerate(numbers):
        if at in streams:
            found[at] = streams[at]
        elif at and number == numbers[at - 1] and at - 1 in found:
            found[at] = found[at - 1]
    return found


def _parted(shown: bytearray, streams: Mapping[int, Stream]) -> Mapping[Stream, Sequence[int]]:
    """Return the indices of the shown lines by stream; the stream of the first line comes first."""
    groups: dict[Stream, list[int]] = defaultdict(list)
    for index, stream in streams.items():
        if shown[index]:
            groups[stream].append(index)
            shown[index] = 0
    groups[ROOT] += compress(range(len(shown)), shown)  # most lines belong to no stream
    return dict(sorted((group for group in groups.items() if group[1]), key=lambda group: group[1][0]))


def _ranked(woken: Woken, places: Sequence[int]) -> Woken:
    """Convert the indices of waking lines to their ranks within the lines of a stream."""
    count = len(places)
    ranked = {}
    for number, wanted in woken.items():
        ranks = [rank for at in wanted if (rank := bisect_left(places, at)) < count and places[rank] == at]
        if ranks:
            ranked[number] = ranks
    return ranked


def _together(told: ParserResult, more: ParserResult) -> ParserResult:
    """Merge the failures that one parser read in two streams."""
    both = (told, more)
    is_counted = any(one.counted is not None for one in both)  # a stream without a total counts by its failures
    total = sum(len(one.failures) if one.counted is None else one.counted for one in both) if is_counted else None
    failures = (*told.failures, *more.failures)[:MOST_FAILURES]
    return ParserResult(told.parser, failures, total, {**told.covers, **more.covers}, told.gap or more.gap)


def _without_covered(tales: list[ParserResult], steps: Steps) -> list[ParserResult]:
    """Drop failures that only report what another parser reports better, within the lines that they cover."""
    if not any(told.covers for told in tales):
        return tales
    others = sorted(one.log_line for told in tales for one in told.failures if get_key(one) not in told.covers)

    def is_own(covers: Covers, one: Failure) -> bool:
        first, last = covers.get(get_key(one), (0, -1))
        first = first or steps.find_begin(steps.find(one.log_line))
        return bisect_left(others, first) >= bisect_left(others, last + 1)

    return [told.keep(partial(is_own, told.covers)) for told in tales]


def _excuse(told: ParserResult) -> ParserResult:
    """Return what a job that passed nevertheless printed: tests that it repeated, or whose failure it allows."""
    tests = tuple(evolve(one, flaky=True) for one in told.failures if one.kind == "test")
    return told._replace(failures=tests, counted=None)
