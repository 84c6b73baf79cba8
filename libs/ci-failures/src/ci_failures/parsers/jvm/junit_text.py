r"""JUnit 4's own runner: the numbered list that `JUnitCore` prints behind the dots, also under Bazel.

There was 1 failure:
1) adds(org.example.SumTest)
java.lang.AssertionError: expected:<3> but was:<2>
\tat org.junit.Assert.fail(Assert.java:89)

FAILURES!!!
Tests run: 4,  Failures: 1

JUnit 3's has a list of errors before that of failures, the message behind the name, and `,  Errors: 0` at the end. Ant
puts `[junit]` or `[java]` before each line.
"""

import re
from collections.abc import Iterable
from typing import ClassVar

from attrs import define, evolve, field

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.jvm.exception_trace import Trace

PREFIX = re.compile(r"\s*\[(?:junit|java)\] ?")
OPENING = re.compile(r"There (?:was|were) \d+ (?:failure|error)s?:\s*$")
HEADING = re.compile(
    r"(\d+)\) (?:([\w$]+(?:\[.*\])?)\()?((?:[\w$]+\.)*[A-Z][\w$]*)\)?(\s*$|(?<=\))[a-z][\w.]*\.[A-Z].*$)"
)
COUNTS = re.compile(r"Tests run: \d+,  Failures: (\d+)(?:,  Errors: (\d+))?\s*$")
MOST_LINES = 200_000


@define
class JUnitTextBlock:
    """A failed test, or a class whose set-up failed."""

    of: str
    method: str
    number: int
    trace: Trace = field(factory=Trace)


class JUnitText(Parser):
    """Parser of the list up to its totals, which Surefire writes with one blank."""

    tool: ClassVar[str] = "junit"
    wakes: ClassVar[tuple[str, ...]] = (
        *("There was 1 failure:", "There was 1 error:", "\nThere were ", "] There were ", ",  Failures: "),
    )

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._block: JUnitTextBlock | None = None
        self._next = self._lines = 0
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Read a line of the list, or its beginning."""
        self._lines += 1
        prefix = PREFIX.match(line.text) if "[j" in line.text else None
        text = line.text[prefix.end() :] if prefix else line.text
        if OPENING.match(text):
            self._close()
            self._next, self._lines = 1, 0
        elif counts := COUNTS.match(text):
            self._count(int(counts[1]) + int(counts[2] or 0))
        elif self._next and (heading := HEADING.match(text)) and int(heading[1]) == self._next:
            self._close()
            self._block = JUnitTextBlock(heading[3], heading[2] or "", line.number)
            self._next += 1
            if heading[4]:
                self._block.trace.take(heading[4])
        elif self._block is not None:
            self._block.trace.take(text)
        if self._lines > MOST_LINES or (self._next == 1 and self._lines > 1):  # the list of another tool
            self._next = 0
        return bool(self._next)

    def finish(self) -> Iterable[Failure]:
        """Return what failed; without totals it is the list of another tool."""
        return self._found.values() if self._counted is not None else ()

    def total(self) -> int | None:
        """Return how many failed."""
        return self._counted

    def _count(self, total: int) -> None:
        self._close()
        self._next = 0
        self._counted = (self._counted or 0) + total
        if self._counted == len(self._found):
            self._found = {name: evolve(one, confidence="high") for name, one in self._found.items()}

    def _close(self) -> None:
        block, self._block = self._block, None
        if block is None or len(self._found) >= MOST_FAILURES:
            return
        name = f"{block.of}#{block.method}" if block.method else block.of
        file, row = block.trace.place(block.of)
        self._found.setdefault(name, Failure(
            tool=self.tool, name=name, message=block.trace.message, file=file, line=row, log_line=block.number,
            confidence="medium",
        ))  # fmt: skip
