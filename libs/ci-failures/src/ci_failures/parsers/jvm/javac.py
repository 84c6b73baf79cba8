"""javac, in its own format (Gradle, Ant) and in Maven's."""

import re
from collections.abc import Iterable
from typing import ClassVar

from ci_failures.model import Failure, Line
from ci_failures.parsers.jvm.compile_errors import Compiler, Errors, Place
from ci_failures.parsers.jvm.maven import is_error, parted_level

PLAIN = re.compile(r"\s*(?:\[javac\] |e: )?(?:(?::[\w-]+)+(?=/))?([^:\s].*\.java):(\d+): error: (.*)")
MAVEN = re.compile(r"(\S.*\.java):\[(\d+),(\d+)\] (?:error: )?(.*)")
CHECKSTYLE = re.compile(r"\(\w+\) \w+")
NOWHERE = re.compile(
    r"\s*(?:\[javac\] )?(?:error|javac): (release version|invalid (?:source|target) release|no source files)(.*)"
)
FATAL = "Fatal error compiling: "
WARNING = re.compile(r"\s{0,20}(?:\[javac\] )?[^:\s](?:[^:]{0,400}\.java):\d{1,7}: warning: ")
COUNT = re.compile(r"\s*(?:\[javac\] )?(\d+) errors?\s*$")
WARNINGS = re.compile(r"\s*\d+ warnings?\s*$")
WERROR = "warnings found and -Werror specified"
TASK = re.compile(r"Execution failed for task '((?::[^':]+)*:compile\w*Java)'")
AFTER = ("symbol:", "location:", "required:", "found:", "reason:", "where ")


class Javac(Compiler):
    """Parser of errors, each once: Maven and new versions of Gradle repeat them."""

    tool: ClassVar[str] = "javac"
    wakes: ClassVar[tuple[str, ...]] = (
        ".java:[", ": error: ", FATAL, "Execution failed for task", "error: release ", ": invalid target release",
        ": invalid source release", WERROR, " errors\n", "1 error\n", " warnings\n", "1 warning\n",
    )  # fmt: skip

    def __init__(self) -> None:
        self._errors = Errors(self.tool, AFTER)

    def read(self, line: Line) -> bool:
        """Read an error, or a line below one."""
        level, text = parted_level(line.text)
        if ".java:" in text and (not level or is_error(level)) and (found := PLAIN.match(text)):
            indent = 0 if "[javac] " in text else len(text) - len(text.lstrip())
            return self._errors.begin(Place(found[1], int(found[2]), 0, indent), found[3], line.number)
        if is_error(level) and (found := MAVEN.match(text)):
            if CHECKSTYLE.match(found[4]):
                return False
            place = Place(found[1], int(found[2]), int(found[3]))
            return self._errors.begin(place, found[4], line.number, "mvn test-compile")
        if ": warning: " in text and WARNING.match(text):
            self._errors.end()
        elif (said := _nowhere(text)) is not None:
            return self._errors.nowhere(said, line.number, "mvn test-compile" if is_error(level) else "")
        if task := TASK.search(text):
            self._errors.rerun(f"./gradlew {task[1]}")
        elif count := COUNT.match(text):
            self._errors.count(int(count[1]))
        elif not level and WARNINGS.match(text):  # javadoc's, which also calls unresolved references errors
            self._errors.warn()
        return self._errors.take(text.removeprefix("    [javac] "))

    def finish(self) -> Iterable[Failure]:
        """Return the errors."""
        return self._errors.failures()

    def total(self) -> int | None:
        """Return how many errors javac counts."""
        return self._errors.counted


def _nowhere(text: str) -> str | None:
    """Read an error without a source."""
    if FATAL in text:
        return text.partition(FATAL)[2].removeprefix("error: ").removesuffix(" -> [Help 1]")
    found = NOWHERE.match(text)
    return f"{found[1]}{found[2]}" if found else WERROR if WERROR in text else None
