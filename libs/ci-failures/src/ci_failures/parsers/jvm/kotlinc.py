"""kotlinc, in Gradle's old and new format, in Maven's, and in its own."""

import re
from collections.abc import Iterable
from typing import ClassVar

from ci_failures.model import Failure, Line
from ci_failures.parsers.jvm.compile_errors import Compiler, Errors, Place
from ci_failures.parsers.jvm.maven import is_error, parted_level

GRADLE = re.compile(r"e: (\S.*?\.kts?):(?: \()?(\d+)(?::|, )(\d+)\)?:? (.*)")
MAVEN = re.compile(r"(\S.*?\.kts?):(?: \(|\[)(\d+), ?(\d+)[)\]] (?:error: )?(.*)")
PLAIN = re.compile(r"(\S.*?\.kts?):(\d+):(\d+): error: (.*)")
TASK = re.compile(r"Execution failed for task '((?::[^':]+)*:compile\w*Kotlin\w*)'")


class Kotlinc(Compiler):
    """Parser of errors, each once."""

    tool: ClassVar[str] = "kotlinc"
    wakes: ClassVar[tuple[str, ...]] = (".kt:", ".kts:", "Execution failed for task")

    def __init__(self) -> None:
        self._errors = Errors(self.tool)

    def read(self, line: Line) -> bool:
        """Read an error; the lines below it are its source."""
        level, text = parted_level(line.text)
        if is_error(level) and (found := MAVEN.match(text)):
            self._begin(found, line.number, "mvn test-compile")
        elif found := GRADLE.match(text) or PLAIN.match(text):
            self._begin(found, line.number)
        elif task := TASK.search(text):
            self._errors.rerun(f"./gradlew {task[1]}")
        return False

    def finish(self) -> Iterable[Failure]:
        """Return the errors."""
        return self._errors.failures()

    def _begin(self, found: re.Match[str], number: int, rerun: str = "") -> None:
        self._errors.begin(Place(found[1], int(found[2]), int(found[3])), found[4], number, rerun)
