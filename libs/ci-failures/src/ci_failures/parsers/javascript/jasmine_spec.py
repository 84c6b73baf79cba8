"""jasmine-spec-reporter: a tree of specs, and lists of failures and of errors of suites behind headings.

**************************************************
*                    Failures                    *
**************************************************

1) Cart adds
  - Expected 2 to be 3.

Executed 6 of 8 specs (1 ERROR) (4 FAILED) (2 PENDING) in 0.04 sec.
"""

import re
from collections.abc import Sequence
from typing import ClassVar

from ci_failures.model import Failure, Line
from ci_failures.parsers.javascript.failed import CountedParser
from ci_failures.parsers.javascript.jasmine import Jasmine
from ci_failures.parsers.javascript.patterns import escape_pattern
from ci_failures.parsers.javascript.stacks import frame
from ci_failures.parsers.text_helpers import MOST_LINES, join_message

HEADING = re.compile(r"\* {10,}(\w+) {10,}\*$")
LISTS = frozenset({"Failures", "Errors"})
ENTRY = re.compile(r"\d{1,6}\) (\S.*)$")
TOTAL = re.compile(r"Executed \d+ of \d+ specs?(?: SUCCESS|((?: \(\d+ [A-Z]+\))+)) in ")
COUNT = re.compile(r"\((\d+) (?:ERROR|FAILED)\)")
STARS = "*" * 50


class JasmineSpec(CountedParser):
    """Parser of the lists, and of the total."""

    tool: ClassVar[str] = "jasmine"
    wakes: ClassVar[tuple[str, ...]] = ("       Failures        ", "       Errors        ", "\nExecuted ")
    first_line: ClassVar[str] = r"\* +(?:Failures|Errors) +\*$|Executed \d+ of \d+ specs?[ (]"

    def __init__(self) -> None:
        super().__init__()
        self._listing = False
        self._title, self._begun = "", 0
        self._message: list[str] = []
        self._place: tuple[str, int] | None = None

    def read(self, line: Line) -> bool:
        """Read a heading, a line of a list, or the total."""
        text = line.text.rstrip()
        if heading := HEADING.match(text):
            self._end()
            self._listing = heading[1] in LISTS
        elif total := TOTAL.match(text):
            self._end()
            self._listing = False
            self._counted = (self._counted or 0) + sum(map(int, COUNT.findall(total[1] or "")))
        elif self._listing and (entry := ENTRY.match(text)):
            self._end()
            self._title, self._begun = entry[1], line.number
        elif self._title and text != STARS:
            self._place = self._place or frame(text)
            if not self._place and len(self._message) < MOST_LINES:
                self._message.append(text.replace("  - ", "  ", 1))
        return self._listing

    def _end(self) -> None:
        """Record the entry that was read."""
        title, self._title = self._title, ""
        message, self._message = join_message(self._message), []
        (file, number), self._place = self._place or ("", None), None
        if title:
            self._failed.add(Failure(
                tool=self.tool, name=title, message=message, file=file, line=number,
                selector=f"{escape_pattern(title)}$", log_line=self._begun,
            ))  # fmt: skip

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return Jasmine's command."""
        return Jasmine.rerun(failures)
