"""TestNG's own runner, if it prints more than totals (`-verbose 2`)."""

import re
from collections.abc import Iterable
from typing import ClassVar

from attrs import define, evolve, field

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.jvm.exception_trace import Trace

FAILED = re.compile(r"FAILED(?: CONFIGURATION: @\w+|:) ([\w.$]*[\w$])(\(.*\))?\s*$")
TOTAL = re.compile(r"\s*(?:Total tests|Tests) run: \d+,(?: Passes: \d+,)? Failures: (\d+), Skips: \d+\s*$")
ENDS = ("PASSED: ", "SKIPPED: ", "SKIPPED CONFIGURATION: ", "PASSED CONFIGURATION: ", "=====")
INSTANCE = re.compile(r"instance:([\w.$]+)@")
MOST_OF_A_BLOCK = 600


@define
class TestNGBlock:
    """A failed test whose lines are being read."""

    named: str
    with_what: str
    number: int
    trace: Trace = field(factory=Trace)
    lines: int = 0


class TestNG(Parser):
    """Parser of the blocks; they count if the runner's own totals follow."""

    tool: ClassVar[str] = "testng"
    wakes: ClassVar[tuple[str, ...]] = ("FAILED: ", "FAILED CONFIGURATION: ", ", Skips: ")

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._block: TestNGBlock | None = None
        self._counted: int | None = None
        self._sure = False

    def read(self, line: Line) -> bool:
        """Read a line of a block, or the beginning of something."""
        text, block = line.text, self._block
        if found := FAILED.match(text) if text.startswith("FAILED") else None:
            self._close()
            self._block = TestNGBlock(found[1], found[2] or "", line.number)
            return True
        if total := TOTAL.match(text):
            self._close()
            self._sure = True
            if text.lstrip().startswith("Tests run"):
                self._counted = (self._counted or 0) + int(total[1])
        elif block is not None:
            block.lines += 1
            if text.startswith(ENDS) or (block.trace.framed and not text) or block.lines > MOST_OF_A_BLOCK:
                self._close()
            else:
                block.trace.take(text)
        return self._block is not None

    def finish(self) -> Iterable[Failure]:
        """Return what failed; nothing if the runner's totals are not in the log."""
        self._close()
        return self._found.values() if self._sure else ()

    def _close(self) -> None:
        block, self._block = self._block, None
        if block is None:
            return
        of, _, method = block.named.rpartition(".")
        if not of:  # before 7.0 only the trace has the class
            named = (one.of for one in block.trace.frames_with(method) if one.method == method)
            of = next(named, "") or class_in_message(block.trace.message)
        name = f"{of}.{method}{block.with_what}" if of else f"{method}{block.with_what}"
        file, row = block.trace.place(of)
        failure = Failure(
            tool=self.tool, name=name, message=block.trace.message, file=file, line=row,
            selector=f"{of}.{method}" if of else "", log_line=block.number,
        )  # fmt: skip
        if before := self._found.get(name):
            self._found[name] = evolve(before, attempts=before.attempts + 1)
        elif len(self._found) < MOST_FAILURES:
            self._found[name] = failure


def class_in_message(message: str) -> str:
    """Return the class in TestNG's own message: `Method A.b()[pri:0, instance:org.example.A@1] should …`."""
    found = INSTANCE.search(message)
    return found[1] if found else ""
