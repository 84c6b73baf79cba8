"""Pester 4 and 5, for PowerShell.

    [-] Account.when nested.adds 12ms (10ms|2ms)
     Expected 3, but got 2.
     at Add 1 1 | Should -Be 3, /home/runner/work/app/app/tests/Account.Tests.ps1:10
    Tests Passed: 3, Failed: 1, Skipped: 0, Inconclusive: 0, NotRun: 0

With more detail it prints a tree: `Describing Account`, ` Context when nested`, `   [-] adds 12ms`. On GitHub and Azure
the line of a failure is an error of the runner, and its message is in a group. Only in a log with totals is any of this
a failure. This follows its sources and a job of a real project.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, evolve, field

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.text_helpers import command, each_once, join_message, relative, strip_mark

FAILED = re.compile(r"^( *)\[-\] (\S.{0,600}?) \d[\d.,]*m?s(?: \(\d[^()]{0,60}\))?$")
GROUP = re.compile(r"^( *)(?:Describing|Context) (\S.{0,300})$")
MESSAGE = "##[group]Message"
OUTSIDE = re.compile(r" *\[[+!?]\] |Tests Passed: |##\[")
"""A line behind the group with the message of a failure; the end of a group is not among the lines."""
PLACE = re.compile(r"(?:^|, |at )(\S[^,]{0,400}?\.ps1): ?(?:line )?(\d{1,7})$")
TOTALS = re.compile(r"^Tests Passed: \d+, Failed: (\d+), Skipped: \d+")
RESULT = re.compile(r"^ *\[[+!?]\] ")
MOST_LINES = 40


@define
class PesterBlock:
    """The message and the place of one failed test."""

    name: str
    number: int
    indent: int
    lines: list[str] = field(factory=list)
    place: tuple[str, int] | None = None
    framed: bool = False
    grouped: bool = False

    def take(self, text: str) -> None:
        """Read a line of the block."""
        if found := PLACE.search(text):
            self.framed = True
            file = relative(found[1])
            if not file.startswith("/"):
                self.place = self.place or (file, int(found[2]))
        elif not self.framed and len(self.lines) < MOST_LINES:
            self.lines.append(text)


class Pester(Parser):
    """Parser of failures, and of the totals."""

    tool: ClassVar[str] = "pester"
    wakes: ClassVar[tuple[str, ...]] = ("[-] ", "Describing ", "  Context ", " Context ", "Tests Passed: ")

    def __init__(self) -> None:
        self._groups: list[tuple[int, str]] = []
        self._blocks: list[PesterBlock] = []
        self._open: PesterBlock | None = None
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Read a line of a failure, of the tree, or the totals."""
        text = strip_mark(line.text).rstrip()
        if found := FAILED.match(text):
            name = ".".join([*(title for _, title in self._groups), found[2]])
            self._open = PesterBlock(name, line.number, len(found[1]))
            if len(self._blocks) < MOST_FAILURES:
                self._blocks.append(self._open)
        elif self._open and self._open.grouped and not OUTSIDE.match(text):
            self._open.take(text)
        elif found := GROUP.match(text):
            self._groups = [*(one for one in self._groups if one[0] < len(found[1])), (len(found[1]), found[2])]
            self._open = None
        elif found := TOTALS.match(text):
            self._counted = (self._counted or 0) + int(found[1])
            self._open, self._groups = None, []
        elif self._open and text.startswith(MESSAGE):
            self._open.grouped = True
        elif self._open and (not text.startswith(" ") or RESULT.match(text)):
            self._open = None
        elif self._open:
            self._open.take(text)
        return self._open is not None

    def finish(self) -> Iterable[Failure]:
        """Return what failed; nothing without totals."""
        found: dict[str, Failure] = {}
        for block in self._blocks if self._counted is not None else ():
            file, line = block.place or ("", None)
            one = Failure(
                tool=self.tool,
                name=block.name,
                message=join_message(block.lines),
                file=file,
                line=line,
                selector=block.name,
                log_line=block.number,
            )
            found.setdefault(one.name, one)
        sure = len(found) == self._counted
        return [one if sure else evolve(one, confidence="medium") for one in found.values()]

    def total(self) -> int | None:
        """Return how many failed according to the totals."""
        return self._counted

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that runs these by their full names."""
        names = each_once(one.selector for one in failures)
        said = ", ".join("'" + name.replace("'", "''") + "'" for name in names)
        script = f"$c = New-PesterConfiguration; $c.Filter.FullName = @({said}); Invoke-Pester -Configuration $c"
        return command("pwsh", "-Command", script) if names else ""
