"""`dotnet test`: VSTest, the terminal logger, MSBuild's, xUnit.net's runners, and Microsoft.Testing.Platform.

      Failed Ns.C.M(x: "y") [207 ms]                     failed Ns.C.M (207ms)
      Error Message:                                       from /a/bin/T.dll (net8.0|x64)
       Assert.True() Failure                               Assert.True() Failure
      Stack Trace:                                           at Ns.C.M() in /a/T.cs:10
         at Ns.C.M() in /a/T.cs:line 10
                                                         Test run summary: Failed!
    Failed!  - Failed:     1, Passed:    30, Skipped:       total: 31
        0, Total:    31, Duration: 1 s - T.dll (net8.0)     failed: 1

    /a/T.cs(10): error TESTERROR: Ns.C.M (5ms): Error Message: Assert.True() Failure [/a/T.csproj]

A test runs once for each target framework. No log of these tools was available: this follows their sources.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.platforms.dotnet_blocks import INDENTED, DotnetBlock
from ci_failures.parsers.text_helpers import command, each_once, relative, strip_mark

TIME = r"(?:< ?)?\d[\d.,]{0,15} ?(?:ms|s|m|h|d)(?: \d{1,5} ?(?:ms|s|m|h)){0,4}"
VSTEST = re.compile(rf"^ {{0,2}}(?:X|Failed) +(\S.{{0,1000}}?)(?: \[{TIME}\])?$")
XUNIT = re.compile(r"^(?:\[xUnit\.net [\d:.]+\] {4,5}(\S.{0,1000})| {4}(\S.{0,1000})) \[FAIL\]$")
DOTTED = re.compile(r"^\w+(?:\.[\w+`]+)+(?:\(.*\))?$")
PLATFORM = re.compile(rf"^failed (?:\([a-z ]{{1,20}}\d*\) ){{0,3}}(\S.{{0,1000}}?)(?: \({TIME}\))$")
BUILT = re.compile(
    r"^\s*(?P<origin>(?:(?P<file>\S.{0,400}?)\((?P<line>\d{1,7})(?:,\d+)*\)|\S.{0,400}?) ?"
    r": error (?:TESTERROR|test (?:failed|canceled))): ?(?P<text>.*?)(?: \[[^\[\]]{1,400}proj[^\[\]]{0,80}\])?$"
)
NAMED = re.compile(rf"^\s*(\S.{{0,1000}}?) \({TIME}\): (?:Error Message: ?)?(.*)$")
TOTALS = re.compile(r"^(?:(?:Failed|Passed)!  ?- Failed: +(\d+), Passed: |Test summary: total: \d+, failed: (\d+), )")
OLD_TOTALS = re.compile(r"^(?: +Failed: +(\d+)|Total tests: \d+\. Passed: \d+\. Failed: (\d+)\. .*)$")
PLATFORM_TOTALS = re.compile(r"^ {2}failed: (\d+)$")
RUNNER_TOTALS = re.compile(r"^ {3}\S.{0,300}(?<! ) +Total: \d+, Errors: \d+, Failed: (\d+), Skipped: \d+")
SUMMARIES = ("Total tests:", "Test run summary:", "=== TEST EXECUTION SUMMARY ===")
ABORTED = re.compile(r"^The active test run was aborted\. Reason: (?:Test host process crashed(?: : )?)?(.*)$")
RUNNING = re.compile(r"^The tests? running when the crash occurred: ?$")
ENDS = re.compile(
    r"^\s*(?:Standard (?:Output|Error|output|error)|Error output|Debug Traces Messages:"
    r"|Additional Information Messages:"
    r"|(?:Passed|passed|Skipped|skipped) \S|Output:|Total tests:|Test Run |Test run summary|Results File|Attachments:"
    r"|=== TEST EXECUTION|Build FAILED|Build failed)"
    r"|^(?:\[xUnit\.net [\d:.]+\] {3}|  )Finished:|^\[xUnit\.net [\d:.]+\] {4,5}\S.* \[SKIP\]$"
)
CLOSING = 40
"""Lines of a summary that are read at most: there may be one for each assembly."""


class Dotnet(Parser):
    """Parser of all these forms."""

    tool: ClassVar[str] = "dotnet"
    wakes: ClassVar[tuple[str, ...]] = (
        "  Failed ", "Failed   ", "  X ", " [FAIL]", "\nfailed ", "error TESTERROR", "error test failed", "Failed!  -",
        "Total tests:", "Test run summary:", "Test summary: total:", "=== TEST EXECUTION SUMMARY ===",
        "The active test run was aborted.", " running when the crash occurred:",
    )  # fmt: skip
    first_line: ClassVar[str] = (
        r"(?:##\[error\])?(?:  Failed |Failed   |  X |failed |Failed!)|.*\[FAIL\]\s*$|.*error TESTERROR|.*error test "
        r"|.*Total tests:|.*Test run summary:|.*Test summary: total:|.*=== TEST EXECUTION|.*active test run"
        r"|.* running when the crash"
    )

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._told: dict[str, int] = {}
        self._block: DotnetBlock | None = None
        self._unsure: list[DotnetBlock] = []
        self._summarised = False
        self._totals = 0
        self._crashed = False
        self._reason = ""
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Read a line of a block or of the totals, or the beginning of one."""
        text = strip_mark(line.text).rstrip()
        self._totals = max(0, self._totals - 1)
        if self._goes_on_built(text):
            pass
        elif begun := self._read_failed_test(text, line.number):
            self._end()
            self._block = begun
        elif self._total(text) or ENDS.match(text) or (self._block and not self._block.take(text)):
            self._end()
        elif self._crash(text, line.number):
            return True
        return bool(self._block or self._totals)

    def _goes_on_built(self, text: str) -> bool:
        """Read a line of MSBuild's form.

        Each line of a message has the place as a prefix, and the name of the test once.
        """
        block = self._block
        if block is None or block.form != "terminal":
            return False
        found = BUILT.match(text) if ": error " in text else None
        named = NAMED.match(found["text"] if found else text) if found or not block.name else None
        if not block.name and named and (found is None or found["origin"] == block.origin):
            block.name, block.lines = named[1], [named[2]]
            return True
        if found is None or found["origin"] != block.origin or named:
            return False
        return block.take(" " * INDENTED + found["text"])

    def _read_failed_test(self, text: str, number: int) -> DotnetBlock | None:
        """Read a failed test. One that looks like VSTest's needs its message or its stack, see `_end`."""
        if text.endswith(" [FAIL]") and (found := XUNIT.match(text)):
            sure = found[1] or DOTTED.match(found[2])
            return DotnetBlock(found[1] or found[2], number, "xunit", named=not sure, prefixed=bool(found[1]))
        if text.startswith("failed ") and (found := PLATFORM.match(text)):
            return DotnetBlock(found[1], number, "platform")
        if ": error " in text and (found := BUILT.match(text)):
            return _create_block(found, number)
        if text.startswith(("  Failed ", "Failed   ", "  X ")) and (found := VSTEST.match(text)):
            return DotnetBlock(found[1], number, "vstest")
        return None

    def _total(self, text: str) -> bool:
        if found := TOTALS.match(text):
            self._counted = (self._counted or 0) + int(found[1] or found[2])
            self._summarised |= text.startswith("Test summary")
        elif text.startswith(SUMMARIES):
            self._totals = CLOSING if text.startswith("=") else 8
            self._summarised |= not text.startswith("Total")
            if found := OLD_TOTALS.match(text):
                self._counted = (self._counted or 0) + int(found[2])
        elif self._totals and (found := PLATFORM_TOTALS.match(text) or OLD_TOTALS.match(text)):
            self._counted, self._totals = (self._counted or 0) + int(found[1]), 0
        elif self._totals and (found := RUNNER_TOTALS.match(text)):
            self._counted = (self._counted or 0) + int(found[1])
        else:
            return False
        return True

    def _crash(self, text: str, number: int) -> bool:
        """Read the tests that ran when their process ended: a blank line ends their names."""
        if found := ABORTED.match(text):
            self._reason = found[1]
        elif RUNNING.match(text):
            self._crashed = True
        elif self._crashed and DOTTED.match(text):
            self._keep(DotnetBlock(text, number, "crash", [self._reason or "the test host process crashed"]))
        else:
            self._crashed = False
        return self._crashed

    def _end(self) -> None:
        """Record the open block."""
        block, self._block = self._block, None
        if block is None or not block.name or (block.form == "vstest" and not block.told):
            return
        if block.form == "platform" or block.named:
            self._unsure.append(block)
        else:
            self._keep(block)

    def _keep(self, block: DotnetBlock) -> None:
        one = block.failure()
        self._told[block.form] = self._told.get(block.form, 0) + 1
        known = self._found.get(one.name)
        if known:
            place = (known.file, known.line) if known.file else (one.file, one.line)
            self._found[one.name] = evolve(
                known, message=max(known.message, one.message, key=len), file=place[0], line=place[1]
            )
        elif len(self._found) < MOST_FAILURES:
            self._found[one.name] = one

    def finish(self) -> Iterable[Failure]:
        """Return what failed; with less confidence if the tool counts another number."""
        self._end()
        unsure, self._unsure = self._unsure, []
        for block in unsure if self._summarised else ():
            self._keep(block)
        sure = self._counted is not None and self._counted in {len(self._found), *self._told.values()}
        kept = sorted(self._found.values(), key=lambda one: one.log_line)
        return [one if sure else evolve(one, confidence="medium") for one in kept]

    def total(self) -> int | None:
        """Return how many failed according to the totals; a failure under several target frameworks counts once."""
        if self._counted in self._told.values():
            return len(self._found)
        return self._counted

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that runs these; a test with parameters is run with all of them."""
        filters = each_once(_filter(one.selector) for one in failures)
        return command("dotnet", "test", "--filter", "|".join(filters)) if filters else ""


def _filter(name: str) -> str:
    """Return the filter of a test: by its method, or, if that is not known, by its display name."""
    method = name.partition("(")[0].rstrip()
    whole = bool(DOTTED.match(method))
    said = re.sub(r"([\\()&|=!~])", r"\\\1", method if whole else name).replace(",", "%2C")
    return f"{'FullyQualifiedName' if whole else 'DisplayName'}={said}"


def _create_block(found: re.Match[str], number: int) -> DotnetBlock:
    """Create a block of a line of MSBuild's form, or of the terminal logger's, whose name may be on the next one."""
    place = (relative(found["file"]), int(found["line"])) if found["file"] else None
    known = place if place and not place[0].startswith(("/", "..")) else None
    named = NAMED.match(found["text"])
    return DotnetBlock(
        named[1] if named else "", number, "terminal", [named[2]] if named else [], place=known, origin=found["origin"]
    )
