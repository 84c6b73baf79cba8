"""Linters of Go, Lua, Ruby, Haskell and Protobuf: staticcheck, gosec, luacheck, Standard Ruby, HLint and Buf.

cart/cart.go:9:9: empty branch (SA9003)
[/app/cart/cart.go:37] - G104 (CWE-703): Errors unhandled. (Confidence: HIGH, Severity: LOW)
    lua/cart.lua:5:17: (W211) unused variable 'box'
  app/models/cart.rb:45:5: Style/StringLiterals: Prefer double-quoted strings.
src/Cart.hs:3:5-20: Warning: Use map
proto/cart.proto:3:9:Message name "cart" should be PascalCase, such as "Cart".
"""

import re
from collections.abc import Sequence
from typing import ClassVar

from ci_failures.model import Failure, Line
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


class Hlint(LineLinter):
    """Parser of HLint, any hint of which fails; GHC writes its levels in small letters."""

    tool: ClassVar[str] = "hlint"
    again: ClassVar[tuple[str, ...]] = ("hlint",)
    wakes: ClassVar[tuple[str, ...]] = (": Warning: ", ": Suggestion: ", ": Error: ")
    first_line: ClassVar[str] = r"[^\s:][^:]*\.l?hs:"
    form: ClassVar[re.Pattern[str]] = re.compile(
        r"(?P<file>[^\s:][^:]{0,400}\.l?hs):\(?(?P<line>\d{1,7})[:,](?P<column>\d{1,7})\)?"
        r"(?:-\(?[\d,]{1,15}\)?)?: (?:Error|Warning|Suggestion): (?P<text>\S.*)$"
    )


class BufLint(LineLinter):
    """Parser of the lines of Buf, which have no blank behind the place, other than those of protoc."""

    tool: ClassVar[str] = "buf"
    wakes: ClassVar[tuple[str, ...]] = (".proto:",)
    first_line: ClassVar[str] = r"[^\s:][^:]*\.proto:\d+:\d+:[^\s\d]"
    form: ClassVar[re.Pattern[str]] = re.compile(r"(?P<file>[^\s:][^:]{0,400}\.proto)" + AT + r":(?P<text>[^\s\d].*)$")

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:  # noqa: ARG003 -- the log does not tell the command
        """Return an empty text: `buf lint`, `buf build` and `buf breaking` print the same form."""
        return ""
