"""ktlint, detekt and SwiftLint, each finding on a line; only of ktlint under Gradle a log was available.

/repo/app/src/main/kotlin/Cart.kt:1:1: Missing newline (standard:final-newline)
/repo/app/src/main/kotlin/Cart.kt:3:18 Missing trailing comma before ")"
/repo/app/src/main/kotlin/Cart.kt:12:5: The function total is too long. [LongMethod]
/repo/Sources/Cart.swift:3:1: error: Line Length Violation: Line should be 120 characters or less (line_length)
"""

import re
from typing import ClassVar

from ci_failures.model import Line
from ci_failures.parsers.scripting.linting import Linter

KOTLIN = re.compile(
    r"(?:w: |e: )?(?:file://)?(\S[^:]{0,400}\.kts?):(\d{1,7}):(\d{1,7}):? (?:Lint error > )?"
    r"(?:(?P<first>\S.*?) (?:\((?P<ktlint>[a-z][\w-]*:[\w:-]{1,80})\)|\[(?P<detekt>[A-Z]\w{2,80})\])"
    r"|\[(?P<old>[a-z][\w:-]{1,80})\] (?P<text>.*))$"
)
GRADLE = re.compile(r"((?:/|[A-Z]:[\\/])[^:]{1,400}\.kts?):(\d{1,7}):(\d{1,7}) ([A-Z]\S*(?: .*)?)$")
"""What ktlint's plugin for Gradle prints: neither a rule, nor the colon that compilers print behind a column."""
KTLINT_TASK = re.compile(r"> Task \S*:(?:run)?[kK]tlint")
SWIFT = re.compile(r"(\S[^:]{0,400}\.swift):(\d{1,7})(?::(\d{1,7}))?: error: (\S.* Violation: .*) \((\w{1,80})\)$")
SWIFT_TOTAL = re.compile(r"Done linting! Found \d+ violations?, (\d+) serious in ")


class Ktlint(Linter):
    """Parser of the findings of ktlint and detekt."""

    tool: ClassVar[str] = "ktlint"
    wakes: ClassVar[tuple[str, ...]] = (
        *(f".{end}:{digit}" for end in ("kt", "kts") for digit in "123456789"),
        *(":ktlint", ":runKtlint"),
    )

    def __init__(self) -> None:
        super().__init__()
        self._is_called = False

    def read(self, line: Line) -> bool:
        """Read a line with a finding, or the task of Gradle that prints them."""
        text = line.text.rstrip()
        if KTLINT_TASK.match(text):
            self._is_called = True
        elif self._is_called and (found := GRADLE.match(text)):
            self.find("ktlint", found[1], int(found[2]), found[4], line.number, column=int(found[3]))
        elif found := KOTLIN.match(text):
            rule = found["ktlint"] or found["detekt"] or found["old"]
            text = found["first"] or found["text"]
            self.find(rule, found[1], int(found[2]), text, line.number, column=int(found[3]))
        return False


class SwiftLint(Linter):
    """Parser of the serious violations that SwiftLint reports."""

    tool: ClassVar[str] = "swiftlint"
    again: ClassVar[tuple[str, ...]] = ("swiftlint", "lint")
    wakes: ClassVar[tuple[str, ...]] = (" Violation: ", "Done linting! Found ")

    def read(self, line: Line) -> bool:
        """Read a line with a violation, or the total."""
        text = line.text.rstrip()
        if found := SWIFT.match(text):
            self.find(found[5], found[1], int(found[2]), found[4], line.number, column=int(found[3] or 0))
        elif total := SWIFT_TOTAL.match(text):
            self.add_total(int(total[1]))
        return False
