"""Bun's tests: a line for each test below the name of its file; the error of a failed test precedes its line.

a.test.ts:
4 |   test("adds", () => { expect(total([1])).toBe(2); });
                                              ^
error: expect(received).toBe(expected)
      at <anonymous> (/home/runner/work/app/app/a.test.ts:4:43)
(fail) Cart > adds [0.40ms]
 1 fail
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.javascript.failed import Failed
from ci_failures.parsers.javascript.patterns import any_of, escape_pattern
from ci_failures.parsers.javascript.stacks import frame
from ci_failures.parsers.text_helpers import MOST_LINES, command, each_once, join_message, relative

FILE = re.compile(r"(?:(?:::|##\[)group(?:::|\]))?(\S[^:]{0,400}\.[cm]?[jt]sx?):$")
RESULT = re.compile(r"(?:\((pass|fail|skip|todo)\)|[✓✗»✎]) (.*?)( \[[\d.]+ ?m?s\])?$")
RESULTS = frozenset("(✓✗»✎")
"""The first characters of results; 50 lines before each one are read as well, and few of them are any of these."""
FAILED = ("(fail)", "✗")
ERROR = re.compile(r"(?:error|\w*Error)(?:: |$)")
BETWEEN = "# Unhandled error between tests"
LATE = "  ^ "
"""The beginning of the line below a test that took too long."""
COUNT = re.compile(r" *(\d+) (?:fail|errors?)$")
RAN = re.compile(r"Ran \d+ tests? across \d+ files?\b")
NEAR = 20
"""Lines at most from a count to the line that ends Bun's summary: compilers print `5 errors` as well."""


class Bun(Parser):
    """Parser of the results, and of the totals."""

    tool: ClassVar[str] = "bun"
    wakes: ClassVar[tuple[str, ...]] = (
        "\n(fail) ", "\n(pass) ", "\n✗ ", "\n✓ ", "\n# Unhandled error between", " fail\n", " error\n", " errors\n",
        *(f".{end}:\n" for end in ("ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "cts")),
    )  # fmt: skip
    first_line: ClassVar[str] = (
        r"\((?:pass|fail|skip|todo)\) |[✓✗»✎] |.*\.[cm]?[jt]sx?:\s*$|# Unhandled error between"
        r"| *\d+ (?:fail|errors?)\s*$"
    )
    before: ClassVar[int] = 50

    def __init__(self) -> None:
        self._failed = Failed()
        self._counted: int | None = None
        self._ran = False
        self._summed = 0
        """The counts of a summary that has not ended."""
        self._ends = 0
        """The last line in which it may end."""
        self._file = ""
        self._lines: list[str] = []
        self._unhandled = 0
        self._late: Failure | None = None
        self._timed = False
        self._untimed: list[Failure] = []
        """Failures without a time: a test may have printed them."""

    def read(self, line: Line) -> bool:
        """Read the name of a file, a result, or a line of an error before one."""
        text = line.text.rstrip()
        if late := self._late:
            self._late = None
            message = text.removeprefix(LATE) if text.startswith(LATE) and not late.message else late.message
            self._keep(evolve(late, message=message))
        if text[:1] in RESULTS and (found := RESULT.match(text)):
            self._read_result(found, line.number)
        elif text.endswith(":") and (file := FILE.match(text)):
            self._file, self._lines = relative(file[1]), []
        elif text == BETWEEN:
            self._unhandled, self._lines = line.number, []
        elif self._unhandled and self._lines[1:] and text.startswith("----"):
            self._read_unhandled()
        elif self._ran and (count := COUNT.match(text)):
            self._summed = int(count[1]) + (self._summed if line.number <= self._ends else 0)
            self._ends = line.number + NEAR
        elif line.number <= self._ends and RAN.match(text):
            self._counted = (self._counted or 0) + self._summed
            self._ends = 0
        elif len(self._lines) < MOST_LINES:
            self._lines.append(text)
        return bool(self._late or self._unhandled) or line.number < self._ends

    def look_back(self, lines: Sequence[Line]) -> None:
        """Read the lines before a result, which may be its error."""
        self._lines = []
        for line in lines:
            self.read(line)

    def _read_result(self, found: re.Match[str], number: int) -> None:
        self._ran = True
        if found[0].startswith(FAILED):
            message, file, row = self._read_error()
            title, self._timed = found[2].strip(), bool(found[3])
            self._late = Failure(
                tool=self.tool, name=f"{self._file} > {title}" if self._file else title, message=message,
                file=file or self._file, line=row, selector=f"{self._file}\n{title}", log_line=number,
            )  # fmt: skip
        self._lines = []

    def _keep(self, failure: Failure) -> None:
        if self._timed:
            self._failed.add(failure)
        elif len(self._untimed) < MOST_FAILURES:
            self._untimed.append(failure)

    def _read_unhandled(self) -> None:
        """Record a file that could not be read."""
        message, file, row = self._read_error()
        self._ran = True
        self._failed.add(
            Failure(
                tool=self.tool,
                kind="compile",
                name=self._file or file,
                message=message,
                file=file or self._file,
                line=row,
                selector=f"{self._file}\n",
                log_line=self._unhandled,
            )
        )
        self._unhandled, self._lines = 0, []

    def _read_error(self) -> tuple[str, str, int | None]:
        """Return the message, the file and the line of the error in the last lines."""
        begin = next((at for at, text in enumerate(self._lines) if ERROR.match(text)), len(self._lines))
        place, message = None, []
        for text in self._lines[begin:]:
            if text.lstrip().startswith("at "):
                place = place or frame(text)
            elif not text.startswith(("::error ", "##[error]")):
                message.append(text)
        file, row = place or ("", None)
        return join_message(message), file, row

    def finish(self) -> Iterable[Failure]:
        """Return what failed."""
        if self._late:
            self._keep(self._late)
        for one in self._untimed[: max(0, (self._counted or 0) - len(self._failed))]:
            self._failed.add(one)
        return self._failed.with_confidence(self._counted)

    def total(self) -> int | None:
        """Return how many tests and files failed."""
        return self._failed.adjust_total(self._counted) if self._ran else None

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command with the files and one pattern for the titles, which Bun joins by spaces."""
        pairs = [one.selector.partition("\n") for one in failures]
        titles = [escape_pattern(title).replace(" > ", " (> )?") + "$" for _, _, title in pairs if title]
        named = ("-t", any_of(titles)) if len(titles) == len(pairs) else ()
        return command("bun", "test", *each_once(f"./{file}" if file else "" for file, _, _ in pairs), *named)
