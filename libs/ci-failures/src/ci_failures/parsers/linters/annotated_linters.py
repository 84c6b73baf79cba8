"""Linters in the forms that machines read: SQLFluff's for GitHub; and gitlint.

::warning title=SQLFluff,file=q.sql,line=1,col=10,endLine=1,endColumn=11::LT01: Expected only single space. [layout]
1: T3 Title has trailing punctuation (.): "WIP: one."
"""

import json
import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Line
from ci_failures.parsers.linters.workflow_commands import unescape_property
from ci_failures.parsers.scripting.linting import Linter

COMMAND = re.compile(
    r"::(?:error|warning|notice) title=SQLFluff,file=([^,]{1,500}),line=(\d{1,7}),col=(\d{1,7})"
    r"(?:,end\w{3,6}=\d{1,7}){0,2}::([A-Z]{2}\d{2}|[A-Z]{3}): (.*)$"
)
OBJECT = re.compile(
    r'\{"file": ("(?:[^"\\]|\\.){1,500}"), "start_line": (\d{1,7}), "start_column": (\d{1,7}),'
    r'(?: "end_line": \d{1,7}, "end_column": \d{1,7},)? "title": "SQLFluff", "message": ("(?:[^"\\]|\\.){1,2000}")'
)
COMMIT = re.compile(r"Commit ([0-9a-f]{7,40}):$")
GITLINT = re.compile(r"(\d{1,4}|-): (T[1-8]|B[1-8]|CT1|CC1|M1|UC\w{1,20}) ([A-Z].*?)(?:: \"(.*)\")?$")


class SqlfluffAnnotations(Linter):
    """Parser of SQLFluff's forms for GitHub: commands of a workflow, or a line of JSON."""

    tool: ClassVar[str] = "sqlfluff"
    again: ClassVar[tuple[str, ...]] = ("sqlfluff", "lint")
    wakes: ClassVar[tuple[str, ...]] = (" title=SQLFluff,", '"title": "SQLFluff"')

    def read(self, line: Line) -> bool:
        """Read a command, or all objects in a line."""
        if found := COMMAND.match(line.text):
            file, text = unescape_property(found[1]), unescape_property(found[5])
            self.find(found[4], file, int(found[2]), text, line.number, column=int(found[3]))
            return False
        for file, row, column, message in OBJECT.findall(line.text):
            rule, _, text = json.loads(message, strict=False).partition(": ")
            self.find(rule, json.loads(file, strict=False), int(row), text, line.number, column=int(column))
        return False


class Gitlint(Linter):
    """Parser of gitlint, whose findings are of commits and not of files."""

    tool: ClassVar[str] = "gitlint"
    wakes: ClassVar[tuple[str, ...]] = ("\nCommit ", "\n1: T", "\n1: CT1 ", "\n2: B4 ", "\n3: B")
    first_line: ClassVar[str] = r"Commit [0-9a-f]{7,40}:$|[123]: (?:T\d|B\d|CT1) [A-Z]"

    def __init__(self) -> None:
        super().__init__()
        self._commit = ""

    def read(self, line: Line) -> bool:
        """Read the heading of a commit, or a finding; other lines end those of a commit."""
        text = line.text.rstrip()
        if commit := COMMIT.match(text):
            self._commit = commit[1]
            return True
        if not (found := GITLINT.match(text)):
            self._commit = self._commit if not text else ""
            return False
        where = " ".join(part for part in (self._commit, f"line {found[1]}" if found[1] != "-" else "") if part)
        name = f"{found[2]} {where}"
        if len(self.found) < MOST_FAILURES:
            said = ": ".join(part for part in (found[3], found[4]) if part)
            self.found.setdefault(
                name, Failure(tool=self.tool, kind="lint", name=name, message=said, log_line=line.number)
            )
        return True

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:  # noqa: ARG003 -- the log does not tell what was checked
        """Return an empty text: the log does not tell which commits were checked."""
        return ""

    def finish(self) -> Iterable[Failure]:
        """Return the findings."""
        return self.found.values()
