"""Jasmine 3 to 5: a numbered list of failures, and errors of suites.

Failures:
1) Cart when empty throws
  Message:
    TypeError: no items
  Stack:
        at total (/home/runner/work/app/app/lib/cart.js:2:21)
Suite error: Cart
  Message:
…
9 specs, 2 failures, 1 pending spec
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from ci_failures.model import Failure, Line
from ci_failures.parsers.javascript.failed import CountedParser
from ci_failures.parsers.javascript.patterns import any_of, escape_pattern
from ci_failures.parsers.javascript.stacks import frame
from ci_failures.parsers.text_helpers import MOST_LINES, command, join_message

ENTRY = re.compile(r"(?:(\d+)\) |Suite error: )(.*)$")
TOTAL = re.compile(r"\d+ specs?, (\d+) failures?(?:, \d+ pending specs?)?$")
MESSAGE, STACK = "  Message:", "  Stack:"
FINISHED = "Finished in "
"""The beginning of the line behind the total: tests may print other totals."""
STARTED = "Started"
"""The first line of a run, between whose lists and whose total a spec may print those of another run."""
MOST_TITLES = 20
"""Lines of a title at most: what has more has another source."""


class Jasmine(CountedParser):
    """Parser of the list; an entry counts once its message follows."""

    tool: ClassVar[str] = "jasmine"
    wakes: ClassVar[tuple[str, ...]] = (f"\n{STARTED}\n", "\nFailures:\n", "\nSuite error: ", " specs, ", " spec, ")

    def __init__(self) -> None:
        super().__init__()
        self._listing = False
        self._total: int | None = None
        self._started = False
        self._listed: list[Failure] = []
        """What is listed since the last total."""
        self._run: tuple[list[Failure], int] = [], 0
        """What is listed above the last total, and that total."""
        self._clear()

    def _clear(self) -> None:
        self._titles: list[str] = []
        self._begun = 0
        self._suite = False
        self._part = ""
        self._message: list[str] = []
        self._place: tuple[str, int] | None = None

    def read(self, line: Line) -> bool:
        """Read a line of the list."""
        text = line.text.rstrip()
        total, self._total = self._total, None
        if total is not None and text.startswith(FINISHED):
            self._close(total)
        elif text == STARTED:
            self._end_run()
            self._started = True
        elif found := TOTAL.match(text):
            self._total = int(found[1])
            return True
        elif text == "Failures:":
            self._listing = True
        elif text in {MESSAGE, STACK}:
            self._part = text if self._titles and not (self._message and text == MESSAGE) else STACK
        elif found := ENTRY.match(text) if not self._part or self._part == STACK else None:
            self._end()
            self._titles, self._begun, self._suite = [found[2]], line.number, not found[1]
            self._listing = True
        elif self._titles:
            self._read_entry(text)
        return self._listing

    def _read_entry(self, text: str) -> None:
        """Read a line of a title, a message or a stack."""
        if not self._part:
            self._titles.append(text)
            if len(self._titles) > MOST_TITLES:
                self._clear()
                self._listing = False
        elif self._part == MESSAGE and len(self._message) < MOST_LINES:
            self._message.append(text)
        elif self._part == STACK and not self._place:
            self._place = frame(text)

    def _end(self) -> None:
        """Record the entry that was read."""
        if self._titles and self._part:
            name = "\n".join(self._titles)
            file, number = self._place or ("", None)
            self._listed.append(
                Failure(
                    tool=self.tool,
                    name=name,
                    message=join_message(self._message),
                    file=file,
                    line=number,
                    selector=escape_pattern(self._titles[0]) + ("" if self._suite or self._titles[1:] else "$"),
                    log_line=self._begun,
                )
            )
        self._clear()

    def _close(self, total: int) -> None:
        """Record a total: in a run whose beginning was read, the last one is its own."""
        self._end()
        if not self._started:
            self._end_run()
        self._counted = self._counted or 0
        self._run, self._listed = (self._listed, total), []
        self._listing = False

    def _end_run(self) -> None:
        """Record what failed in the run before."""
        listed, total = self._run
        for one in listed:
            self._failed.add(one)
        if self._counted is not None:
            self._counted += total
        self._run = [], 0

    def finish(self) -> Iterable[Failure]:
        """Return what failed; the log may end with the total."""
        if self._total is not None:
            self._close(self._total)
            self._total = None
        self._end()
        self._end_run()
        for one in self._listed:
            self._failed.add(one)
        self._listed = []
        return super().finish()

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command with one pattern for the full names of these, which must not have line breaks."""
        return command("npx", "jasmine", f"--filter={any_of(one.selector for one in failures)}")
