"""One run of pytest: its sections, its summary and its counts."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import TypeAlias

from attrs import evolve

from ci_failures.model import MOST_FAILURES, MOST_TEXT, Failure, Line
from ci_failures.parsers.python.pytest_blocks import PLACE, PytestBlock
from ci_failures.parsers.python.pytest_deaths import DEATH, DEATHS, Death
from ci_failures.parsers.python.pytest_names import Matches, NamedLine, as_given, within
from ci_failures.parsers.python.pytest_progress import ERROR, FAILED, RERUN, Progress
from ci_failures.parsers.text_helpers import relative

HEAD, PROGRESS, DYING, SUMMARY, RESULTS, OTHER = "head", "progress", "dying", "summary", "results", "other"
LINE = re.compile(
    r"(?:FAIL|SUBFAIL|FAILED|ERROR|[\[(].*[\])] SUBFAIL) (?=\S)|SUBFAILED[ \[(].*?(?<![\w./~-])(?=[\w./~-][^\s:]*::)"
)
BEGINNINGS = frozenset("FSE[(")
"""The first characters of lines of the summary."""
BEGINS = {
    FAILED: re.compile(r"[^:]*?[\w\]/]::|[^: ]+\.\w+(?: - |$)"),
    ERROR: re.compile(r"[^:]*?[\w\]/]::|[^: ]+\.\w+(?: - |$)|[^: .]+ - |[^: .]*/[^: .]*$"),
}
"""The beginning of the name of a test or a file: `a.py::`, `a.py`; where collecting failed, also a folder."""
RESULT = re.compile(r" +(\d+) (failed|errors?)$")
LONGEST_HEAD = 40
PASSES = ("PASSES", "XPASSES")
"""Sections of `-rA` and `-rP`."""
SHARED = ("conftest.py", "__init__.py")
"""Files with fixtures and base classes, in which no test stands by itself."""
TOLERANCE = 6
"""By how much the lengths of separator lines differ at most, in logs that were edited."""
SIDES = {"=": 3, "_": 8}
"""Least number of characters beside a title, where the length of the line does not matter."""
Pair: TypeAlias = tuple[NamedLine, str, PytestBlock | None]
"""A line of the summary, the name in it, and the block that describes it."""


class Session:
    """One run of pytest.

    Args:
        width: The length of its separator lines; 0 if it is not known yet.
        side: How many characters its first title has on its left.
        bannered: Whether it began with a banner; its last line has the same form then.
    """

    def __init__(self, width: int, side: int, *, bannered: bool) -> None:
        self.width = width
        self.side = side
        self.bannered = bannered
        self.section = HEAD if bannered else OTHER
        self.counts: dict[str, int] | None = None
        self.inner: list[Session] = []
        self.merged = 0
        self._shows_passes = False
        self._root = ""
        self._heads = 0
        self._blocks: dict[str, list[PytestBlock]] = defaultdict(list)
        self._summary: dict[str, list[NamedLine]] = defaultdict(list)
        self._progress = Progress()
        self._crashes: list[tuple[str, str]] = []
        self._death: Death | None = None

    @property
    def printing(self) -> bool:
        """Whether captured output is read: it may contain anything, also other runs of pytest."""
        if self.section in {FAILED, ERROR}:
            blocks = self._blocks[self.section]
            return not blocks or blocks[-1].printing  # --tb=line has no blocks
        return self.bannered and self.section not in {SUMMARY, RESULTS}

    @property
    def awake(self) -> bool:
        """Whether the next line is wanted, whatever it contains."""
        if self.section == PROGRESS:
            return not self._progress.over
        return self.section != OTHER and not (self.section == DYING and self._death and self._death.over)

    def is_separator(self, text: str, title: str, side: int) -> bool:
        """Check whether a line that looks like a separator is one: it has the length of the others.

        Or its title is longer.

        Where tests cannot have printed it, its length matters less.
        """
        if not title.isascii() or "***" in title:
            return True
        if len(text) > self.width > 0 and side == 1:
            return True
        near = self.width > 0 and (abs(len(text) - self.width) <= TOLERANCE or (text[0] == "=" and side == self.side))
        begins = self.section in {FAILED, ERROR} and not self._blocks[self.section] and not self._crashes
        return near or (side >= SIDES[text[0]] and (begins or not self.printing))

    def overlong(self, text: str) -> bool:
        """Check whether a line may be the header of a failure whose title leaves no space for the separator."""
        return self.section in {FAILED, ERROR} and len(text) >= self.width > 0 and text.endswith((" _", " "))

    def is_output(self, section: str | None, counts: Mapping[str, int] | None) -> bool:
        """Check whether a test printed what looks like pytest's output.

        Errors come before failures, and each is counted.

        Args:
            section: The section that seems to begin.
            counts: The counts, if the run seems to end.
        """
        if section == SUMMARY:  # the last one is pytest's own
            self._summary.clear()
        if section in {FAILED, ERROR}:
            return bool(self._blocks[FAILED] or self._blocks[section] or (self.section == FAILED and self._crashes))
        bad = sum(number for what, number in (counts or {}).items() if "fail" in what or "error" in what)
        told = len(self._crashes) + sum(map(len, self._blocks.values()))
        return counts is not None and bad < max(told, self._progress.failed)

    def begin_section(self, section: str, title: str) -> None:
        """Begin a section; that of the tests that passed has their output, which may end like a run."""
        self.section = section
        self._shows_passes = self.bannered and (self._shows_passes or title in PASSES)

    def repeats(self, section: str | None, counts: Mapping[str, int] | None) -> bool:
        """Check whether a summary or a total shows that those before it were output of tests that passed."""
        return self._shows_passes and (section == SUMMARY or counts is not None)

    def begin_block(self, line: Line, title: str) -> None:
        """Read the header of a failure; a summary before it was only captured output."""
        if self.section == SUMMARY:
            self.section = next((kind for kind in (FAILED, ERROR) if self._blocks[kind]), SUMMARY)
            self._summary.clear()
        if self.section in {FAILED, ERROR} and len(self._blocks[self.section]) < MOST_FAILURES:
            self._blocks[self.section].append(PytestBlock(line.number, title))

    def read(self, line: Line) -> None:
        """Read a line that is not a separator."""
        if self.section in {FAILED, ERROR}:
            if blocks := self._blocks[self.section]:
                blocks[-1].read(line.text)
            elif PLACE.match(line.text) and len(self._crashes) < MOST_FAILURES:
                place, _, message = line.text.partition(": ")
                self._crashes.append((place, message))
        elif self.section == SUMMARY:
            self._summarise(line)
        elif (
            self.section == PROGRESS
            and (DEATHS[0] in line.text or DEATHS[1] in line.text)
            and (death := DEATH.match(line.text))
        ):
            self._death = Death(line.number, death[1], death[2])
            self.section = DYING
        elif self.section == DYING and self._death:
            self._death.read(line.text)
        elif self.section == PROGRESS:
            self._progress.read(line)
        elif self.section == HEAD:
            self._head(line.text)
        elif self.section == RESULTS and (found := RESULT.match(line.text)):  # of pytest-sugar
            self.counts = {**(self.counts or {}), found[2]: int(found[1])}

    def _head(self, text: str) -> None:
        self._heads += 1
        if text.startswith("rootdir: "):
            self._root = text[9:].partition(", ")[0].rstrip("/\\")
        ready = text.startswith(("collected ", "collecting ", "gw0 ", "1 worker [")) or "workers [" in text
        if ready or self._heads > LONGEST_HEAD:
            self.section = PROGRESS

    def _summarise(self, line: Line) -> None:
        if line.text[:1] in BEGINNINGS and (found := LINE.match(line.text)):
            rest = line.text[found.end() :]
            kind = ERROR if found[0] == "ERROR " else FAILED
            if BEGINS[kind].match(rest) and len(self._summary[kind]) < MOST_FAILURES:
                self._summary[kind].append(NamedLine(line.number, rest))
        elif line.text.startswith("RERUN "):
            self._progress.add_name(RERUN, NamedLine(line.number, line.text[6:]))

    def sessions(self) -> "Iterator[Session]":
        """Return this run; and, if it never ended, those that seemed to run inside of it."""
        yield self
        if self.counts is None:
            for one in self.inner:
                yield from one.sessions()

    def total(self, kind: str) -> int:
        """Return how many tests failed, or had errors, according to pytest's last line."""
        words = ("failed",) if kind == FAILED else ("error", "errors")
        return sum((self.counts or {}).get(word, 0) for word in words)

    def failures(self) -> list[Failure]:
        """Return what failed, each test once."""
        told = [*self._failures_of_kind(FAILED), *self._failures_of_kind(ERROR)]
        found: dict[str, Failure] = {}
        for one in told:
            found.setdefault(one.name, one)
        self.merged = len(told) - len(found)
        if self._death and self.counts is None:
            found.update((one.name, one) for one in self._dead_test(self._death) if one.name not in found)
        for name, numbers in self._progress.tries.items():
            if name not in found:
                found[name] = evolve(self._failure(numbers[0], name, None), flaky=True)
        return sorted(found.values(), key=lambda one: one.log_line)

    def _dead_test(self, death: Death) -> Iterator[Failure]:
        """Return the test that killed pytest; a name that is only in a stack may lack its class."""
        name, told = death.name(self._progress.started)
        if name:
            failure = self._failure(death.number, name, None, death.what, death.place)
            yield evolve(failure, confidence="medium" if told else "low")

    def _failures_of_kind(self, kind: str) -> list[Failure]:
        """Return failures, or errors: from the summary, otherwise from the blocks, otherwise from the progress."""
        matches = Matches(self._blocks[kind], self._crashes)
        if told := self._summary[kind]:
            pairs = [(one, *matches.split_line(one.rest)) for one in told]
            return [self._summary_failure(one, name, block, matches) for one, name, block in self._real(pairs, kind)]
        if blocks := self._blocks[kind]:
            found = [self._failure(block.number, self._name(block, kind, at), block) for at, block in enumerate(blocks)]
            return found if self.counts else [*found, *self._list_printed(kind, {one.name for one in found})]
        return self._list_printed(kind, set())

    def _list_printed(self, kind: str, known: AbstractSet[str]) -> list[Failure]:
        """Return the other failures of the progress; a session that breaks off may have no blocks of them."""
        printed = (self._failure(one.number, as_given(one.rest), None) for one in self._progress.names[kind])
        return [one for one in printed if one.name not in known]

    def _real(self, pairs: list[Pair], kind: str) -> list[Pair]:
        """Drop what only looks like a line of the summary, as a message may, if there are more than pytest counts."""
        number = len(self._blocks[kind]) if self.counts is None else self.total(kind)
        if len(pairs) <= number or (self.counts is None and not number):
            return pairs
        files = {*self._progress.files[FAILED], *self._progress.files[ERROR]} - {""}
        return [
            (told, name, block)
            for told, name, block in pairs
            if block or (name.partition("::")[0] in files if files else number and not self._blocks[kind])
        ]

    def _summary_failure(self, told: NamedLine, name: str, block: PytestBlock | None, matches: Matches) -> Failure:
        message = told.rest[len(name) :].removeprefix(" - ")
        number = min(told.number, block.number) if block else told.number
        crash = None if block else matches.crash(message)
        return self._failure(number, as_given(name), block, message, crash)

    def _name(self, block: PytestBlock, kind: str, at: int) -> str:
        """Return the name of a test that has only a header, with the file from its traceback or the progress."""
        if block.collecting:
            return self._path(block.name) or block.name
        if block.crashed:
            return as_given(block.crashed)
        inner = block.name.removeprefix("[doctest] ")
        for told in self._progress.names[kind]:
            if within(as_given(told.rest)) == inner:
                return as_given(told.rest)
        path = self._test_file(block, kind, at)
        head, bracket, parameters = inner.partition("[")
        head = head if block.name != inner else head.replace(".", "::")
        return "::".join(filter(None, [path, head])) + bracket + parameters

    def _test_file(self, block: PytestBlock, kind: str, at: int) -> str:
        """Return the file of a test that has only a header: its traceback may have only what several files share."""
        files = self._progress.files[kind]
        if len(files) == len(self._blocks[kind]):
            return files[at]
        tests = [one for one in self._blocks[kind] if one.name == one.title]  # new versions print no letter of subtests
        if len(files) == len(tests) and block in tests:
            return files[tests.index(block)]
        root = self._root.replace("\\", "/") + "/"
        places = [path.replace("\\", "/").removeprefix(root) for path, _ in block.places if self._path(path)]
        if block.module:
            own = block.module.replace(".", "/") + ".py"
            return next((path for path in (*places, *files) if f"/{path}".endswith(f"/{own}")), own)
        if own_places := [path for path in places if not path.endswith(SHARED)]:
            return own_places[0]
        return files[0] if len(set(files)) == 1 else ""

    def _failure(
        self, number: int, name: str, block: PytestBlock | None, message: str = "", crash: tuple[str, int] | None = None
    ) -> Failure:
        file, line = self._spot(name, [crash] if crash else block.places if block else [])
        name = _inside(name)
        unplaced = block and not block.collecting and "." not in name.partition("::")[0]
        return Failure(
            tool="pytest",
            kind="compile" if (block.collecting if block else "::" not in name) else "test",
            name=name,
            message=(block.message() if block else "") or message[:MOST_TEXT],
            file=file,
            line=line,
            selector="" if unplaced else name,
            place="" if name.startswith(f"{self.place}/") else self.place,
            log_line=number,
            attempts=len(self._progress.tries.get(name, ())) + 1,
        )

    def _spot(self, name: str, places: Iterable[tuple[str, int]]) -> tuple[str, int | None]:
        """Return the last place in the repository; otherwise the file of the test."""
        inside = [(self._path(path), line) for path, line in places if self._path(path)]
        file = name.partition("::")[0]
        return inside[-1] if inside else (self._path(file) if "." in file else "", None)

    @property
    def place(self) -> str:
        """The folder of the repository that pytest took as its root."""
        place = relative(self._root + "/").rstrip("/") if self._root else ""
        return "" if place.startswith("/") or place[1:2] == ":" else place

    def _path(self, path: str) -> str:
        """Return a path relative to the repository; empty for one outside of it."""
        path, root = path.replace("\\", "/"), self._root.replace("\\", "/") + "/"
        if self._root and path.startswith(root):
            path = path[len(root) :]
        elif path.startswith("/") or path[1:2] == ":":
            path = relative(path)
            return "" if path.startswith("/") or path[1:2] == ":" else path
        inside = not self.place or path.startswith(self.place + "/")
        return "" if path.startswith("../") else path if inside or not path else f"{self.place}/{path}"


def _inside(name: str) -> str:
    """Return a name relative to the repository, where pytest prints the whole path of its file."""
    path, parts, rest = name.partition("::")
    inside = relative(path) if path.startswith("/") else path
    return name if inside.startswith("/") else inside + parts + rest
