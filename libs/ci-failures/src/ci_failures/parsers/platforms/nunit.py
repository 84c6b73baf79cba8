"""NUnit's own runner, and NUnitLite: a numbered list below its heading, then the counts.

    Errors, Failures and Warnings

    1) Failed : Ns.Class.Method(1,2)
      Expected: 3
      But was:  2
    at Ns.Class.Method(Int32 a) in /home/runner/work/app/app/T.cs:line 9

    Test Run Summary
      Test Count: 3, Passed: 1, Failed: 2, Warnings: 0, Inconclusive: 0, Skipped: 0

Each failed assertion of a test has an entry: `1-1)`, `1-2)`. This follows the published source.
"""

import re
from collections.abc import Iterable
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Line
from ci_failures.parsers.platforms.dotnet import Dotnet
from ci_failures.parsers.platforms.dotnet_blocks import DotnetBlock

HEADINGS = ("Errors, Failures and Warnings", "Errors and Failures")
ENTRY = re.compile(
    r"^\d{1,6}(?:-\d{1,4})?\) (?:(?:SetUp |TearDown )?(?:Failed|Error|Invalid)|NotRunnable) : (\S.{0,1000})$"
)
OTHER = re.compile(r"^\d{1,6}(?:-\d{1,4})?\) \w[\w ]{0,20} : \S")
COUNTS = re.compile(r"^ *Test Count: \d+, Pass(?:ed)?: \d+, Fail(?:ed)?: (\d+), ")


class NUnitConsole(Dotnet):
    """Parser of the list and the totals."""

    wakes: ClassVar[tuple[str, ...]] = (*HEADINGS, " Test Count: ")
    first_line: ClassVar[str] = ""

    def __init__(self) -> None:
        super().__init__()
        self._listing = False

    def read(self, line: Line) -> bool:
        """Read a line of the list, or the totals."""
        text = line.text.rstrip()
        if found := COUNTS.match(text):
            self._end()
            self._counted = (self._counted or 0) + int(found[1])
        elif text in HEADINGS:
            self._listing = True
        elif text in {"Run Settings", "Test Run Summary"}:
            self._end()
        elif self._listing and (found := ENTRY.match(text)):
            self._record_block()
            self._block = DotnetBlock(found[1], line.number, "nunit")
        elif OTHER.match(text) or (self._block and not self._block.take(text)):
            self._record_block()
        return self._listing

    def _record_block(self) -> None:
        block, self._block = self._block, None
        if block and len(self._found) < MOST_FAILURES:
            self._found.setdefault(block.name, block.failure())

    def _end(self) -> None:
        self._record_block()
        self._listing = False

    def finish(self) -> Iterable[Failure]:
        """Return what failed; with less confidence if the totals differ."""
        self._end()
        sure = len(self._found) == self._counted
        return [one if sure else evolve(one, confidence="medium") for one in self._found.values()]
