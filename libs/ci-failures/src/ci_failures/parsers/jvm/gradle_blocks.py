"""The lines below a failed test of Gradle: its exception, and the test's own line in it."""

import re
from collections.abc import Sequence

from attrs import define, field

from ci_failures.parsers.jvm.exception_trace import Trace
from ci_failures.parsers.jvm.gradle_names import Test

SHORT = re.compile(r" {4,}(?:Caused by: )?([\w.$]+) at ([\w$-]+\.\w+):(\d+)\s*$")
INDENT = "    "
THEMED = re.compile(r" {2,10}(?:Test (.+) (FAILED|PASSED|SKIPPED)|[✘X] (.+?))(?: \([\d.]+(?:ms|s|m[\d. ms]*)\))?$")
HEADING = re.compile(r" {0,6}((?:[\w$]+\.)+[A-Z][\w$]*)$")
"""The format in which the plugin test-logger prints tests below their class, instead of Gradle's."""
BETWEEN = "FAILURE: Build failed with an exception."
MOST_OF_A_BLOCK = 600
LIBRARY = re.compile(
    r"(?:ArrayList|Array|Assert\w*|Expect\w+|Constructor|Method|\w+AccessorImpl|Objects|Optional|FutureTask|ForkJoin\w+"
    r"|\w*Iterator|\w*Spliterators?|Collections|\w*Pipeline|Thread\w*|Class|ClassLoader|\w+HolderTest|Fail|Assume)\.java"
)
"""Sources of the JDK and of JUnit, if the short form has no frame of a test."""


@define
class GradleBlock:
    """A failed test whose lines are being read."""

    test: Test
    number: int
    trace: Trace = field(factory=Trace)
    places: list[tuple[str, int]] = field(factory=list)
    lines: int = 0
    empty: bool = False
    themed: bool = False

    def takes(self, text: str) -> bool:
        """Read a line of the block; return False for one that does not belong to it."""
        self.lines += 1
        if self.lines > MOST_OF_A_BLOCK:
            return False
        if not text.strip():
            going = (self.lines > 1 or self.themed) and not self.empty
            self.empty = True
            return going
        if self.lines == 1 and text.startswith(BETWEEN):  # of the other stream, which a runner may interleave
            self.lines = 0
            return True
        if not text.startswith(("  ", "\t") if self.themed else (INDENT, "\t")):
            return False
        if self.themed and (THEMED.match(text) or HEADING.match(text) or "✔ " in text[:12]):
            return False
        self.empty = False
        if found := SHORT.match(text):
            self.places.append((found[2], int(found[3])))
            text = text[: text.rindex(" at ")]
        self.trace.take(text.removeprefix(INDENT))
        return True


def near(places: Sequence[tuple[str, int]], outer: str) -> tuple[str, int | None]:
    """Return the place of an exception or of its causes that is in a class, otherwise the first."""
    name = outer.rpartition(".")[2]
    for file, row in places:
        if file.partition(".")[0] == name:
            return f"{outer.replace('.', '/')}.java" if file.endswith(".java") else file, row
    return next((one for one in places if not LIBRARY.fullmatch(one[0])), ("", None))
