"""What Gradle says of failures other than tests: "What went wrong", unless a parser reports what it is about.

FAILURE: Build failed with an exception.

* Where:
Build file '/repo/app/build.gradle' line: 12

* What went wrong:
Execution failed for task ':app:generateModel'.
> unable to find the exploded archive
"""

import re
from collections.abc import Iterable, Mapping
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.text_helpers import join_message, relative

WHERE, WRONG = "* Where:", "* What went wrong:"
PLACE = re.compile(r"[A-Z].{0,60}? '(.{1,400})' line: (\d{1,7})$")
TASK = re.compile(r"Execution failed for task '(:?[^']{1,300})'")
TESTS = re.compile(r"There (?:were|was) (?:\d+ )?failing tests?|There were failing tests")
ENDS = ("* ", "=====", "-----", "BUILD FAILED")
MOST_READ = 100
"""Lines at most of a section, including those of the other stream."""
MOST_LINES = 20
CAUSES = ("> ", " ", "\t")
"""The beginnings of causes, and of their further lines."""
OTHER_STREAM = re.compile(
    r"> (?:Task|Configure project|Transform) |Deprecated Gradle features were used|You can use '--warning-mode "
    r"|For more on this, please refer to |\d+ actionable tasks?: |\[Incubating\] |gradle/actions: "
)
"""What Gradle prints to its standard output meanwhile: a runner merges both streams line by line."""
NAMED = 120


class GradleFailures(Parser):
    """Parser of the sections below the report of a failed build."""

    tool: ClassVar[str] = "gradle"
    wakes: ClassVar[tuple[str, ...]] = (f"\n{WHERE}", f"\n{WRONG}")

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._covered: dict[str, tuple[int, int]] = {}
        self._section = ""
        self._place = ("", 0)
        self._lines: list[str] = []
        self._is_headed = False
        self._number = 0

    def read(self, line: Line) -> bool:
        """Read a heading, or a line below it."""
        text = line.text.rstrip()
        if text.startswith(ENDS) or (self._section and line.number - self._number > MOST_READ):
            self._end()
            self._section, self._number = (text, line.number) if text in {WHERE, WRONG} else ("", 0)
        elif self._section == WHERE and (found := PLACE.match(text)):
            self._place = relative(found[1]), int(found[2])
        elif self._section == WRONG and len(self._lines) < MOST_LINES:
            self._read_wrong(text)
        return bool(self._section)

    def _read_wrong(self, text: str) -> None:
        """Read a line of what went wrong; behind the first paragraph only causes belong to it."""
        if not text:
            self._is_headed = bool(self._lines)
        elif TASK.match(text):  # other output may be before it
            self._lines, self._is_headed = [text], True
        elif not OTHER_STREAM.match(text) and (not self._is_headed or text.startswith(CAUSES)):
            self._lines.append(text)

    def _end(self) -> None:
        """Record what went wrong; failing tests have names of their own."""
        lines, self._lines, self._is_headed = self._lines, [], False
        if not lines or any(map(TESTS.search, lines)) or len(self._found) >= MOST_FAILURES:
            return
        task = TASK.match(lines[0])
        name = f"task {task[1]}" if task else lines[0][:NAMED].rstrip(".")
        (file, number), self._place = self._place, ("", 0)
        one = Failure(
            tool=self.tool, kind="compile", name=name, message=join_message(lines), file=file, line=number or None,
            log_line=self._number, confidence="medium",
        )  # fmt: skip
        self._found.setdefault(name, one)
        self._covered.setdefault(name, (0, self._number + MOST_LINES))

    def finish(self) -> Iterable[Failure]:
        """Return what went wrong."""
        self._end()
        return self._found.values()

    def covers(self) -> Mapping[str, tuple[int, int]]:
        """Return all lines of the step before: the report of a failed build is at its end."""
        return self._covered
