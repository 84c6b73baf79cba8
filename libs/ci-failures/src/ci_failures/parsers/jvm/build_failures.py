"""What Maven and Ant say of a build that failed, unless a parser reports what it is about.

[INFO] BUILD FAILURE
[ERROR] Failed to execute goal org.example:deploy-plugin:2.7:deploy (id) on project shop: Could not transfer -> [Help 1]

BUILD FAILED
/repo/build.xml:52: Java returned: 1
"""

import re
from collections.abc import Iterable, Mapping
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.jvm.maven import is_error, parted_level
from ci_failures.parsers.text_helpers import join_message, parse_number, relative

GOAL = re.compile(
    r"Failed to execute goal (?:[\w.-]{1,200}:)?([\w.-]{1,200}:[\w.$-]{1,100}:[\w-]{1,100}(?: \([^)]{1,200}\))?"
    r" on project [^\s:]{1,200}): (.*)"
)
HELP = re.compile(r" -> \[Help \d{1,3}\]$")
UNREAD = "The build could not read "
ENDS = ("To see the full stack trace", "Re-run Maven", "For more information")
PLACE = re.compile(r"(\S.{0,400}\.xml):(\d{1,7}): ?(.*)$")
WITHOUT_PLACE = re.compile(r"(?:Target \".{1,200}\" does not exist in the project|Buildfile: .{1,200} does not exist!)")
NAMED = 120
MOST_LINES = 40


class BuildFailure(Parser):
    """Base of these parsers: what failed, with the lines before it, in which a cause may be."""

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._left = 0

    def _add(self, name: str, message: str, number: int, file: str = "", row: int | None = None) -> None:
        name = name[:NAMED].rstrip(". ")
        if name and len(self._found) < MOST_FAILURES:
            self._found.setdefault(name, Failure(
                tool=self.tool, kind="compile", name=name, message=message, file=file, line=row, log_line=number,
                confidence="medium",
            ))  # fmt: skip

    def finish(self) -> Iterable[Failure]:
        """Return what failed."""
        return self._found.values()

    def covers(self) -> Mapping[str, tuple[int, int]]:
        """Return all lines up to the report, which is at the end of a build."""
        return {name: (0, one.log_line + MOST_LINES) for name, one in self._found.items()}


class MavenBuild(BuildFailure):
    """Parser of the errors with which Maven ends; they have several lines, the last of which refers to a page."""

    tool: ClassVar[str] = "maven"
    wakes: ClassVar[tuple[str, ...]] = ("BUILD FAILURE\n", " -> [Help 1]\n")

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[str] = []
        self._number = 0

    def read(self, line: Line) -> bool:
        """Read a line of an error, or the beginning of the report."""
        level, text = parted_level(line.text.rstrip())
        if text == "BUILD FAILURE":
            self._left, self._lines = MOST_LINES, []
            return True
        self._left = max(0, self._left - 1)
        if is_error(level) and text.startswith(ENDS):
            self._left = 0
            self._end()
        elif is_error(level) and text.strip():
            self._number = self._number if self._lines else line.number
            self._lines.append(text)  # MOST_LINES at most, as the parser sleeps then
        if self._lines and HELP.search(text):
            if self._lines[0].startswith(UNREAD):  # what is wrong in which file follows
                self._left = MOST_LINES
            else:
                self._end()
        return self._left > 0

    def finish(self) -> Iterable[Failure]:
        """Return what failed; the log may end within an error."""
        self._end()
        return super().finish()

    def _end(self) -> None:
        lines, self._lines = [HELP.sub("", one) for one in self._lines], []
        if not lines:
            return
        goal = GOAL.match(lines[0])
        name = f"goal failed: {goal[1]}" if goal else lines[0]
        self._add(name, join_message([goal[2], *lines[1:]] if goal else lines), self._number)


class AntBuild(BuildFailure):
    """Parser of the place at which Ant's build failed; of tasks that call others, the innermost."""

    tool: ClassVar[str] = "ant"
    wakes: ClassVar[tuple[str, ...]] = ("\nBUILD FAILED\n", "\nBuildfile: ", "\nTarget ")
    first_line: ClassVar[str] = r"BUILD FAILED$|Buildfile: .* does not exist!|Target \""

    def __init__(self) -> None:
        super().__init__()
        self._place: tuple[str, int | None, str, int] | None = None

    def read(self, line: Line) -> bool:
        """Read a line below the report; an empty line ends it."""
        text = line.text.strip()
        if text == "BUILD FAILED":
            self._left = MOST_LINES
        elif WITHOUT_PLACE.match(text):
            self._add(text, text, line.number)
        elif self._left and (found := PLACE.match(text)):
            self._place = relative(found[1]), parse_number(found[2]), found[3].strip(), line.number
        elif not text or text.startswith("Total time: "):
            self._end()
        self._left = max(0, self._left - 1)
        return self._left > 0

    def _end(self) -> None:
        place, self._place, self._left = self._place, None, 0
        if place:
            file, row, message, number = place
            self._add(f"{file}:{row}", message, number, file, row)

    def finish(self) -> Iterable[Failure]:
        """Return what failed."""
        self._end()
        return super().finish()
