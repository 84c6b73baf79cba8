"""Deno's checks of code: errors of types, findings of its linter, and files that its formatter would change.

TS2322 [ERROR]: Type 'string' is not assignable to type 'number'.
const x: number = "a";
      ^
    at file:///home/runner/work/app/app/a.ts:1:7

Found 4 errors.

error[no-debugger]: `debugger` statement is not allowed
 --> /home/runner/work/app/app/a.ts:4:1

from /home/runner/work/app/app/b.ts:
2 | -debugger
2 | +debugger;
error: Found 1 not formatted file in 3 files
"""

import re
from collections.abc import Iterable
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Line
from ci_failures.parsers.linters.block_linters import PlacedBelow
from ci_failures.parsers.scripting.linting import Linter, RepeatingLinter
from ci_failures.parsers.text_helpers import MOST_LINES, join_message

ERROR = re.compile(r"(error: )?(TS\d{3,6}) \[ERROR\]: (.*)$")
"""Before version 2, the first error of a run follows the word `error`."""
PLACE = re.compile(r" {4}at (file://\S.{0,500}):(\d{1,7}):(\d{1,7})$")
MARKED = re.compile(r" {0,400}[~^]{1,400}$")
"""The mark below a line of source, which does not belong to the message."""
FOUND = re.compile(r"Found (\d+) errors\.$")
"""Deno's total, which other tools print, too; a single error is not counted."""
ENDED = "error: Type checking failed."
UNFORMATTED = re.compile(r"from (\S.{0,500}):$")
COUNTED = re.compile(r"(?:error: )?Found (\d+) not formatted files? in \d+ files?\.?$")


class DenoCheck(RepeatingLinter):
    """Parser of errors of types."""

    tool: ClassVar[str] = "deno"
    again: ClassVar[tuple[str, ...]] = ("deno", "check")
    wakes: ClassVar[tuple[str, ...]] = (" [ERROR]: ",)
    first_line: ClassVar[str] = r"(?:error: )?TS\d+ \[ERROR\]: "

    def __init__(self) -> None:
        super().__init__()
        self._open: re.Match[str] | None = None
        self._number = self._latest = 0
        self._since = 0
        """How many errors are printed since the last end of a run."""
        self._message: list[str] = []

    def read(self, line: Line) -> bool:
        """Read an error, the lines below it up to its place, or the total."""
        text = line.text.rstrip()
        if found := ERROR.match(text):
            if found[1]:
                self._end_run()
            self._open, self._number, self._message = found, line.number, [found[3]]
        elif self._open and (place := PLACE.match(text)):
            self._keep(self._open[2], place)
        elif self._open and MARKED.match(text):
            self._message[1:] = self._message[1:-1]
        elif self._open and len(self._message) < MOST_LINES:
            self._message.append(text)
        elif total := FOUND.match(text):
            self._end_run(int(total[1]))
        elif text == ENDED:
            self._end_run()
        self._latest = line.number if found else self._latest
        return (self._open is not None or self._since > 0) and line.number - self._latest < MOST_LINES

    def _keep(self, code: str, place: re.Match[str]) -> None:
        file, row, column = place[1], int(place[2]), int(place[3])
        said = join_message(self._message)
        self.find(code, file, row, said, self._number, column=column, kind="compile")
        self._open = None
        self.printed += 1
        self._since += 1

    def _end_run(self, total: int = 1) -> None:
        """Add the total of a run that ends here; one without a total has a single error."""
        if self._since:
            self.add_total(total)
        self._since = 0

    def finish(self) -> Iterable[Failure]:
        """Return the errors; with less confidence if Deno counts another number."""
        self._end_run(self._since)
        return super().finish()


class DenoLint(PlacedBelow):
    """Parser of the findings of `deno lint`."""

    tool: ClassVar[str] = "deno-lint"
    again: ClassVar[tuple[str, ...]] = ("deno", "lint")
    wakes: ClassVar[tuple[str, ...]] = ("\nerror[", "\nFound ")
    first_line: ClassVar[str] = r"error\[[a-z][\w/-]+\]: |Found \d+ problems?$"
    heading: ClassVar[re.Pattern[str]] = re.compile(r"error\[([a-z][\w/-]{1,80})\]: (\S.*)$")
    below: ClassVar[re.Pattern[str]] = re.compile(r" *--> (\S[^:]{0,400}\.[cm]?[jt]sx?):(\d{1,7}):(\d{1,7})$")
    count: ClassVar[re.Pattern[str]] = re.compile(r"Found (\d+) problems?$")
    counts_printed: ClassVar[bool] = True

    def add_total(self, count: int) -> None:
        """Add a total; without a finding before it, it is that of another tool."""
        if self.found:
            super().add_total(count)


class DenoFormat(Linter):
    """Parser of the files that `deno fmt --check` would change, which count only with the total at their end."""

    tool: ClassVar[str] = "deno-fmt"
    again: ClassVar[tuple[str, ...]] = ("deno", "fmt", "--check")
    wakes: ClassVar[tuple[str, ...]] = ("\nfrom ", " not formatted file")
    first_line: ClassVar[str] = r"from \S.*:$|(?:error: )?Found \d"
    counts_printed: ClassVar[bool] = True

    def __init__(self) -> None:
        super().__init__()
        self._listed: dict[str, int] = {}

    def read(self, line: Line) -> bool:
        """Read a line with a file, or the total."""
        text = line.text.rstrip()
        if found := UNFORMATTED.match(text):
            if len(self._listed) < MOST_FAILURES:
                self._listed.setdefault(found[1], line.number)
        elif total := COUNTED.match(text):
            self.add_total(int(total[1]))
            for file, number in self._listed.items():
                self.find("fmt", file, 0, "is not formatted", number)
            self._listed.clear()
        return False
