"""busted, the test runner of Lua: its terminal outputs, and the one in the form of GoogleTest.

Failure → spec/till_spec.lua @ 12                 [ RUN      ] spec/till_spec.lua @ 12: till adds
till adds                                         spec/till_spec.lua:13: Expected objects to be equal.
spec/till_spec.lua:13: Expected objects to be     [  FAILED  ] spec/till_spec.lua @ 12: till adds (0.31 ms)
                                                  …
7 successes / 1 failure / 0 errors / 2 pending     1 FAILED TEST
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Line
from ci_failures.parsers.javascript.failed import CountedParser
from ci_failures.parsers.single_line_parser import RUNNER
from ci_failures.parsers.text_helpers import MOST_LINES, command, each_once, join_message

BEGUN = re.compile(r"(?:Failure|Error) (?:\u2192|->) (\S.{0,300}?) @ (\d{1,7})$")
RUN = re.compile(r"\[ RUN      \] \S.{0,300} @ \d{1,7}: ")
ENDED = re.compile(r"\[(?:  FAILED  | *ERROR *)\] (\S.{0,300}?) @ (\d{1,7}): (.*?) \(\d[\d.,]* ms\)$")
LISTED = re.compile(r"\[(?:  FAILED  |  ERROR   )\] (\S.{0,300}?) @ (\d{1,7}): (.*)$")
"""A line of the list at the end; tests may print the others, but not behind it."""
TOTAL = re.compile(r"\d+ success(?:es)? / (\d{1,9}) failures? / (\d{1,9}) errors? / \d+ pending")
COUNT = re.compile(r" (\d{1,9}) (?:FAILED TESTS?|ERRORS?)$")
PENDING = re.compile(r"Pending (?:\u2192|->) ")
PLACE = re.compile(r"(\S[^:]{0,300}\.lua):(\d{1,7}): ")


class Busted(CountedParser):
    """Parser of the blocks of failures, and of the totals."""

    tool: ClassVar[str] = "busted"
    wakes: ClassVar[tuple[str, ...]] = (
        *("\nFailure \u2192 ", "\nFailure -> ", "\nError \u2192 ", "\nError -> "),
        *("\n[  FAILED  ] ", "\n[  ERROR   ] ", "\n[ ERROR    ] ", " FAILED TEST", " ERROR\n", " ERRORS\n"),
        *(" successes / ", " success / "),
    )
    first_line: ClassVar[str] = (
        r"(?:Failure|Error) (?:\u2192|->) |\[ *(?:FAILED|ERROR) *\] \S+ @ | \d+ (?:FAILED|ERROR)|\d+ succ"
    )
    before: ClassVar[int] = 30

    def __init__(self) -> None:
        super().__init__()
        self._open: tuple[str, int, int] | None = None
        self._said: list[str] = []
        self._above: list[str] = []
        self._ended: list[Failure] = []
        self._listed: set[str] = set()
        self._totalled = False

    def look_back(self, lines: Sequence[Line]) -> None:
        """Keep what a test printed above its result, in the form of GoogleTest."""
        self._above = []
        for line in lines:
            self._above = [] if RUN.match(line.text) else [*self._above, line.text.rstrip()]

    def read(self, line: Line) -> bool:
        """Read a line of a block, its beginning, or a total."""
        text = line.text.rstrip()
        if self._totalled and (begun := BEGUN.match(text)):  # before a total a test printed it
            self._end()
            self._open = begun[1], int(begun[2]), line.number
        elif ended := ENDED.match(text):
            if len(self._ended) < MOST_FAILURES:
                self._ended.append(self._failure(ended[1], int(ended[2]), ended[3], self._above, line.number))
        elif listed := LISTED.match(text):
            if len(self._listed) < MOST_FAILURES:
                self._listed.add(f"{listed[1]} > {listed[3]}")
        elif total := TOTAL.match(text) or (COUNT.match(text) if self._ended else None):
            self._end()
            self._totalled = True
            if " / " in text:  # the other form has no such total: its results were output of tests
                self._ended.clear()
            self._counted = (self._counted or 0) + sum(map(int, total.groups()))
        elif PENDING.match(text) or text.startswith(RUNNER) or (not text and len(self._said) > 1):
            self._end()  # a stack may follow, and other output
        elif self._open and len(self._said) < MOST_LINES:
            self._said.append(text)
        self._above = []
        return self._open is not None

    def _end(self) -> None:
        """Record the open block, whose first line is the name."""
        if self._open and self._said:
            file, line, number = self._open
            self._failed.add(self._failure(file, line, self._said[0], self._said[1:], number))
        self._open, self._said = None, []

    def finish(self) -> Iterable[Failure]:
        """Return what failed; of the form of GoogleTest what the list at the end has, if there is one."""
        for one in self._ended:
            if not self._listed or one.name in self._listed:
                self._failed.add(one)
        return super().finish()

    def _failure(self, file: str, line: int, title: str, said: Sequence[str], number: int) -> Failure:
        """Create a failure; the line is that of its file that the error names, or else that of the test."""
        message = join_message(said).partition("\nstack traceback:")[0].rstrip()
        place = PLACE.match(message)
        at = int(place[2]) if place and place[1] == file else line
        return Failure(tool=self.tool, name=f"{file} > {title}", message=message, file=file, line=at, log_line=number)

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command for the files of these tests: a filter takes patterns of Lua."""
        return command("busted", *each_once(one.file for one in failures))
