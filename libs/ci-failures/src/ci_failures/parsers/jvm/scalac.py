"""scalac 2 and 3, under sbt and Maven."""

import re
from collections.abc import Iterable
from typing import ClassVar

from ci_failures.model import Failure, Line
from ci_failures.parsers.jvm.compile_errors import Compiler, Errors, Place
from ci_failures.parsers.jvm.maven import is_error, parted_level
from ci_failures.parsers.jvm.sbt import level_of

TWO = re.compile(r"(\S.*?\.scala(?:\.\w+)?):(\d+)(?::(\d+))?: (?:error: )?(.*)")
THREE = re.compile(r"-- (?:\[E\d+\] )?(.{0,80}?Error): (\S.{0,400}?\.scala):(\d+):(\d+) -*$")
OTHER = re.compile(r"(?:warning|info)\b")


class Scalac(Compiler):
    """Parser of errors, each once."""

    tool: ClassVar[str] = "scalac"
    wakes: ClassVar[tuple[str, ...]] = (".scala:", ".scala.html:")

    def __init__(self) -> None:
        self._errors = Errors(self.tool)

    def read(self, line: Line) -> bool:
        """Read an error, if its level is that of errors."""
        level = level_of(line.text)
        of_maven, text = parted_level(line.text) if not level else ("", line.text[len(level) :])
        if not level.endswith("[error] ") and not is_error(of_maven):
            return False
        if three := THREE.match(text):
            self._errors.begin(Place(three[2], int(three[3]), int(three[4])), three[1], line.number, "sbt Test/compile")
        elif (two := TWO.match(text)) and not OTHER.match(two[4]):
            rerun = "sbt Test/compile" if level else "mvn test-compile"
            self._errors.begin(Place(two[1], int(two[2]), int(two[3] or 0)), two[4], line.number, rerun)
        return False

    def finish(self) -> Iterable[Failure]:
        """Return the errors."""
        return self._errors.failures()
