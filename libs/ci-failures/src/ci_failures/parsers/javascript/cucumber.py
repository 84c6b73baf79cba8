"""Cucumber for JavaScript, and the list of failed scenarios of Cucumber for Ruby.

Failures:                                          Failing Scenarios:
                                                   cucumber features/cart.feature:5 # Scenario: Adding
1) Scenario: Adding # features/cart.feature:5
   ✔ Given a cart # features/steps.js:3            3 scenarios (1 failed, 2 passed)
   ✖ Then there are 2 items # features/steps.js:5
       AssertionError [ERR_ASSERTION]: 1 == 2

3 scenarios (1 failed, 2 passed)
"""

import re
from collections.abc import Sequence
from typing import ClassVar

from ci_failures.model import Failure, Line
from ci_failures.parsers.javascript.failed import CountedParser
from ci_failures.parsers.text_helpers import MOST_LINES, command, each_once, join_message

ENTRY = re.compile(
    r"\d+\) (?:Scenario(?: Outline)?|Example): (.*?)(?: \(attempt \d+(?:, retried)?\))? # (\S+\.feature):(\d+)$"
)
OF_RUBY = re.compile(r"cucumber (?:-p \S+ )*(\S+\.feature):(\d+) # (?:(?:Scenario(?: Outline)?|Example): )?(.*)$")
FAILED_STEP = re.compile(r" {3}[✖✗?] ")
TOTAL = re.compile(r"\d+ scenarios? \((.*)\)$")
COUNT = re.compile(r"(\d{1,9}) (?:failed|undefined|ambiguous)")
ERROR = " " * 7
"""The indentation of the error of a step."""
WARNINGS = "Warnings:"


class Cucumber(CountedParser):
    """Parser of the list, and of the total."""

    tool: ClassVar[str] = "cucumber"
    wakes: ClassVar[tuple[str, ...]] = (".feature:", " scenarios (", " scenario (", "\nWarnings:\n")

    def __init__(self) -> None:
        super().__init__()
        self._warnings = False
        self._open: tuple[re.Match[str], int] | None = None
        self._message: list[str] | None = None

    def read(self, line: Line) -> bool:
        """Read a line of an entry, its beginning, or the total."""
        text = line.text.rstrip()
        if entry := ENTRY.match(text) if text[:1].isdigit() else None:
            self._end()
            self._open = None if self._warnings else (entry, line.number)
        elif total := TOTAL.match(text) if text[:1].isdigit() else None:
            self._end()
            self._warnings = False
            self._counted = (self._counted or 0) + sum(map(int, COUNT.findall(total[1])))
        elif text == WARNINGS:
            self._end()
            self._warnings = True
        elif ruby := OF_RUBY.match(text) if text.startswith("cucumber ") else None:
            self._add(ruby[1], ruby[2], ruby[3], "", line.number)
        elif self._open:
            self._read_entry(text)
        return self._open is not None

    def _read_entry(self, text: str) -> None:
        """Read a line of an entry: the first step that failed, and the error below it."""
        if FAILED_STEP.match(text):
            self._message = [] if self._message is None else self._message
        elif self._message is None or len(self._message) >= MOST_LINES:
            return
        elif text.startswith(ERROR) and not text.lstrip().startswith("at "):
            self._message.append(text)

    def _end(self) -> None:
        """Record the entry that was read; one without a step that failed is output of a program."""
        if self._open and self._message is not None:
            entry, number = self._open
            self._add(entry[2], entry[3], entry[1], join_message(self._message), number)
        self._open = self._message = None

    def _add(self, file: str, row: str, title: str, message: str, number: int) -> None:
        place = f"{file}:{row}"
        self._failed.add(
            Failure(
                tool=self.tool,
                name=f"{place} {title}",
                message=message,
                file=file,
                line=int(row),
                selector=place,
                title=title,
                log_line=number,
            )
        )

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command with the places of the scenarios, for Cucumber of JavaScript."""
        return command("npx", "cucumber-js", *each_once(one.selector for one in failures))
