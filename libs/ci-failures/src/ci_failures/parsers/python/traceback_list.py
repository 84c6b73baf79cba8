"""Runners of unittest's tests that print a title and a traceback: stestr, green, zope.testrunner and trial.

{0} pkg.test_a.A.test_b [0.1s] ... FAILED     Failure in pkg.test_a.A.test_b     [FAIL]
                                                File "pkg/test_a.py", line 4     Traceback (most recent call last):
Captured traceback:                           AssertionError: 1 != 2               File "pkg/test_a.py", line 4
~~~~~~~~~~~~~~~~~~~                                                              twisted.trial.unittest.FailTest: 1 != 2
    Traceback (most recent call last):
…                                             Ran 5 tests in 1.6s                pkg.test_a.A.test_b
 - Failed: 4                                  FAILED (errors=1, failures=3)      Ran 5 tests in 1.6s
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.python.unittest_names import Name, library, parse_title
from ci_failures.parsers.text_helpers import command, each_once, join_message, relative

FRAME = re.compile(r' *File "([^"]+)", line (\d+)')
TRACEBACK = "Traceback (most recent call last):"
"""What trial prints above an error without frames."""
SUM = re.compile(r"(?:failures|errors|unexpected(?:S|_s)uccesses)=(\d{1,9})|(\d{1,9}) (?:failure|error)")
MOST_LINES = 300
"""Lines of a traceback that are read."""


class TracebackList(Parser):
    """Base of these parsers; subclasses say how a title, the end of all titles and a total look."""

    begins: ClassVar[re.Pattern[str]]
    """A title; its group is the name of the test, if it has one."""
    ends: ClassVar[re.Pattern[str]]
    """A line that is not part of a traceback."""
    counts: ClassVar[re.Pattern[str]]
    """The total, whose group has the numbers."""
    certain: ClassVar[bool] = False
    """Whether titles without a traceback count where the total is missing."""

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._bare: set[str] = set()
        """Tests without a traceback: tests may print titles."""
        self._told = 0
        self._counted: int | None = None
        self._names: list[str] = []
        self._lines: list[str] = []
        self._begun = 0

    def read(self, line: Line) -> bool:
        """Read a line of a traceback, its title, or the total."""
        text = line.text.rstrip()
        if begun := self.begins.match(text):
            self._end()
            self._begun = line.number
            self._names = list(filter(None, begun.groups()))
        elif total := self.counts.match(text):
            self._end()
            self._counted = (self._counted or 0) + self._number(total[1])
        elif self.ends.match(text) or len(self._lines) > MOST_LINES:
            self._end()
        elif self._begun:
            self._lines.append(text)
        return self._begun > 0

    def _number(self, text: str) -> int:
        return int(text) if text.isdigit() else sum(int(one or other) for one, other in SUM.findall(text))

    def _end(self) -> None:
        """Record the tests whose traceback was read."""
        for name in self._names if self._begun else ():
            self._add(name)
        self._names, self._lines, self._begun = [], [], 0

    def _add(self, title: str) -> None:
        named = parse_title(title) or Name(title, title)
        name = named.name
        places = [(relative(found[1]), int(found[2])) for line in self._lines if (found := FRAME.match(line))]
        self._told += bool(places)
        if name in self._found or len(self._found) >= MOST_FAILURES:
            return
        if not places:
            self._bare.add(name)
        own = [place for place in places if not library(place[0]) and not place[0].startswith("/")]
        file, row = own[-1] if own else ("", None)
        self._found[name] = Failure(
            tool=self.tool, name=name, message=self._message(), file=file, line=row,
            selector=named.selector, log_line=self._begun,
        )  # fmt: skip

    def _message(self) -> str:
        """Return the error below the last frame."""
        last = max((at for at, line in enumerate(self._lines) if FRAME.match(line)), default=-1)
        below = [line for line in self._lines[last + 1 :] if line.strip(" ~^") and line != TRACEBACK]
        error = below[1:] if last >= 0 else below  # the first line below a frame is the code
        return join_message(error or below).removeprefix("Failure: ").removeprefix("builtins.")

    def finish(self) -> Iterable[Failure]:
        """Return what failed, each test once."""
        self._end()
        sure = len(self._bare) if self._counted is None and self.certain else (self._counted or 0) - self._told
        for name in sorted(self._bare)[max(0, sure) :]:
            self._found.pop(name, None)
        return self._found.values()

    def total(self) -> int | None:
        """Return how many tests the runner counts, one with several failures once; call it after `finish`."""
        return len(self._found) if self._counted == self._told else self._counted


class Stestr(TracebackList):
    """Parser of stestr, and of what it prints while tests run."""

    tool: ClassVar[str] = "stestr"
    wakes: ClassVar[tuple[str, ...]] = (" ... FAILED\n", " - Failed: ")
    first_line: ClassVar[str] = r"\{\d+\} | - Failed: \d"
    begins: ClassVar[re.Pattern[str]] = re.compile(r"\{\d+\} (.+?) \[[\d.]+s\] \.\.\. FAILED$")
    ends: ClassVar[re.Pattern[str]] = re.compile(r"\{\d+\} |={6}|Captured (?!traceback)")
    counts: ClassVar[re.Pattern[str]] = re.compile(r" - Failed: (\d+)$")

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command with one pattern for the names."""
        names = each_once(re.escape(one.selector) for one in failures)
        return command("stestr", "run", f"^({'|'.join(names)})($|\\.)")


class Green(TracebackList):
    """Parser of green."""

    tool: ClassVar[str] = "green"
    wakes: ClassVar[tuple[str, ...]] = ("\nFailure in ", "\nError in ", "\nFAILED (")
    first_line: ClassVar[str] = r"(?:Failure|Error) in "
    begins: ClassVar[re.Pattern[str]] = re.compile(r"(?:Failure|Error) in (?!test \w+ \()(\S.*[^:])$")
    ends: ClassVar[re.Pattern[str]] = re.compile(r"(?:Captured |Ran \d+ tests? in )")
    counts: ClassVar[re.Pattern[str]] = re.compile(r"FAILED \((.*)\)$")

    def read(self, line: Line) -> bool:
        """Read a line; a total before the first title is that of another runner."""
        return (bool(self._found) or self._begun > 0 or not line.text.startswith("FAILED")) and super().read(line)

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command with the names."""
        return command("green", *each_once(one.selector for one in failures))


class ZopeTestrunner(TracebackList):
    """Parser of zope.testrunner."""

    tool: ClassVar[str] = "zope.testrunner"
    wakes: ClassVar[tuple[str, ...]] = ("\nFailure in test ", "\nError in test ", "  Ran ")
    begins: ClassVar[re.Pattern[str]] = re.compile(r"(?:Failure|Error) in test (\w+ \([\w.]+\))")
    ends: ClassVar[re.Pattern[str]] = re.compile(
        r"(?:Failure|Error) in |\{\d+\} |Captured |\S.*(?: in \d+\.\d+ seconds\.|layers?:)$"
    )
    counts: ClassVar[re.Pattern[str]] = re.compile(r" +Ran \d+ tests? with (\d+ failures?, .*?\d+ errors?)")

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command with one pattern for each test."""
        tests = each_once(one.selector.rpartition(".")[2] for one in failures)
        return command("zope-testrunner", "--test-path=.", *(f"--test={re.escape(test)}" for test in tests))


class Trial(TracebackList):
    """Parser of Twisted's trial, whose tracebacks precede the names of the tests."""

    tool: ClassVar[str] = "trial"
    wakes: ClassVar[tuple[str, ...]] = ("\n[FAIL]\n", "\n[ERROR]\n", "\n[SUCCESS!?!]\n", "\nFAILED (")
    first_line: ClassVar[str] = r"\[(?:FAIL|ERROR|SUCCESS!\?!)\]$"
    begins: ClassVar[re.Pattern[str]] = re.compile(r"\[(?:FAIL|ERROR|SUCCESS!\?!)\]$")
    ends: ClassVar[re.Pattern[str]] = re.compile(r"[=-]{70,}$")
    counts: ClassVar[re.Pattern[str]] = re.compile(r"FAILED \((.*)\)$")
    certain: ClassVar[bool] = True
    named: ClassVar[re.Pattern[str]] = re.compile(r"[A-Za-z_][\w.]*$")

    def read(self, line: Line) -> bool:
        """Read a line; a total before the first title is that of another runner."""
        return (bool(self._found) or self._begun > 0 or line.text.startswith("[")) and super().read(line)

    def _end(self) -> None:
        """Record the tests below the traceback, behind an empty line."""
        while self._lines and not self._lines[-1]:
            self._lines.pop()
        while self._lines and self.named.match(self._lines[-1]):
            self._names.insert(0, self._lines.pop())
        super()._end()

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command with the names."""
        return command("trial", *each_once(one.selector for one in failures))
