"""What a program of GoogleTest has told so far: tests that run, failures, what was said outside of tests."""

from attrs import define, field

from ci_failures.model import MOST_FAILURES, Confidence, Failure, Kind
from ci_failures.parsers.common import cut

SUITE = "{}: SetUpTestSuite or TearDownTestSuite"
LONGEST_BLOCK = 40
DEEPEST = 8
"""Tests inside of tests that are followed."""


@define
class Block:
    """The first failure that a test tells, and what it says.

    Args:
        file: Where.
        line: The line in it.
        lines: What was said.
        number: Of the line of the log.
    """

    file: str
    line: int | None
    number: int
    lines: list[str] = field(factory=list)
    whole: bool = False


@define
class Running:
    """A test that has begun.

    Args:
        name: Its name.
        mark: How many failures were known then.
        number: Of the line of the log.
        prefix: What stands before its lines, as `docker compose` puts it.
        block: Where it failed first.
        death: The line that tells that its program died.
        inner: How many others have ended since; then it may have ended as well, unseen.
        restarted: Whether a program of gtest has begun since.
    """

    name: str
    mark: int
    number: int
    prefix: str = ""
    block: Block | None = None
    death: str = ""
    inner: int = 0
    restarted: bool = False

    @property
    def suite(self) -> str:
        """Its suite."""
        return self.name.rpartition(".")[0]


@define
class Program:
    """The output of one program that runs tests.

    Args:
        place: Where it is run: a path, a target of Bazel, or `FOLDER#NAME` for a test of ctest.
        dying: What ctest says of its death before it shows what the program printed.
        passed: Whether ctest ran it again, and it passed.
        names: Those of the failures, once a list is read.
        deaths: How many tests ended it, which no list counts.
    """

    place: str = ""
    dying: str = ""
    passed: bool = False
    running: list[Running] = field(factory=list)
    pending: Block | None = None
    apart: dict[str, Block] = field(factory=dict)
    failures: list[Failure] = field(factory=list)
    names: set[str] | None = None
    deaths: int = 0

    def begin(self, name: str, number: int, prefix: str = "") -> None:
        """Note that a test begins; what failed before it, outside of tests, is its suite's."""
        self.set_apart(name.rpartition(".")[0])
        if self.running and self.running[-1].death:
            self.died()
        self.running.append(Running(name, len(self.failures), number, prefix, death=self.dying))
        del self.running[:-DEEPEST]

    def told(self, place: Block) -> bool:
        """Note where something failed, if it is the first in its test; else the first has been told whole."""
        running = self.running[-1] if self.running else None
        block = running.block if running else self.pending
        if block:
            block.whole = True
        elif running:
            running.block = place
        else:
            self.pending = place
        return block is None

    def say(self, text: str) -> None:
        """Add a line to what the first failure says."""
        block = self.running[-1].block if self.running else self.pending
        if block and not block.whole and len(block.lines) < LONGEST_BLOCK:
            block.lines.append(text)

    def set_apart(self, suite: str) -> None:
        """Keep what failed outside of tests for the suite that it belongs to."""
        if self.pending and not self.running:
            self.apart[SUITE.format(suite)] = self.pending
            self.pending = None

    def end_suite(self, suite: str) -> None:
        """Note that a suite ends, and with it those of its tests whose end was not seen."""
        index = next((index for index, one in enumerate(self.running) if one.suite == suite), None)
        if index is not None:
            del self.running[index:]

    def end(self, name: str) -> Running | None:
        """Note that a test ends, and forget what seemed to fail inside of it."""
        for index in range(len(self.running) - 1, -1, -1):
            if self.running[index].name == name:
                ended, self.names = self.running[index], None
                del self.running[index:], self.failures[ended.mark :]
                for outer in self.running:
                    outer.inner += 1
                return ended
        return None

    def fail(
        self, name: str, block: Block | None, number: int, confidence: Confidence = "high", kind: Kind = "test"
    ) -> None:
        """Note that a test failed."""
        if len(self.failures) >= MOST_FAILURES:
            return
        if self.names is not None:
            self.names.add(name)
        told = block or Block("", None, number)
        self.failures.append(
            Failure(
                tool="gtest",
                kind=kind,
                name=name,
                message=cut(told.lines),
                file=told.file,
                line=told.line,
                selector=name if "." in name else name.partition(":")[0] + ".*",
                place=self.place,
                log_line=told.number,
                confidence=confidence,
            )
        )

    def listed(self, name: str, number: int) -> None:
        """Note that a test is said to have failed that nobody saw begin: in a list, or where only failures are told."""
        if self.names is None:
            self.names = {one.name for one in self.failures}
        if name not in self.names:
            self.fail(name, self.apart.get(name) or self.pending, number)
        self.pending = None

    def died(self) -> None:
        """Note that the program ended in the midst of a test, if a line has told of its death."""
        if self.running and not self.running[0].restarted:  # what failed in it may be what it printed of others
            outer = self.running[0]
            inside = [one for one in self.failures[outer.mark :] if one.name.rpartition(".")[0] == outer.suite]
            self.failures[outer.mark :] = inside
        last = next((one for one in self.running if one.death and not one.inner), None)
        if last:
            block = last.block or Block("", None, last.number, [last.death])
            kind: Kind = "timeout" if last.death.startswith("Timeout") else "test"
            self.fail(last.name, block, last.number, "medium", kind)
            self.deaths += 1
        self.running.clear()
        self.pending = None
