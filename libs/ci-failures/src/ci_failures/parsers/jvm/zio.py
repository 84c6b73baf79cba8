"""ZIO Test: its list of failed tests behind the total, in which each is named with its suites."""

import re
import shlex
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, evolve, field

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.jvm.exception_trace import Trace
from ci_failures.parsers.jvm.sbt import FailedClasses, level_of
from ci_failures.parsers.text_helpers import each_once, join_message, relative

COUNT = re.compile(r"\d+ tests? passed\. (\d+) tests? failed\. \d+ tests? ignored\.\s*$")
TEST = re.compile(r"( *)- (\S.*)")
PLACE = re.compile(r"at (\S+\.scala):(\d+)$")
THROWN = re.compile(r"Exception in thread \"[^\"]*\" (.*)")
ENDS = ("Executed in ", "ZIO Test", "Completed tests")
MOST_LINES = 100_000


@define
class ZioBlock:
    """A failed test whose lines are being read."""

    name: str
    depth: int
    number: int
    place: tuple[str, int] | None = None
    said: list[str] = field(factory=list)
    trace: Trace = field(factory=Trace)

    def say(self, text: str) -> None:
        """Read a line of its details."""
        thrown = THROWN.match(text)
        place = PLACE.match(text)
        if place and self.place is None:
            self.place = relative(place[1]), int(place[2])
        elif text.startswith("at "):
            self.trace.take(f"\t{text}")
        else:
            self.said.append(thrown[1] if thrown else text)

    def failure(self) -> Failure:
        """Return the failure, with the names of its suites before its own."""
        parts = [one.strip() for one in re.split(r" / | - ", self.name)]
        file, line = self.place or self.trace.place("")
        return Failure(
            tool="zio-test",
            name=" / ".join(parts),
            message=join_message(self.said),
            file=file,
            line=line,
            selector=parts[-1],
            log_line=self.number,
        )


class ZioTest(Parser):
    """Parser of the list between the total and `Executed in`."""

    tool: ClassVar[str] = "zio-test"
    wakes: ClassVar[tuple[str, ...]] = (" tests failed. ", " test failed. ", "[error] Failed tests:")

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._block: ZioBlock | None = None
        self._listing = False
        self._lines = 0
        self._classes = FailedClasses()
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Read a line of the list, or its beginning."""
        if self._classes.read(line):
            return True
        text = line.text[len(level_of(line.text)) :].rstrip()
        if count := COUNT.match(text):
            self._counted = (self._counted or 0) + int(count[1])
            self._listing, self._lines = int(count[1]) > 0, 0
        elif self._listing:
            self._lines += 1
            if text.startswith(ENDS) or self._lines > MOST_LINES:
                self._close()
                self._listing = False
            else:
                self._take(text, line.number)
        return self._listing

    def finish(self) -> Iterable[Failure]:
        """Return what failed; sbt prints the class at the end, if a suite has the name of one."""
        self._close()
        for one in self._found.values():
            suite = one.name.partition(" / ")[0]
            of = self._classes.whole(suite)
            yield evolve(one, selector=f"{of if of in self._classes.names else '*'}\t{one.selector}")

    def total(self) -> int | None:
        """Return how many failed according to ZIO Test."""
        return self._counted

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return one call of sbt; a test is selected by its own name, without those of its suites."""
        parts = [one.selector.partition("\t")[::2] for one in failures if one.selector]
        classes = " ".join(each_once(of for of, _ in parts))
        terms = " ".join(f'-t "{name}"' for name in each_once(name for _, name in parts) if '"' not in name)
        return f"sbt {shlex.quote(f'testOnly {classes} -- {terms}')}" if parts else ""

    def _take(self, text: str, number: int) -> None:
        test = TEST.match(text)
        if test and (self._block is None or len(test[1]) <= self._block.depth + 2):
            self._close()
            self._block = ZioBlock(test[2], len(test[1]), number)
        elif self._block is not None and text.strip():
            self._block.say(text.strip())

    def _close(self) -> None:
        block, self._block = self._block, None
        if block is None or len(self._found) >= MOST_FAILURES:
            return
        told = block.failure()
        self._found.setdefault(told.name, told)
