"""Checkstyle, as Maven's plugin prints its output and in its own format, under Maven, Gradle and Ant."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.jvm.maven import is_error, parted_level
from ci_failures.parsers.text_helpers import each_once, relative

MAVEN = re.compile(r"(\S.*?\.\w+):\[(\d+)(?:,(\d+))?\] \(\w+\) (\w+): (.*)")
OWN = re.compile(r"(\S.{0,400}?\.\w{1,20}+):(\d+)(?::(\d+))?: (.*) \[(\w+)\]\s*$")
TASK = re.compile(r"Execution failed for task '((?::[^':]+)*:checkstyle\w*)'")
GOAL = re.compile(r"--- (?:maven-)?checkstyle(?:-plugin)?:[\w.-]+:check \(([\w.-]+)\)")
OLD = re.compile(r"(/\S*?\.\w+):(\d+)(?::(\d+))?: (?!warning: )(.*)")
"""The format of errors before 6.12, without the rule."""
BROKE = re.compile(r"Failed to execute goal \S*checkstyle")
BEGIN, END = "Starting audit...", "Audit done."
BY_ANT = re.compile(r" *\[(?:ant:)?checkstyle\] ")
"""Gradle runs Checkstyle by Ant's task, too."""


class Checkstyle(Parser):
    """Parser of violations with the level of errors, each once."""

    tool: ClassVar[str] = "checkstyle"
    wakes: ClassVar[tuple[str, ...]] = (
        BEGIN, "checkstyle] ", ".java:[", ".kt:[", "--- checkstyle:", "checkstyle-plugin:", "Execution failed for task",
    )  # fmt: skip

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._untold: list[tuple[re.Match[str], int]] = []
        self._auditing = False
        self._check = ""

    def read(self, line: Line) -> bool:
        """Read a violation; between Checkstyle's first and last line, each line may be one."""
        by_ant = BY_ANT.match(line.text)
        level, text = parted_level(line.text[by_ant.end() :] if by_ant else line.text)
        if text.startswith((BEGIN, END)):
            self._auditing = text.startswith(BEGIN)
            self._untold = [] if self._auditing else self._untold
        elif is_error(level) and (found := MAVEN.match(text)):
            path, row, column, rule, said = found.groups()
            self._keep(rule, (path, row, column), said, line.number)
        elif is_error(level) and (self._auditing or by_ant) and (found := OWN.match(text)):
            path, row, column, said, rule = found.groups()
            self._keep(rule, (path, row, column), said, line.number)
        elif self._auditing and not level and (found := OLD.match(text)):
            self._untold.append((found, line.number))
        elif BROKE.search(text):
            self._tell()
        elif goal := GOAL.search(text):
            self._check = "mvn checkstyle:check" + ("" if goal[1] == "default-cli" else f"@{goal[1]}")
        elif task := TASK.search(text):
            self._found = {
                name: one if one.selector else evolve(one, selector=f"./gradlew {task[1]}")
                for name, one in self._found.items()
            }
        return self._auditing

    def finish(self) -> Iterable[Failure]:
        """Return the violations."""
        return self._found.values()

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that repeats the check, if the log shows which tool called Checkstyle."""
        return " && ".join(each_once(one.selector for one in failures))

    def _tell(self) -> None:
        """Record violations that were printed without a level: the goal failed because of them."""
        for found, number in self._untold[:MOST_FAILURES]:
            path, row, column, said = found.groups()
            self._keep("violation", (path, row, column), said, number)
        self._untold.clear()

    def _keep(self, rule: str, place: tuple[str, str, str | None], said: str, number: int) -> None:
        path, row, column = relative(place[0]), place[1], place[2]
        name = f"{rule} {path}:{row}" + (f":{column}" if column else "")
        if name not in self._found and len(self._found) < MOST_FAILURES:
            self._found[name] = Failure(
                tool=self.tool, kind="lint", name=name, message=said, file=path, line=int(row), selector=self._check,
                log_line=number,
            )  # fmt: skip
