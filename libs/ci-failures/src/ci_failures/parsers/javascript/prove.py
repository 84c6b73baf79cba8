"""prove, with Perl's Test::More and Test2, which print failures to the error stream.

#   Failed test 'adds two'          # Failed test 'adds two'          Test Summary Report
#   at t/adds.t line 5.             # at t/adds.t line 5.             -------------------
#          got: '2'                 # +-----+----+-------+            t/dies.t (Wstat: 65280 Tests: 1 Failed: 0)
#     expected: '3'                 # | GOT | OP | CHECK |              Parse errors: Bad plan.  You planned 3 tests …

A file that dies, or runs fewer tests than it plans, is only in the report at the end.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import Failure, Line, Parser
from ci_failures.parsers.javascript.failed import Failed
from ci_failures.parsers.text_helpers import MOST_LINES, command, each_once, join_message, relative

NAMED = re.compile(r"^# (?:  )?Failed test '(.*)'$")
NAMELESS = re.compile(r"^# (?:  )?Failed test at (\S.*) line (\d+)\.$")
AT = re.compile(r"^# (?:  )?(?:at|in) (\S.*?)(?: at)? line (\d+)\.$")
INNER = re.compile(r"^ {4,}# {1,3}(.*)$")
SAID = re.compile(r"^#(?: {4}| [+|])")
DIED = re.compile(r"^(?!#)(.{1,1000}) at (\S{1,400}\.(?:t|pm|pl)) line (\d{1,7})(?:[.,]|$)")
FILE = re.compile(r"^(\S.{0,400}?)(?<! ) +\(Wstat: \d+.{0,60} Failed: (\d+)\)$")
WHY = re.compile(r"^ {2}(Failed tests?: .*|Parse errors: .*|Non-zero (?:exit|wait) status: .*|Dubious, .*)$")
MARKS = ("Test Summary Report", "Result: FAIL", "# Looks like you failed", "Dubious, test returned")
REPORT = 2_000
"""Lines of a report that are read at most."""


class Prove(Parser):
    """Parser of prove, and of Perl's test libraries."""

    tool: ClassVar[str] = "prove"
    wakes: ClassVar[tuple[str, ...]] = ("Failed test ", *MARKS)
    before: ClassVar[int] = 6

    def __init__(self) -> None:
        self._failed = Failed()
        self._name: str | None = None
        self._begun = 0
        self._place: tuple[str, int] | None = None
        self._message: list[str] = []
        self._inner: list[str] = []
        self._died: dict[str, tuple[str, str, int]] = {}
        self._told: set[str] = set()
        self._file: Failure | None = None
        self._report = 0
        self._believed = False

    def read(self, line: Line) -> bool:
        """Read a line of a failure, of its comments, or of the report at the end."""
        text = line.text.rstrip()
        if text.startswith(("# Failed test ", "#   Failed test ")):
            self._begin(text, line.number)
        elif text.startswith(MARKS):
            self._end()
            self._believed = True
            self._report = REPORT if text == MARKS[0] else 0
        elif self._report:
            self._read_report_line(text, line.number)
        elif inner := INNER.match(text):
            if self._name is not None:
                self._end()
            self._inner.append(inner[1])
            del self._inner[:-MOST_LINES]
        elif self._name is not None:
            self._body(text)
        elif died := DIED.match(text):
            self._died[relative(died[2])] = died[1], relative(died[2]), int(died[3])
        return self._name is not None or self._report > 0 or bool(self._inner)

    def _begin(self, text: str, number: int) -> None:
        inner = self._inner if self._name is None else []
        self._end()
        self._begun, self._inner = number, inner
        if named := NAMED.match(text):
            self._name = named[1]
        elif nameless := NAMELESS.match(text):
            self._name, self._place = "", (relative(nameless[1]), int(nameless[2]))

    def _body(self, text: str) -> None:
        if self._place is None and (at := AT.match(text)):
            self._place = relative(at[1]), int(at[2])
        elif self._place and SAID.match(text) and len(self._message) < MOST_LINES:
            self._message.append(text[1:])
        else:
            self._end()

    def _read_report_line(self, text: str, number: int) -> None:
        """Read a line of the report: a file, and its cause; one whose tests are reported does not count itself."""
        self._report = 0 if text.startswith("Files=") else self._report - 1
        why = WHY.match(text)
        if found := FILE.match(text):
            self._close()
            name = relative(found[1])
            if int(found[2]) == 0 or name not in self._told:
                self._file = Failure(tool="prove", name=name, file=name, selector=name, log_line=number)
        elif why and self._file:
            self._file = evolve(self._file, message=f"{self._file.message}\n{why[1]}".strip())
        if not self._report:
            self._close()

    def _close(self) -> None:
        """Record a file of the report, with the error it died of if that was printed."""
        one, self._file = self._file, None
        if one is None or not one.message:
            return
        if died := self._died.get(one.file):
            one = evolve(one, message=f"{died[0]}\n{one.message}", line=died[2])
        self._failed.add(one)

    def _end(self) -> None:
        if self._name is not None and self._place:
            file, number = self._place
            self._told.add(file)
            self._failed.add(
                Failure(
                    tool="prove",
                    name=f"{file} > {self._name or f'line {number}'}",
                    message=join_message(self._message or self._inner),
                    file=file,
                    line=number,
                    selector=file,
                    log_line=self._begun,
                )
            )
        self._name, self._place, self._message, self._inner = None, None, [], []

    def finish(self) -> Iterable[Failure]:
        """Return what failed."""
        self._end()
        self._close()
        return self._failed.with_confidence(len(self._failed)) if self._believed else ()

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that runs the files of these: prove cannot select less."""
        return command("prove", "-v", *each_once(one.selector for one in failures))
