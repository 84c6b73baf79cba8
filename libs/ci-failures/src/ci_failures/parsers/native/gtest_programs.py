"""The state of one GoogleTest program: tests that run, failures, and output outside of tests."""

from attrs import define, field

from ci_failures.model import MOST_FAILURES, Confidence, Failure, Kind
from ci_failures.parsers.text_helpers import join_message

SUITE = "{}: SetUpTestSuite or TearDownTestSuite"
LONGEST_BLOCK = 40
DEEPEST = 8
"""Nested tests that are followed at most."""


@define
class GTestBlock:
    """The first failure of a test.

    Args:
        file: The file.
        line: The line in it.
        lines: The message.
        number: The number of the line in the log.
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
        mark: The number of failures that were known then.
        number: The number of the line in the log.
        prefix: The prefix of its lines, as of `docker compose`.
        block: Its first failure.
        death: The line that reports the death of its program.
        inner: How many others have ended since; its own end may then have been missed.
        restarted: Whether a program of gtest has begun since.
    """

    name: str
    mark: int
    number: int
    prefix: str = ""
    block: GTestBlock | None = None
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
        dying: ctest's report of its death, which precedes the output.
        passed: Whether ctest repeated it, and it passed.
        names: The names of the failures, once a list is read.
        deaths: How many tests ended it, which no list counts.
        foreign: Whether another tool printed the tags.
    """

    place: str = ""
    dying: str = ""
    passed: bool = False
    running: list[Running] = field(factory=list)
    pending: GTestBlock | None = None
    apart: dict[str, GTestBlock] = field(factory=dict)
    failures: list[Failure] = field(factory=list)
    names: set[str] | None = None
    deaths: int = 0
    foreign: bool = False

    def begin(self, name: str, number: int, prefix: str = "") -> None:
        """Record that a test begins; failures before it, outside of tests, belong to its suite."""
        if " @ " in name:  # busted prints the same tags around `FILE @ LINE: NAME`
            self.foreign = True
            return
        self.set_apart(name.rpartition(".")[0])
        if self.running and self.running[-1].death:
            self.record_death()
        self.running.append(Running(name, len(self.failures), number, prefix, death=self.dying))
        del self.running[:-DEEPEST]

    def add_place(self, place: GTestBlock) -> bool:
        """Record the place of a failure if it is the first in its test; otherwise the first one is complete."""
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
        """Add a line to the message of the first failure."""
        block = self.running[-1].block if self.running else self.pending
        if block and not block.whole and len(block.lines) < LONGEST_BLOCK:
            block.lines.append(text)

    def set_apart(self, suite: str) -> None:
        """Record failures outside of tests for their suite."""
        if self.pending and not self.running:
            self.apart[SUITE.format(suite)] = self.pending
            self.pending = None

    def end_suite(self, suite: str) -> None:
        """End a suite, and those of its tests whose end was missed."""
        index = next((index for index, one in enumerate(self.running) if one.suite == suite), None)
        if index is not None:
            del self.running[index:]

    def end(self, name: str) -> Running | None:
        """End a test, and forget what seemed to fail inside of it."""
        for index in range(len(self.running) - 1, -1, -1):
            if self.running[index].name == name:
                ended, self.names = self.running[index], None
                del self.running[index:], self.failures[ended.mark :]
                for outer in self.running:
                    outer.inner += 1
                return ended
        return None

    def fail(
        self, name: str, block: GTestBlock | None, number: int, confidence: Confidence = "high", kind: Kind = "test"
    ) -> None:
        """Record that a test failed."""
        if len(self.failures) >= MOST_FAILURES:
            return
        if self.names is not None:
            self.names.add(name)
        told = block or GTestBlock("", None, number)
        self.failures.append(
            Failure(
                tool="gtest",
                kind=kind,
                name=name,
                message=join_message(told.lines),
                file=told.file,
                line=told.line,
                selector=name if "." in name else name.partition(":")[0] + ".*",
                place=self.place,
                log_line=told.number,
                confidence=confidence,
            )
        )

    def add_listed(self, name: str, number: int) -> None:
        """Record a failed test whose beginning was not read: from a list, or of a log with failures only."""
        if self.names is None:
            self.names = {one.name for one in self.failures}
        if name not in self.names:
            self.fail(name, self.apart.get(name) or self.pending, number)
        self.pending = None

    def record_death(self) -> None:
        """Record that the program ended within a test, if a line has reported its death."""
        if self.running and not self.running[0].restarted:  # a failure in it may be output of other tests
            outer = self.running[0]
            inside = [one for one in self.failures[outer.mark :] if one.name.rpartition(".")[0] == outer.suite]
            self.failures[outer.mark :] = inside
        last = next((one for one in self.running if one.death and not one.inner), None)
        if last:
            block = last.block or GTestBlock("", None, last.number, [last.death])
            kind: Kind = "timeout" if last.death.startswith("Timeout") else "test"
            self.fail(last.name, block, last.number, "medium", kind)
            self.deaths += 1
        self.running.clear()
        self.pending = None
