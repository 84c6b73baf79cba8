"""Ant's tasks junit and junitlauncher, with their formatters plain and brief.

Without a formatter, only classes are named.
"""

import re
from collections.abc import Iterable
from typing import ClassVar

from attrs import define, field

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.jvm.exception_trace import Trace

PREFIX = re.compile(r"\s*\[junit(?:launcher)?\] ?")
SUITE = re.compile(r"(?:Testsuite: |Running )([\w.$]+)\s*$")
COUNTS = re.compile(r"Tests run: \d+, Failures: (\d+)(?:, Errors: (\d+))?")
"""Totals; tests that junitlauncher counts as aborted were skipped."""
PLAIN = re.compile(r"Testcase: (.+) took [\d.,]+ sec\s*$")
BRIEF = re.compile(r"Testcase: (.+)\(([\w.$]+)\):\s+(?:FAILED|Caused an ERROR)\s*$")
VERDICTS = ("FAILED", "Caused an ERROR")
CLASS = re.compile(r"(?:TEST|Test) ([\w.$]+) FAILED(?: \(\w+\))?\s*$")
MOST_OF_A_BLOCK = 600


@define
class AntBlock:
    """A test whose lines are being read."""

    of: str
    method: str
    number: int
    failed: bool
    trace: Trace = field(factory=Trace)
    lines: int = 0


class Ant(Parser):
    """Parser of the lines that Ant marks as output of the task."""

    tool: ClassVar[str] = "ant"
    wakes: ClassVar[tuple[str, ...]] = ("[junit]", "[junitlauncher]")

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._classes: dict[str, int] = {}
        self._of = ""
        self._block: AntBlock | None = None
        self._counts: dict[str, int] = {}
        self._lines: dict[str, int] = {}
        self._told: set[str] = set()

    def read(self, line: Line) -> bool:
        """Read a line of the task; other lines may stand between them."""
        prefix = PREFIX.match(line.text)
        if prefix is None:
            return False
        text = line.text[prefix.end() :]
        if not self._begins(text, line.number) and self._block is not None:
            self._take(text, self._block)
        return False

    def finish(self) -> Iterable[Failure]:
        """Return what failed: tests, and classes without a failed test that is named."""
        self._close()
        named = {one.selector for one in self._found.values()}
        silent = {of: self._lines[of] for of, failed in self._counts.items() if failed and of and of not in self._told}
        for of, number in (silent | self._classes).items():
            if of not in named and len(self._found) < MOST_FAILURES:
                said = "a test of this class failed; the log does not say which"
                self._found[of] = Failure(
                    tool=self.tool, name=of, message=said, log_line=number, confidence="medium", selector=of
                )
        return sorted(self._found.values(), key=lambda one: one.log_line)

    def total(self) -> int | None:
        """Return how many failed, as the task counts them for each class."""
        return sum(self._counts.values()) if self._counts else None

    def _begins(self, text: str, number: int) -> bool:
        if suite := SUITE.match(text):
            self._close()
            self._of = suite[1]
        elif counts := COUNTS.match(text):
            self._counts[self._of] = int(counts[1]) + int(counts[2] or 0)  # printsummary repeats it
            self._lines.setdefault(self._of, number)
        elif brief := BRIEF.match(text):
            self._close()
            self._block = AntBlock(brief[2], brief[1], number, failed=True)
        elif plain := PLAIN.match(text):
            self._close()
            self._block = AntBlock(self._of, plain[1], number, failed=False)
        elif of := CLASS.match(text):
            self._close()
            self._classes.setdefault(of[1], number)
        else:
            return False
        return True

    def _take(self, text: str, block: AntBlock) -> None:
        block.lines += 1
        if block.lines == 1 and text.strip() in VERDICTS:
            block.failed = True
        elif block.lines > MOST_OF_A_BLOCK or (block.trace.framed and not text.strip()):
            self._close()
        elif block.failed:
            block.trace.take(text)

    def _close(self) -> None:
        block, self._block = self._block, None
        if block is None or not block.failed:
            return
        self._told.add(self._of)
        method = block.method.removesuffix("()")
        if block.of in {"junit.framework.TestSuite", method}:  # a failure before any test has the name of the class
            block.of, method = method, ""
        name = f"{block.of}.{method}".strip(".")
        file, row = block.trace.place(block.of)
        if len(self._found) < MOST_FAILURES:
            self._found.setdefault(name, Failure(
                tool=self.tool, name=name, message=once(block.trace.message), file=file, line=row,
                selector=block.of, log_line=block.number,
            ))  # fmt: skip


def once(message: str) -> str:
    """Return a message without the part that Ant repeats before the exception."""
    lines = message.splitlines()
    again = next((at for at, text in enumerate(lines) if at and text.endswith(f": {lines[0]}")), 0)
    return "\n".join(lines[again:])
