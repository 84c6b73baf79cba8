"""Runs of unittest as its own runner, Django's and nose's print them: a block for each failure, and counts."""

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from attrs import define, field

from ci_failures.model import MOST_FAILURES, Failure, Line
from ci_failures.parsers.python.unittest_names import Frame, Name, library, parse_title, path_of, root_of
from ci_failures.parsers.text_helpers import join_message, relative

SHORTEST_RULE = 30
"""Least width of a separator line; unittest's own have 70 characters, but logs are edited."""
FRAME = re.compile(r'  File "([^"]+)", line (\d+)(?:, in (\S+))?')
TITLE = re.compile(r"(FAIL|ERROR|UNEXPECTED SUCCESS|[A-Z]\w*(?:Error|Failure))(?: \[[\d.]+s\])?: (\S.*)$")
"""The other words are those of classes of errors that plugins of nose count apart."""
UNEXPECTED = re.compile(r"(\S+ \([\w.]+\)).* \.\.\. unexpected success$")
VERBOSE = re.compile(r"\s*(\S+ \([\w.]+\))(?:.* \.\.\. |$)")
"""A test that begins, or whose description is in the next line."""
PASSED = re.compile(r".* \.\.\. (?:ok|expected failure|unexpected success|(?:skipped|SKIP|TODO|DEPRECATED)\b.*)$")
"""A test with its result: a bare result in the next line is that of a class or a module."""
RESULTS = (" ... FAIL", " ... ERROR")
DOTS = ".EFsxu"
"""What testtools prints for each test, on the line on which the first separator follows."""
COUNT = re.compile(r"(?:\(|, )(?!(?i:skip|skipped|todo|deprecated|expected failures)=)([A-Za-z_][\w ]*)=(\d+)")
RAN = re.compile(r"Ran \d+ tests? in (?!.* using \d+ process)")
Naming: TypeAlias = Callable[[str, Sequence[Frame]], Name | None]
"""Parses a title and the frames below it; returns None for one that names nothing."""
MOST_LINES = 60
MOST_FRAMES = 200
LONGEST = 20_000
"""Lines of a block at most: what follows has another source."""


def is_separator(text: str, character: str) -> bool:
    """Check whether a line is a separator."""
    return text[:1] == character and len(text) >= SHORTEST_RULE and not text.strip(character)


@define
class UnittestBlock:
    """One failure.

    Args:
        number: The number of the title's line.
        title: The text after the word.
        word: FAIL, ERROR or the name of a class of errors.
    """

    number: int
    title: str
    word: str = "FAIL"
    frames: list[Frame] = field(factory=list)
    texts: list[str] = field(factory=list)
    open: bool = False
    printing: bool = False
    traced: bool = False
    of_nose: bool = False
    length: int = 0
    _source: bool = False

    def read(self, text: str) -> None:
        """Read a line below the title."""
        self.length += 1
        if not self.open:
            self.open = is_separator(text, "-")
        elif self.printing:
            pass
        elif text in {"Stdout:", "Stderr:"}:
            self.printing = True
        elif text.startswith("-------------------- >> begin captured"):
            self.printing = self.of_nose = True
        elif text.startswith("Traceback (most recent"):
            self.texts.clear()
            self.traced = True
        elif text.startswith('  File "') and (found := FRAME.match(text)):
            if len(self.frames) < MOST_FRAMES:
                self.frames.append(Frame(found[1], int(found[2]), found[3] or ""))
                self.of_nose |= "/nose/" in found[1]
            self.texts.clear()
            self._source = True
        elif not (self._source and text.startswith("    ")):
            self._source = False
            if len(self.texts) < MOST_LINES:
                self.texts.append(text)

    def message(self) -> str:
        """Return the error that was raised last, without the separators around it."""
        texts = list(self.texts)
        for at in (0, -1):
            while texts and (not texts[at].strip() or is_separator(texts[at], "-")):
                del texts[at]
        return join_message(texts)


@define
class Run:
    """The part of a log between the first failure and the counts.

    Args:
        begins: The number of the line after the run before.
        ends: The number of the line with the counts; 0 if it is missing.
        single: What is told in one line: its number, a title and the message.
        counts: The counts by kind.
    """

    begins: int
    ends: int = 0
    blocks: list[UnittestBlock] = field(factory=list)
    single: list[tuple[int, str, str]] = field(factory=list)
    counts: dict[str, int] | None = None
    merged: int = 0

    @property
    def starts(self) -> int:
        """The number of the first failure's line."""
        return self.blocks[0].number if self.blocks else self.ends

    @property
    def of_nose(self) -> bool:
        """Whether nose ran the tests: it names functions, and prints captured output in its own form."""
        return any(block.of_nose for block in self.blocks)

    def failures(self, tool: str, naming: Naming = parse_title) -> list[Failure]:
        """Return what failed, each test once; its subtests are failures of the test."""
        found: dict[str, Failure] = {}
        told = 0
        for block in sorted(self._real(), key=lambda block: block.word != "FAIL"):  # before what failed after the test
            if name := naming(block.title, block.frames):
                told += 1
                found.setdefault(name.name, self._failure(tool, block, name))
        for number, title, message in self.single:
            if (name := naming(title, ())) and name.name not in found:
                told += 1
                found[name.name] = self._failure(tool, UnittestBlock(number, title, texts=[message]), name)
        self.merged = told - len(found)
        return sorted(found.values(), key=lambda one: one.log_line)

    def _real(self) -> list[UnittestBlock]:
        """Drop what only looks like a failure, as a message may, if there are more than are counted."""
        counts = self.counts or {}
        blocks = [block for block in self.blocks if block.word in {"FAIL", "ERROR"} or block.word in counts]
        if self.counts is None or len(blocks) <= sum(counts.values()) - counts.get("unexpected successes", 0):
            return blocks
        return [block for block in blocks if block.traced]

    def _failure(self, tool: str, block: UnittestBlock, name: Name) -> Failure:
        root = root_of(block.frames, name.selector)
        package = name.selector.partition(".")[0]
        spots = [(path, frame.line) for frame in block.frames if (path := path_of(frame.path, root, package))]
        own = [spot for spot in spots if name.broken and name.within(spot[0])]
        last: tuple[str, int | None] = (own or spots)[-1] if spots else ("", None)
        place = "" if library(root) else relative(root).rstrip("/")
        return Failure(
            tool=tool,
            kind="compile" if name.broken else "test",
            name=name.name,
            message=block.message(),
            file=last[0],
            line=last[1],
            selector=name.selector,
            place="" if place.startswith("/") or place[1:2] == ":" else place,
            log_line=block.number,
            confidence="medium" if self.counts is None else "high",
        )

    def total(self) -> int | None:
        """Return how many failures are counted, those of one test as one; call it after `failures`."""
        return None if self.counts is None else sum(self.counts.values()) - self.merged


class Reports:
    """All runs of a log, and the lines that show which runner ran them."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self._run = Run(begins=0)
        self._ruled = False
        self._block: UnittestBlock | None = None
        self._ending = False
        self._title = ""
        self._verbose: list[tuple[int, str, str]] = []

    def read(self, line: Line) -> bool:
        """Read a line, and return whether the next one is wanted."""
        text, block = line.text, self._block
        if block is not None and not self._ruled and text[:1] not in {"=", "R"} and block.length <= LONGEST:
            block.read(text)
            return True
        rule = text.endswith("=") and is_separator(text.lstrip(DOTS), "=")
        if self._ruled and (found := TITLE.match(text)):
            self._begin(line.number, found[1], found[2])
        elif block is not None:
            self._within(block, text, rule=rule)
        elif text.startswith("FAILED (") and self._ending:
            self._end(line.number, text)
        elif text.startswith("Ran ") and RAN.match(text):
            self._ending = True
        elif text.endswith("unexpected success") and (found := UNEXPECTED.match(text)):
            self._correct_title(line.number, found[1])
        elif text in {"FAIL", "ERROR"} or text.endswith(RESULTS):
            self._read_result(line.number, text)
        elif self._ending and text.startswith("OK"):  # nothing failed: whatever was read is output of tests
            self._start_run(line.number)
        self._ruled = rule
        return rule or self._ending or self._block is not None

    def read_title(self, text: str) -> None:
        """Read a line before a result, which may begin the test."""
        if found := VERBOSE.match(text):
            self._title = "" if PASSED.match(text) else found[1]

    def _read_result(self, number: int, text: str) -> None:
        """Read the result of one test, which counts if the run is cut off before it tells what failed."""
        self.read_title(text)
        if self._title and len(self._verbose) < MOST_FAILURES:
            self._verbose.append((number, self._title, text.rpartition(" ")[2]))
        self._title = ""

    def _start_run(self, number: int) -> None:
        self._run = Run(begins=number)
        self._ending = False
        self._verbose = []

    def _begin(self, number: int, kind: str, title: str) -> None:
        if kind == "UNEXPECTED SUCCESS":
            self._correct_title(number, title)
            self._block = None
        else:
            self._block = UnittestBlock(number, title, word=kind, of_nose=title.startswith("Doctest: "))
            if len(self._run.blocks) < MOST_FAILURES:
                self._run.blocks.append(self._block)

    def _correct_title(self, number: int, title: str) -> None:
        one = number, title, "unexpected success"
        if len(self._run.single) < MOST_FAILURES and one not in self._run.single[-1:]:
            self._run.single.append(one)

    def _within(self, block: UnittestBlock, text: str, *, rule: bool) -> None:
        if text.startswith("Ran ") and RAN.match(text):
            self._block = None
            self._ending = True
        elif block.length > LONGEST:
            self._block = None
        elif not rule:
            block.read(text)

    def _end(self, number: int, text: str) -> None:
        self._run.counts = {what: int(count) for what, count in COUNT.findall(text)}
        self._run.ends = number
        self.runs.append(self._run)
        self._start_run(number)

    def finish(self) -> list[Run]:
        """Return all runs, also one that has no end."""
        if not self._run.blocks:
            self._run.single += self._verbose
        if self._run.blocks or self._run.single:
            self.runs.append(self._run)
            self._run = Run(begins=0)
        return self.runs
