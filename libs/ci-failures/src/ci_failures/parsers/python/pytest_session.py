"""One run of pytest, as a log tells it: its sections, its summary and its counts."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from attrs import evolve

from ci_failures.model import MOST_FAILURES, MOST_TEXT, Failure, Line
from ci_failures.parsers.common import relative
from ci_failures.parsers.python.pytest_blocks import PLACE, Block
from ci_failures.parsers.python.pytest_deaths import DEATH, DEATHS, Death
from ci_failures.parsers.python.pytest_names import Matches, Told, as_given, within
from ci_failures.parsers.python.pytest_progress import ERROR, FAILED, RERUN, Progress

HEAD, PROGRESS, DYING, SUMMARY, RESULTS, OTHER = "head", "progress", "dying", "summary", "results", "other"
LINE = re.compile(
    r"(?:FAIL|SUBFAIL|FAILED|ERROR|[\[(].*[\])] SUBFAIL) (?=\S)|SUBFAILED[ \[(].*?(?<![\w./~-])(?=[\w./~-][^\s:]*::)"
)
BEGINS = {
    FAILED: re.compile(r"[^:]*?[\w\]/]::|[^: ]+\.\w+(?: - |$)"),
    ERROR: re.compile(r"[^:]*?[\w\]/]::|[^: ]+\.\w+(?: - |$)|[^: .]+ - |[^: .]*/[^: .]*$"),
}
"""How the name of a test or of a file begins: `a.py::`, `a.py`; where collecting it failed, a folder, too."""
RESULT = re.compile(r" +(\d+) (failed|errors?)$")
LONGEST_HEAD = 40
TOLERANCE = 6
"""By how much lines that part sections differ in length at most, in logs that were edited."""
SIDES = {"=": 3, "_": 8}
"""How many characters stand beside a title at least, where its length does not matter."""
Pair: TypeAlias = tuple[Told, str, Block | None]
"""A line of the summary, the name in it, and the block that tells about it."""


class Session:
    """One run of pytest.

    Args:
        width: How long the lines are that part its sections; 0 if that is not known yet.
        side: How many characters stand on the left of its first title.
        bannered: Whether it began with a banner; its end looks alike then.
    """

    def __init__(self, width: int, side: int, *, bannered: bool) -> None:
        self.width = width
        self.side = side
        self.bannered = bannered
        self.section = HEAD if bannered else OTHER
        self.counts: dict[str, int] | None = None
        self.inner: list[Session] = []
        self.merged = 0
        self._root = ""
        self._heads = 0
        self._blocks: dict[str, list[Block]] = defaultdict(list)
        self._summary: dict[str, list[Told]] = defaultdict(list)
        self._progress = Progress()
        self._crashes: list[tuple[str, str]] = []
        self._death: Death | None = None

    @property
    def printing(self) -> bool:
        """Whether what a test printed is read: anything may stand there, other runs of pytest, too."""
        if self.section in {FAILED, ERROR}:
            blocks = self._blocks[self.section]
            return not blocks or blocks[-1].printing  # --tb=line has no blocks
        return self.bannered and self.section not in {SUMMARY, RESULTS}

    @property
    def awake(self) -> bool:
        """Whether the next line is wanted, whatever it is."""
        if self.section == PROGRESS:
            return not self._progress.over
        return self.section != OTHER and not (self.section == DYING and self._death and self._death.over)

    def parted_by(self, text: str, title: str, side: int) -> bool:
        """Tell whether a line that looks like one of pytest's is: as long as they are; or its title is longer.

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
        """Tell whether a line may be the header of a failure whose title leaves no room for what parts it."""
        return self.section in {FAILED, ERROR} and len(text) >= self.width > 0 and text.endswith((" _", " "))

    def printed(self, section: str | None, counts: Mapping[str, int] | None) -> bool:
        """Tell whether a test printed what looks like pytest's: errors stand before failures, and each is counted.

        Args:
            section: What seems to begin.
            counts: What is counted, if the run seems to end.
        """
        if section == SUMMARY:  # the last one is pytest's own
            self._summary.clear()
        if section in {FAILED, ERROR}:
            return bool(self._blocks[FAILED] or self._blocks[section] or (self.section == FAILED and self._crashes))
        bad = sum(number for what, number in (counts or {}).items() if "fail" in what or "error" in what)
        told = len(self._crashes) + sum(map(len, self._blocks.values()))
        return counts is not None and bad < max(told, self._progress.failed)

    def begin_block(self, line: Line, title: str) -> None:
        """Take the header of a failure; what seemed to be the summary before it was but printed."""
        if self.section == SUMMARY:
            self.section = next((kind for kind in (FAILED, ERROR) if self._blocks[kind]), SUMMARY)
            self._summary.clear()
        if self.section in {FAILED, ERROR} and len(self._blocks[self.section]) < MOST_FAILURES:
            self._blocks[self.section].append(Block(line.number, title))

    def read(self, line: Line) -> None:
        """Take a line that parts nothing."""
        if self.section in {FAILED, ERROR}:
            if blocks := self._blocks[self.section]:
                blocks[-1].read(line.text)
            elif PLACE.match(line.text) and len(self._crashes) < MOST_FAILURES:
                place, _, message = line.text.partition(": ")
                self._crashes.append((place, message))
        elif self.section == SUMMARY:
            self._summarise(line)
        elif (
            self.section == PROGRESS and any(mark in line.text for mark in DEATHS) and (death := DEATH.match(line.text))
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
        ready = text.startswith(("collected ", "collecting ", "gw0 ")) or "workers [" in text
        if ready or self._heads > LONGEST_HEAD:
            self.section = PROGRESS

    def _summarise(self, line: Line) -> None:
        if found := LINE.match(line.text):
            rest = line.text[found.end() :]
            kind = ERROR if found[0] == "ERROR " else FAILED
            if BEGINS[kind].match(rest) and len(self._summary[kind]) < MOST_FAILURES:
                self._summary[kind].append(Told(line.number, rest))
        elif line.text.startswith("RERUN "):
            self._progress.tell(RERUN, Told(line.number, line.text[6:]))

    def sessions(self) -> "Iterator[Session]":
        """Give this one; and, if it never ended, those that seemed to run within it."""
        yield self
        if self.counts is None:
            for one in self.inner:
                yield from one.sessions()

    def counted(self, kind: str) -> int:
        """Give how many tests failed, or had errors, by pytest's own last line."""
        words = ("failed",) if kind == FAILED else ("error", "errors")
        return sum((self.counts or {}).get(word, 0) for word in words)

    def failures(self) -> list[Failure]:
        """Give what failed, each test once."""
        told = [*self._of(FAILED), *self._of(ERROR)]
        found: dict[str, Failure] = {}
        for one in told:
            found.setdefault(one.name, one)
        self.merged = len(told) - len(found)
        if self._death and self.counts is None:
            found.update((one.name, one) for one in self._died(self._death) if one.name not in found)
        for name, numbers in self._progress.tries.items():
            if name not in found:
                found[name] = evolve(self._failure(numbers[0], name, None), flaky=True)
        return sorted(found.values(), key=lambda one: one.log_line)

    def _died(self, death: Death) -> Iterator[Failure]:
        """Give the test that took pytest with it; a name that is but in a stack may lack its class."""
        name, told = death.name(self._progress.started)
        if name:
            failure = self._failure(death.number, name, None, death.what, death.place)
            yield evolve(failure, confidence="medium" if told else "low")

    def _of(self, kind: str) -> list[Failure]:
        """Give failures, or errors: as the summary has them, else the blocks, else what was said while tests ran."""
        matches = Matches(self._blocks[kind], self._crashes)
        if told := self._summary[kind]:
            pairs = [(one, *matches.parted(one.rest)) for one in told]
            return [self._told(one, name, block, matches) for one, name, block in self._real(pairs, kind)]
        if blocks := self._blocks[kind]:
            return [self._failure(block.number, self._name(block, kind, at), block) for at, block in enumerate(blocks)]
        return [self._failure(one.number, as_given(one.rest), None) for one in self._progress.names[kind]]

    def _real(self, pairs: list[Pair], kind: str) -> list[Pair]:
        """Leave out what only looks like a line of the summary, as a message may, if there are more than there were."""
        number = len(self._blocks[kind]) if self.counts is None else self.counted(kind)
        if len(pairs) <= number or (self.counts is None and not number):
            return pairs
        files = {*self._progress.files[FAILED], *self._progress.files[ERROR]} - {""}
        return [
            (told, name, block)
            for told, name, block in pairs
            if block or (name.partition("::")[0] in files if files else number and not self._blocks[kind])
        ]

    def _told(self, told: Told, name: str, block: Block | None, matches: Matches) -> Failure:
        message = told.rest[len(name) :].removeprefix(" - ")
        number = min(told.number, block.number) if block else told.number
        crash = None if block else matches.crash(message)
        return self._failure(number, as_given(name), block, message, crash)

    def _name(self, block: Block, kind: str, at: int) -> str:
        """Give the name of a test of which there is but a header, and the file in its traceback or among the dots."""
        if block.collecting:
            return self._path(block.name) or block.name
        if block.crashed:
            return as_given(block.crashed)
        inner = block.name.removeprefix("[doctest] ")
        for told in self._progress.names[kind]:
            if within(as_given(told.rest)) == inner:
                return as_given(told.rest)
        files = self._progress.files[kind]
        places = [path for path, _ in block.places if self._path(path)]
        path = files[at] if len(files) == len(self._blocks[kind]) else places[0].replace("\\", "/") if places else ""
        head, bracket, parameters = inner.partition("[")
        head = head if block.name != inner else head.replace(".", "::")
        return "::".join(filter(None, [path, head])) + bracket + parameters

    def _failure(
        self, number: int, name: str, block: Block | None, message: str = "", crash: tuple[str, int] | None = None
    ) -> Failure:
        file, line = self._spot(name, [crash] if crash else block.places if block else [])
        name = _inside(name)
        return Failure(
            tool="pytest",
            kind="compile" if (block.collecting if block else "::" not in name) else "test",
            name=name,
            message=(block.message() if block else "") or message[:MOST_TEXT],
            file=file,
            line=line,
            selector=name,
            place="" if name.startswith(f"{self.place}/") else self.place,
            log_line=number,
            attempts=len(self._progress.tries.get(name, ())) + 1,
        )

    def _spot(self, name: str, places: Iterable[tuple[str, int]]) -> tuple[str, int | None]:
        """Give the last place in the repository; for want of one the file of the test."""
        inside = [(self._path(path), line) for path, line in places if self._path(path)]
        file = name.partition("::")[0]
        return inside[-1] if inside else (self._path(file) if "." in file else "", None)

    @property
    def place(self) -> str:
        """The folder of the repository that pytest took as its root."""
        place = relative(self._root + "/").rstrip("/") if self._root else ""
        return "" if place.startswith("/") or place[1:2] == ":" else place

    def _path(self, path: str) -> str:
        """Give a path as the repository has it; empty for one from elsewhere."""
        path, root = path.replace("\\", "/"), self._root.replace("\\", "/") + "/"
        if self._root and path.startswith(root):
            path = path[len(root) :]
        elif path.startswith("/") or path[1:2] == ":":
            path = relative(path)
            return "" if path.startswith("/") or path[1:2] == ":" else path
        inside = not self.place or path.startswith(self.place + "/")
        return "" if path.startswith("../") else path if inside or not path else f"{self.place}/{path}"


def _inside(name: str) -> str:
    """Give a name as the root of the repository has it, where pytest gives the whole path of its file."""
    path, parts, rest = name.partition("::")
    inside = relative(path) if path.startswith("/") else path
    return name if inside.startswith("/") else inside + parts + rest
