"""Linters of Go, Lua and Ruby each of whose findings is a line: staticcheck, gosec, luacheck and Standard Ruby.

cart/cart.go:9:9: empty branch (SA9003)
[/app/cart/cart.go:37] - G104 (CWE-703): Errors unhandled. (Confidence: HIGH, Severity: LOW)
    lua/cart.lua:5:17: (W211) unused variable 'box'
  app/models/cart.rb:45:5: Style/StringLiterals: Prefer double-quoted strings.
"""

import re
from typing import ClassVar

from ci_failures.model import Line
from ci_failures.parsers.linters.line_linters import AT, PATH, LineLinter


class Staticcheck(LineLinter):
    """Parser of staticcheck's own output; that of golangci-lint ends with the name of the linter."""

    tool: ClassVar[str] = "staticcheck"
    again: ClassVar[tuple[str, ...]] = ("staticcheck",)
    wakes: ClassVar[tuple[str, ...]] = (" (SA", " (S1", " (ST1", " (QF1", " (U1000)")
    first_line: ClassVar[str] = r"[^\s:][^:]*\.go:\d+:\d+: "
    form: ClassVar[re.Pattern[str]] = re.compile(
        r"(?P<file>[^\s:][^:]{0,400}\.go)" + AT + r": (?P<text>\S.*) \((?P<rule>(?:SA|S|ST|QF|U)\d{4})\)$"
    )


class Gosec(LineLinter):
    """Parser of gosec."""

    tool: ClassVar[str] = "gosec"
    again: ClassVar[tuple[str, ...]] = ("gosec",)
    wakes: ClassVar[tuple[str, ...]] = ("] - G", "  Issues : ")
    first_line: ClassVar[str] = r"\[[^:]+:\d+(?:-\d+)?\] - G\d| +Issues : "
    form: ClassVar[re.Pattern[str]] = re.compile(
        r"\[(?P<file>[^\s:][^:]{0,400}):(?P<line>\d{1,7})(?:-\d{1,7})?\] - (?P<rule>G\d{3})"
        r" \(CWE-\d+\): (?P<text>\S.*)$"
    )
    count: ClassVar[re.Pattern[str] | None] = re.compile(r" +Issues : (\d+)$")


class Luacheck(LineLinter):
    """Parser of luacheck, whose total is of two numbers; it names rules only if it is asked to."""

    tool: ClassVar[str] = "luacheck"
    again: ClassVar[tuple[str, ...]] = ("luacheck",)
    wakes: ClassVar[tuple[str, ...]] = (".lua:", "\nTotal: ")
    first_line: ClassVar[str] = r" {4}\S[^:]*\.lua:\d+:\d|Total: \d"
    form: ClassVar[re.Pattern[str]] = re.compile(
        r" {4}(?P<file>\S[^:]{0,400}\.lua)" + AT + r"(?:-\d{1,7})?: (?:\((?P<rule>[WE]\d{3})\) )?(?P<text>\S.*)$"
    )
    total_of_both: ClassVar[re.Pattern[str]] = re.compile(r"Total: (\d+) warnings? / (\d+) errors? in \d+ files?$")

    def read(self, line: Line) -> bool:
        """Read a line with a finding, or the total."""
        if total := self.total_of_both.match(line.text.rstrip()):
            self.add_total(int(total[1]) + int(total[2]))
            return False
        return super().read(line)


class StandardRuby(LineLinter):
    """Parser of Standard Ruby, which prints the cops of RuboCop in a form of its own and no total."""

    tool: ClassVar[str] = "standardrb"
    again: ClassVar[tuple[str, ...]] = ("standardrb",)
    wakes: ClassVar[tuple[str, ...]] = (
        ": Style/",
        ": Layout/",
        ": Lint/",
        ": Naming/",
        ": Performance/",
        ": Security/",
    )
    first_line: ClassVar[str] = r" {2}\S[^:]*:\d+:\d+: [A-Z]\w+/"
    form: ClassVar[re.Pattern[str]] = re.compile(
        " {2}" + PATH + AT + r": (?P<rule>[A-Z]\w{1,40}/[A-Z]\w{1,80}): (?P<text>\S.*)$"
    )
