"""ESLint 5 to 10: stylish (and Next.js, which prints nearly so), compact and unix.

    /home/runner/work/app/app/src/store.js
      2:9   error    'unused' is assigned a value but never used  no-unused-vars

    ✖ 11 problems (9 errors, 2 warnings)

Other tools print such tables as well: ESLint's total below one shows that it is ESLint's. Warnings count if they
exceed the limit. A problem matcher of GitHub's adds a mark before the lines.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, MOST_TEXT, Failure, Line, Parser
from ci_failures.parsers.javascript.failed import Failed
from ci_failures.parsers.javascript.packages import packages
from ci_failures.parsers.text_helpers import OF_OXLINT, command, each_once, relative

MARK = re.compile(r"^(?:##\[(?:error|warning)\]|Error: |Warning: (?= ))")
FILE = re.compile(r"^(?:/|\./|[A-Za-z]:\\|[\w@.])[^:*?\"<>|]{0,500}\.\w{1,10}$|^[A-Za-z]:\\[^:]{1,500}\.\w{1,10}$")
ENDING = slice(-11, None)
"""Where a path has the dot before its ending; `FILE` tries all dots of a line."""
ROW = re.compile(r"^ *(\d{1,7}):(\d{1,5}) +(error|warning|Error:|Warning:) +(\S.*)$")
RULE = re.compile(r"^@?[a-z][\w@/.-]*(?:\([\w@/.-]+\))?$")
PLUGIN = re.compile(r"^@?[a-z][\w@.-]*/[\w@/.-]+$")
"""A rule of a plugin: only these have messages of several lines, and it stands behind the last one."""
COMPACT = re.compile(r"^(\S[^:]{0,500}): line (\d+), col (\d+), Error - (.*)$")
UNIX = re.compile(r"^(\S[^:]{0,500}):(\d+):(\d+): (.*) \[Error(?:/([^\]\s]+))?\]$")
TAIL = re.compile(r"^✖ \d+ problems? \((\d+) errors?, \d+ warnings?\)$")
OF_STYLELINT = re.compile(r"^ +\d{1,7}:\d{1,5} +[✖⚠] ")
"""A row of Stylelint, which prints the same total."""
NEXT = "Need to disable some ESLint rules?"
CRASH = "Oops! Something went wrong! :("
BANNER = "ESLint: "
TOO_MANY = "ESLint found too many warnings"
IDLE = 40
"""Lines without a row after which a table is given up."""


class Eslint(Parser):
    """Parser of ESLint's output."""

    tool: ClassVar[str] = "eslint"
    before: ClassVar[int] = 1
    wakes: ClassVar[tuple[str, ...]] = (
        *("  error  ", "  warning  ", "  Error: ", "  Warning: "),
        *(", Error - ", " [Error", "✖ ", NEXT, TOO_MANY, CRASH),
    )
    first_line: ClassVar[str] = (
        r".*:\d+ +(?:error|warning|Error:|Warning:|✖) |.*, Error - |.*\[Error|.*✖ \d|.*ESLint|.*Oops!"
    )

    def __init__(self) -> None:
        self._failed = Failed()
        self._file = ""
        self._rows: list[Failure] = []
        self._warned: list[Failure] = []
        self._counted: int | None = None
        self._idle = IDLE
        self._crashed = 0
        self._is_foreign = False
        self._unruled: list[Failure] = []

    def read(self, line: Line) -> bool:
        """Read a line; those of a table are wanted up to the total below it."""
        mark = MARK.match(line.text)
        text = line.text[mark.end() :].rstrip() if mark else line.text.rstrip()
        self._idle += 1
        if self._crashed:
            return self._crash(text)
        if row := ROW.match(text):
            self._row(row, line.number)
        elif self._unruled and "/" in text and PLUGIN.match(rule := text.rpartition("  ")[2]):
            self._name_rule(rule)
        elif "." in text[ENDING] and FILE.match(text):
            self._file = relative(text)
        elif "rror" in text and (found := COMPACT.match(text) or UNIX.match(text)):
            self._loose(found, line.number)
        else:
            self._tail(text, line.number)
        return self._idle < IDLE

    def _row(self, row: re.Match[str], number: int) -> None:
        message, gap, rule = row[4].rpartition("  ")
        if not gap or not RULE.match(rule):
            message, rule = row[4], ""
        if not self._file or (row[4].endswith(")") and "  (" in row[4]):  # yamllint prints a table as well
            return
        self._idle = 0
        kept = self._rows if row[3][0] in "eE" else self._warned
        if len(kept) < MOST_FAILURES:
            kept.append(_failure((self._file, int(row[1]), row[2]), rule, message.rstrip(), number))
        self._unruled = [] if rule else kept

    def _name_rule(self, rule: str) -> None:
        """Name the rule of the last row, whose message had several lines."""
        last = self._unruled[-1]
        self._unruled[-1] = evolve(last, name=f"{rule} {last.name.partition(' ')[2]}")
        self._unruled, self._idle = [], 0

    def _loose(self, found: re.Match[str], number: int) -> None:
        """Record a line that is complete by itself."""
        message, rule = found[4], found[5] if found.re is UNIX else ""
        if found.re is COMPACT and message.endswith(")"):
            message, _, rule = message[:-1].rpartition(" (")
        self._failed.add(_failure((relative(found[1]), int(found[2]), found[3]), rule, message, number))

    def _tail(self, text: str, number: int) -> None:
        """Read the total below a table, which shows that its rows are ESLint's."""
        if text.startswith(CRASH):
            self._crashed, self._idle = number, 0
        self._is_foreign = self._is_foreign or OF_STYLELINT.match(text) is not None
        tail = TAIL.match(text) if text.startswith("✖ ") else None
        if tail and self._is_foreign:
            self._is_foreign = False
        elif tail:
            self._counted = (self._counted or 0) + int(tail[1])
        if tail or NEXT in text:
            self._commit(self._rows)
            self._idle = IDLE
        elif text.startswith(TOO_MANY):
            self._counted = (self._counted or 0) + len(self._warned)
            self._commit(self._warned)
        elif text.startswith("✖ "):
            self._rows, self._warned = [], []

    def _crash(self, text: str) -> bool:
        """Read the lines below a crash: a version, and then the error."""
        if text and not text.startswith(BANNER):
            said, at = text[:MOST_TEXT], self._crashed
            self._failed.add(Failure(tool="eslint", kind="compile", name="eslint crash", message=said, log_line=at))
            self._crashed = 0
        return self._crashed > 0

    def _commit(self, rows: list[Failure]) -> None:
        for row in rows:
            self._failed.add(row)
        rows.clear()
        if rows is self._rows:
            self._file = ""

    def finish(self) -> Iterable[Failure]:
        """Return the problems; those of a table without its end only if they name rules."""
        for row in self._rows:
            if not row.name.startswith("eslint "):
                self._failed.add(evolve(row, confidence="medium"))
        self._rows = []
        return self._failed.with_confidence(len(self._failed) if self._counted is None else self._counted)

    def total(self) -> int | None:
        """Return the number of errors below the tables."""
        return self._failed.adjust_total(self._counted)

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that checks these files."""
        return command("npx", "eslint", *each_once(one.file for one in failures))


def _failure(place: tuple[str, int, str], rule: str, message: str, number: int) -> Failure:
    file, line, column = place
    rule = rule or ("parsing-error" if message.startswith("Parsing error") else "eslint")
    name = f"{rule} {file}:{line}:{column}"
    tool, selector = ("oxlint", file) if OF_OXLINT.fullmatch(rule) else ("eslint", "")
    return Failure(
        tool=tool, kind="lint", name=name, message=message, file=file, line=line, selector=selector, log_line=number
    )


EslintInPackages = packages(Eslint)
