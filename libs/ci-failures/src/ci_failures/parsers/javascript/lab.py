"""lab: a numbered list of failed tests, and the total below it.

Failed tests:

  2) Cart adds:

      Expected 1 to equal 2

      at /home/runner/work/app/app/test/cart.js:12:27

1 of 3 tests failed
Test duration: 8 ms
"""

import re
from collections.abc import Sequence
from typing import ClassVar

from ci_failures.model import Failure, Line
from ci_failures.parsers.javascript.failed import CountedParser
from ci_failures.parsers.javascript.stacks import frame
from ci_failures.parsers.text_helpers import MOST_LINES, command, join_message

ENTRY = re.compile(r"  (\d+)\) (\S.*):$")
TOTAL = re.compile(r"(?:(\d+) of )?\d+ tests (?:failed|complete|passed)(?: \(.*\))?$")
LIST, ENDS = "Failed tests:", "Test duration: "
"""The line above the list, and the beginning of the one behind the total: tests may print other totals."""


class Lab(CountedParser):
    """Parser of the list, of which the last entries count, as many as the total says."""

    tool: ClassVar[str] = "lab"
    wakes: ClassVar[tuple[str, ...]] = (f"\n{LIST}\n", " tests failed\n", " tests complete", f"\n{ENDS}")
    before: ClassVar[int] = 1

    def __init__(self) -> None:
        super().__init__()
        self._listed: list[Failure] = []
        self._open: tuple[str, int] | None = None
        self._message: list[str] = []
        self._place: tuple[str, int] | None = None
        self._total: int | None = None
        self._listing = False

    def read(self, line: Line) -> bool:
        """Read a line of the list, or of the totals."""
        text = line.text.rstrip()
        total, self._total = self._total, None
        if total is not None and text.startswith(ENDS):
            self._close(total)
        elif found := TOTAL.match(text):
            self._end()
            self._total = int(found[1] or 0)
        elif text == LIST:
            self._end()
            self._listing = True
        elif self._listing and (entry := ENTRY.match(text)):
            self._end()
            self._open = entry[2], line.number
        elif self._open:
            self._read_entry(text)
        return self._listing or self._total is not None

    def _read_entry(self, text: str) -> None:
        if text.lstrip().startswith("at "):
            self._place = self._place or frame(text)
        elif not self._place and len(self._message) < MOST_LINES:
            self._message.append(text)

    def _close(self, total: int) -> None:
        """Record the entries of a run."""
        for one in self._listed[max(0, len(self._listed) - total) :] if total else ():
            self._failed.add(one)
        self._listed, self._listing = [], False
        self._counted = (self._counted or 0) + total

    def _end(self) -> None:
        """Keep the open entry."""
        if self._open:
            name, number = self._open
            file, line = self._place or ("", None)
            message = join_message(self._message)
            self._listed.append(
                Failure(tool=self.tool, name=name, message=message, file=file, line=line, log_line=number)
            )
        self._open, self._message, self._place = None, [], None

    def finish(self) -> Sequence[Failure]:
        """Return what failed, also where the total is cut off."""
        self._end()
        for one in self._listed:
            self._failed.add(one)
        return self._failed.with_confidence(self._counted)

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command with a pattern of the titles, which lab matches with the names of suites before them."""
        return command("npx", "lab", "-g", "|".join(re.escape(one.name) for one in failures))
