"""ktlint, detekt and SwiftLint, each finding on a line; no log of these tools was available.

/repo/app/src/main/kotlin/Cart.kt:1:1: Missing newline (standard:final-newline)
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
SWIFT = re.compile(r"(\S[^:]{0,400}\.swift):(\d{1,7})(?::(\d{1,7}))?: error: (\S.* Violation: .*) \((\w{1,80})\)$")
SWIFT_TOTAL = re.compile(r"Done linting! Found \d+ violations?, (\d+) serious in ")


class Ktlint(Linter):
    """Parser of the findings of ktlint and detekt."""

    tool: ClassVar[str] = "ktlint"
    wakes: ClassVar[tuple[str, ...]] = tuple(f".{end}:{digit}" for end in ("kt", "kts") for digit in "123456789")

    def read(self, line: Line) -> bool:
        """Read a line with a finding."""
        if found := KOTLIN.match(line.text.rstrip()):
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
