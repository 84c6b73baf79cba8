r"""Helm: what `helm lint` finds in charts, and the error by which any other command ends.

==> Linting charts/app
[ERROR] templates/: template: app/templates/service.yaml:16:10: executing "app/…" at <.Values.a.b>: nil pointer …
Error: 1 chart(s) linted, 1 chart(s) failed

Error: template: app/templates/service.yaml:16:10: executing "app/…" at <.Values.a.b>: nil pointer …
Error: UPGRADE FAILED: timed out waiting for the condition
"""

import re
from collections.abc import Iterable
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Kind, Line, Parser
from ci_failures.parsers.text_helpers import MOST_LINES, join_message

LINTING = re.compile(r"==> Linting (.+)$")
FOUND = re.compile(r"\[ERROR\] ([^:]{0,200}): (.+)$")
LEVEL = re.compile(r"\[(?:INFO|WARNING|ERROR)\] ")
TOTAL = re.compile(r"(?:Error: )?\d+ chart\(s\) linted, (\d+) chart\(s\) failed$")
ENDS = (
    "template: ",
    "parse error at (",
    "YAML parse error on ",
    "execution error at (",
    "cannot load values",
    "values don't meet the specifications of the schema",
    "An error occurred while checking for chart dependencies",
    "no cached repo",  # "no cached repo found", "no cached repository for NAME found"
    "INSTALLATION FAILED: ",
    "UPGRADE FAILED: ",
    "Kubernetes cluster unreachable: ",
)
"""How the errors begin that are Helm's only."""
MISSING = ("An error occurred while checking for chart dependencies", "no cached repo")
PLACE = re.compile(r"(?:template: |\()([^\s:()]{1,300}):(\d{1,7})(?::\d+)?[:)]|YAML parse error on ([^\s:]{1,300}):")
IN_FILE = re.compile(r"yaml: line (\d{1,7}):")
TIMEOUT = re.compile(r"timed out waiting|context deadline exceeded")
NAMED = 160


class Helm(Parser):
    """Parser of the findings of lint, and of last errors."""

    tool: ClassVar[str] = "helm"
    wakes: ClassVar[tuple[str, ...]] = (
        "\n==> Linting ",
        " chart(s) linted, ",
        *(f"\nError: {end.rstrip(' (')}" for end in ENDS),
    )

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._counted: int | None = None
        self._chart = ""
        self._where = ""
        self._lines: list[str] = []
        self._number = 0

    def read(self, line: Line) -> bool:
        """Read a finding, a line of one, the total, or an error."""
        text = line.text.rstrip()
        if chart := LINTING.match(text):
            self._end()
            self._chart = chart[1].strip().removeprefix("./").rstrip("/")
        elif total := TOTAL.match(text):
            self._end()
            self._counted = (self._counted or 0) + int(total[1])
            self._chart = ""
        elif self._chart and (found := FOUND.match(text)):
            self._end()
            self._where, self._lines, self._number = found[1].strip(), [found[2]], line.number
        elif text.removeprefix("Error: ").startswith(ENDS) and text.startswith("Error: "):
            self._end()
            self._chart = ""
            self._lines, self._number = [text.removeprefix("Error: ")], line.number
        elif self._lines and text and not LEVEL.match(text) and len(self._lines) < MOST_LINES:
            self._lines.append(text)
        else:
            self._end()
        return bool(self._chart or self._lines)

    def _end(self) -> None:
        """Record the finding or the error that was read."""
        if not self._lines or len(self._found) >= MOST_FAILURES:
            self._lines = []
            return
        message, first = join_message(self._lines), self._lines[0]
        file, number = self._place(message)
        place = f" {file}:{number}" if number else f" {file}" if file else f" {self._chart}" if self._chart else ""
        name = first if len(first) <= NAMED else f"{first[:NAMED]}…"
        name = name if file and file in name else f"{name}{place}"
        failure = Failure(
            tool=self.tool,
            kind=self._kind(first),
            name=name,
            message=message,
            file=file,
            line=number,
            log_line=self._number,
        )
        self._found.setdefault(name, failure)
        self._where, self._lines = "", []

    def _place(self, message: str) -> tuple[str, int | None]:
        """Return the file and the line: paths begin with the chart's name, whose folder is known in lint only."""
        line = IN_FILE.search(message)
        number = int(line[1]) if line else None
        if found := PLACE.search(message):
            path = found[1] or found[3]
            inner = path.partition("/")[2]
            file = f"{self._chart}/{inner}" if self._chart and inner else path
            return file, int(found[2]) if found[2] else number
        if self._chart and "." in self._where:
            return f"{self._chart}/{self._where}", number
        return "", None

    def _kind(self, error: str) -> Kind:
        if self._chart:
            return "lint"
        if error.startswith(MISSING):
            return "dependency"
        return "timeout" if TIMEOUT.search(error) else "compile"

    def finish(self) -> Iterable[Failure]:
        """Return what failed."""
        self._end()
        return list(self._found.values())

    def total(self) -> int | None:
        """Return the number of charts that failed lint where no finding was read: a chart may have several."""
        return None if self._counted and self._found else self._counted
