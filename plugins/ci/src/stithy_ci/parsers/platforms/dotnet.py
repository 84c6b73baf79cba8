"""`dotnet test`: VSTest, the terminal logger, xUnit.net's runners, and Microsoft.Testing.Platform.

      Failed Ns.C.M(x: "y") [207 ms]                     failed Ns.C.M (207ms)
      Error Message:                                       from /a/bin/T.dll (net8.0|x64)
       Assert.True() Failure                               Assert.True() Failure
      Stack Trace:                                           at Ns.C.M() in /a/T.cs:10
         at Ns.C.M() in /a/T.cs:line 10
                                                         Test run summary: Failed!
    Failed!  - Failed:     1, Passed:    30, Skipped:       total: 31
        0, Total:    31, Duration: 1 s - T.dll (net8.0)     failed: 1

A test runs once for each target framework. No log of these tools was to be had: this follows their sources.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, evolve, field

from stithy_ci.parsers.common import command, cut, each_once, unmarked
from stithy_ci.parsers.platforms.frames import frame, full_name
from stithy_ci.spi import MOST_FAILURES, Failure, Line, LogParser

TIME = r"(?:< ?)?\d[\d.,]* ?(?:ms|s|m|h)(?: \d+ ?(?:ms|s|m))*"
VSTEST = re.compile(rf"^ {{0,2}}(?:X|Failed) +(\S.{{0,1000}}?)(?: \[{TIME}\])?$")
XUNIT = re.compile(r"^(?:\[xUnit\.net [\d:.]+\] {4}(\S.{0,1000})| {4}(\w+(?:\.[\w+`]+)+(?:\(.{0,1000}\))?)) \[FAIL\]$")
PLATFORM = re.compile(rf"^failed (?:\([a-z ]{{1,20}}\) )?(\S.{{0,1000}}?) \({TIME}\)$")
TERMINAL = re.compile(rf"error TESTERROR: ?(?:(\S.{{0,1000}}?) \({TIME}\): )?(?:Error Message: )?(.*)$")
TERMINAL_NAME = re.compile(rf"^\s+(\S.{{0,1000}}?) \({TIME}\): Error Message: ?(.*)$")
TOTALS = re.compile(r"^(?:(?:Failed|Passed)!  ?- Failed: +(\d+), Passed: |Test summary: total: \d+, failed: (\d+), )")
OLD_TOTALS = re.compile(r"^(?: +Failed: +(\d+)|Total tests: \d+\. Passed: \d+\. Failed: (\d+)\. .*)$")
PLATFORM_TOTALS = re.compile(r"^ {2}failed: (\d+)$")
PREFIX = re.compile(r"^\[xUnit\.net [\d:.]+\] ?")
STACK = re.compile(r"^\s*Stack Trace:\s*(.*)$")
ENDS = re.compile(
    r"^\s*(?:Standard (?:Output|Error|output|error)|Error output|Passed |passed |Skipped |skipped |Output:|Total tests:"
    r"|Test Run |Test run summary|Results File|Attachments:)|^\[xUnit\.net [\d:.]+\] {3}Finished"
)
MOST_LINES = 60
LONGEST_BLOCK = 300


@define
class Block:
    """What went wrong in one test.

    Args:
        form: How it is told: one test is told in several forms by one run.
    """

    name: str
    number: int
    form: str
    lines: list[str] = field(factory=list)
    place: tuple[str, str, int] | None = None
    told: bool = False
    stacked: bool = False
    read: int = 0

    def take(self, text: str) -> bool:
        """Take a line of it, and say whether there may be more."""
        self.read += 1
        bare = PREFIX.sub("", text)
        found = frame(bare)
        self.told = self.told or bare.strip() == "Error Message:" or bool(STACK.match(bare))
        if found or STACK.match(bare):
            self.stacked = True
            self.place = self.place or found or frame(STACK.sub(r"\1", bare))
        elif not self.stacked and bare.strip() != "Error Message:" and len(self.lines) < MOST_LINES:
            self.lines.append(bare)
        return self.read < LONGEST_BLOCK

    def failure(self) -> Failure:
        """Make a failure of it."""
        method, file, line = self.place or ("", "", None)
        name = full_name(self.name, method)
        lines = [line for line in self.lines if not line.strip().startswith("from ") or ".dll" not in line]
        return Failure(
            tool="dotnet", name=name, message=cut(lines).strip(), file=file, line=line, log_line=self.number,
            selector=name.partition("(")[0],
        )  # fmt: skip


class Dotnet(LogParser):
    """Reads all these forms."""

    tool: ClassVar[str] = "dotnet"
    wakes: ClassVar[tuple[str, ...]] = (
        "  Failed ", "Failed   ", "  X ", " [FAIL]", "failed ", "error TESTERROR", "Failed!  -", "Total tests:",
        "Test run summary:", "Test summary: total:",
    )  # fmt: skip

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._told: dict[str, int] = {}
        self._block: Block | None = None
        self._unsure: list[Block] = []
        self._summarised = False
        self._totals = 0
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Take a line of a block, of the totals, or see what begins."""
        text = unmarked(line.text).rstrip()
        self._totals = max(0, self._totals - 1)
        if begun := self._begun(text, line.number):
            self._end()
            self._block = begun
        elif self._total(text) or ENDS.match(text) or not self._goes_on(text):
            self._end()
        return bool(self._block or self._totals)

    def _goes_on(self, text: str) -> bool:
        """Take a line of the block, and say whether there may be more."""
        return self._block is None or self._named(text) or self._block.take(text)

    def _begun(self, text: str, number: int) -> Block | None:
        """See a test that failed. What looks like one of VSTest's needs its message or its stack, see `_end`."""
        if text.endswith(" [FAIL]") and (found := XUNIT.match(text)):
            return Block(found[1] or found[2], number, "xunit")
        if text.startswith("failed ") and (found := PLATFORM.match(text)):
            return Block(found[1], number, "platform")
        if "error TESTERROR:" in text and (found := TERMINAL.search(text)):
            return Block(found[1] or "", number, "terminal", [found[2]] if found[2] else [])
        if text.startswith(("  Failed ", "Failed   ", "  X ")) and (found := VSTEST.match(text)):
            return Block(found[1], number, "vstest")
        return None

    def _named(self, text: str) -> bool:
        """Take the name that the terminal logger prints on a line of its own."""
        block = self._block
        if block is None or block.name or not (found := TERMINAL_NAME.match(text)):
            return False
        block.name, block.lines = found[1], [found[2]]
        return True

    def _total(self, text: str) -> bool:
        if found := TOTALS.match(text):
            self._counted = (self._counted or 0) + int(found[1] or found[2])
            self._summarised |= text.startswith("Test summary")
        elif text.startswith(("Total tests:", "Test run summary:")):
            self._totals = 8
            self._summarised |= text.startswith("Test run")
            if found := OLD_TOTALS.match(text):
                self._counted = (self._counted or 0) + int(found[2])
        elif self._totals and (found := PLATFORM_TOTALS.match(text) or OLD_TOTALS.match(text)):
            self._counted, self._totals = (self._counted or 0) + int(found[1]), 0
        else:
            return False
        return True

    def _end(self) -> None:
        """Keep the block that was read."""
        block, self._block = self._block, None
        if block is None or not block.name or (block.form == "vstest" and not block.told):
            return
        if block.form == "platform":  # a line that begins so may be anybody's, until the summary is told
            self._unsure.append(block)
        else:
            self._keep(block)

    def _keep(self, block: Block) -> None:
        one = block.failure()
        self._told[block.form] = self._told.get(block.form, 0) + 1
        known = self._found.get(one.name)
        if known:
            place = (known.file, known.line) if known.file else (one.file, one.line)
            self._found[one.name] = evolve(known, message=known.message or one.message, file=place[0], line=place[1])
        elif len(self._found) < MOST_FAILURES:
            self._found[one.name] = one

    def finish(self) -> Iterable[Failure]:
        """Give what failed; with less confidence where the tool counts another number."""
        self._end()
        for block in self._unsure if self._summarised else ():
            self._keep(block)
        sure = self._counted is not None and self._counted in {len(self._found), *self._told.values()}
        return [one if sure else evolve(one, confidence="medium") for one in self._found.values()]

    def counted(self) -> int | None:
        """Give how many failed, by the totals; what failed for several target frameworks is counted once."""
        if self._counted in self._told.values():
            return len(self._found)
        return self._counted

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Give a command that runs these; a test with parameters is run with all of them."""
        names = each_once(one.selector for one in failures)
        said = [re.sub(r"([\\()&|=!~])", r"\\\1", name).replace(",", "%2C") for name in names]
        return (
            command("dotnet", "test", "--filter", "|".join(f"FullyQualifiedName={name}" for name in said))
            if said
            else ""
        )
