"""javac: as it prints itself (Gradle, Ant), and as Maven prints what it says."""

import re
from collections.abc import Iterable
from typing import ClassVar

from stithy_ci.parsers.jvm.compile_errors import Compiler, Errors, Place
from stithy_ci.parsers.jvm.maven import is_error, parted_level
from stithy_ci.spi import Failure, Line

PLAIN = re.compile(r"\s*(?:\[javac\] )?(?:(?::[\w-]+)+(?=/))?([^:\s].*\.java):(\d+): error: (.*)")
MAVEN = re.compile(r"(\S.*\.java):\[(\d+),(\d+)\] (?:error: )?(.*)")
CHECKSTYLE = re.compile(r"\(\w+\) \w+")
NOWHERE = re.compile(
    r"\s*(?:\[javac\] )?error: (release version|invalid (?:source|target) release|no source files)(.*)"
)
FATAL = "Fatal error compiling: "
COUNT = re.compile(r"\s*(?:\[javac\] )?(\d+) errors?\s*$")
TASK = re.compile(r"Execution failed for task '((?::[^':]+)*:compile\w*Java)'")
AFTER = ("symbol:", "location:", "required:", "found:", "reason:", "where ")


class Javac(Compiler):
    """Reads errors with what belongs to them, once each: Maven and new versions of Gradle print them again."""

    tool: ClassVar[str] = "javac"
    wakes: ClassVar[tuple[str, ...]] = (".java:[", ": error: ", FATAL, "Execution failed for task", "error: release ")

    def __init__(self) -> None:
        self._errors = Errors(self.tool, AFTER)

    def read(self, line: Line) -> bool:
        """Take an error, or what stands below one."""
        level, text = parted_level(line.text)
        if ".java:" in text and (found := PLAIN.match(text)):
            return self._errors.begin(Place(found[1], int(found[2]), 0), found[3], line.number)
        if is_error(level) and (found := MAVEN.match(text)):
            if CHECKSTYLE.match(found[4]):
                return False
            place = Place(found[1], int(found[2]), int(found[3]))
            return self._errors.begin(place, found[4], line.number, "mvn test-compile")
        if task := TASK.search(text):
            self._errors.rerun(f"./gradlew {task[1]}")
        elif nowhere := NOWHERE.match(text):
            return self._errors.nowhere(f"{nowhere[1]}{nowhere[2]}", line.number)
        elif FATAL in text:
            said = text.partition(FATAL)[2].removeprefix("error: ").removesuffix(" -> [Help 1]")
            return self._errors.nowhere(said, line.number, "mvn test-compile")
        elif count := COUNT.match(text):
            self._errors.count(int(count[1]))
        return self._errors.take(text.removeprefix("    [javac] "))

    def finish(self) -> Iterable[Failure]:
        """Give the errors."""
        return self._errors.failures()

    def counted(self) -> int | None:
        """Give how many errors javac counts."""
        return self._errors.counted
