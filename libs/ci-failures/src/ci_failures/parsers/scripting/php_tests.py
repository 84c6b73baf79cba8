r"""`run-tests.php`, the runner of PHP's own tests and those of its extensions.

TEST 5/7 [tests/sub.phpt]
========DIFF========
001+ 4
001- 3
========DONE========
FAIL subtracts [tests/sub.phpt]
Tests failed    :    2 ( 28.6%) ( 40.0%)
"""

import re
from collections.abc import Sequence
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Line
from ci_failures.parsers.javascript.failed import CountedParser
from ci_failures.parsers.text_helpers import MOST_LINES, command, each_once, join_message, parse_count, relative

RESULT = re.compile(
    r"(?:TEST .{0,300}?\]\s*)?((?:[A-Z]{4,7}&)*(?:FAIL|LEAK)(?:&[A-Z]{4,7})*)"
    r" (\S.{0,500}?) \[(\S{1,300}\.phpt)\](?: |$)"
)
LISTED = re.compile(r"(\S.{0,500}?) \[(\S{1,300}\.phpt)\](?: |$)")
LISTS = ("FAILED TEST SUMMARY", "LEAKED TEST SUMMARY")
TOTAL = re.compile(r"Tests (?:failed|leaked) +: +(\d{1,9}) ")
RULE = "====="
DIFF, DONE = "========DIFF========", "========DONE========"


class PhpTests(CountedParser):
    """Parser of the results, of the lists of what failed or leaked at the end, and of the totals above these."""

    tool: ClassVar[str] = "run-tests.php"
    wakes: ClassVar[tuple[str, ...]] = (
        *(".phpt]", "\nTests failed  ", "\nTests leaked  ", f"\n{DIFF}", *(f"\n{title}" for title in LISTS)),
    )
    first_line: ClassVar[str] = (
        rf".{{0,300}}(?:FAIL|LEAK)\b.{{1,600}} \[\S+\.phpt\]|Tests (?:failed|leaked) +: |{DIFF}|{'|'.join(LISTS)}"
    )

    def __init__(self) -> None:
        super().__init__()
        self._said: list[str] = []
        self._section = ""
        self._names: set[str] = set()

    def read(self, line: Line) -> bool:
        """Read a line of a difference or of a list, a result or a total."""
        text = line.text.rstrip()
        if text.startswith(DIFF):
            self._section, self._said = DIFF, []
        elif text.startswith(LISTS):
            self._section = "list"
        elif total := TOTAL.match(text):
            self._counted = (self._counted or 0) + parse_count(total[1])
        elif self._section == DIFF:
            self._read_difference(text)
        elif self._section and (listed := LISTED.match(text)):
            self._add(listed[1], listed[2], "", line.number)
        elif self._section and text.startswith(RULE):
            self._section = ""
        elif result := RESULT.match(text):
            self._add(result[2], result[3], join_message(self._said) or result[1], line.number)
            self._said = []
        return bool(self._section)

    def _read_difference(self, text: str) -> None:
        if text.startswith(DONE):
            self._section = ""
        elif len(self._said) < MOST_LINES:
            self._said.append(text)

    def _add(self, title: str, path: str, message: str, number: int) -> None:
        """Record a test, once: the list repeats the results, and is all that some options print."""
        file = relative(path)
        name = f"{title} [{file}]"
        if name not in self._names and len(self._names) < MOST_FAILURES:
            self._names.add(name)
            self._failed.add(Failure(tool=self.tool, name=name, message=message, file=file, log_line=number))

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return the command of the Makefile that PHP and its extensions have."""
        return command("make", "test", f"TESTS={' '.join(each_once(one.file for one in failures))}")
