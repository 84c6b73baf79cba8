"""XCTest by `swift test` and xcodebuild, and Swift Testing.

    /a/Tests/T.swift:34: error: C.testX : XCTAssertTrue failed        /a/T.swift:34: error: -[M.C testX] : XCTAssert…
    Test Case 'C.testX' failed (0.001 seconds)                        Test Case '-[M.C testX]' failed (0.001 seconds).

    ✘ Test x() recorded an issue at T.swift:17:9: Expectation failed: 1 == 2
    ↳ what the test says of it
    ✘ Test x() failed after 0.001 seconds with 1 issue.

Swift Testing prints no suite, and of files only the name. xcodebuild ends with a list of failures and crashes.
No log of these tools was available: this follows their sources.
"""

import re
from collections.abc import Iterable
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_TEXT, Failure, Line
from ci_failures.parsers.platforms.swift_names import Kept, add_place, of_testing, xctest
from ci_failures.parsers.text_helpers import strip_mark

ISSUE = re.compile(r"^(\S.{0,400}?):(\d{1,7}): error: (-\[.{1,300}?\]|[\w.]+\.\w+) : (.*)$")
ENDED = re.compile(r"^\s*Test [Cc]ase '(-\[.{1,300}?\]|[^']{1,300}?)' failed(?: on '.{0,200}')? \([\d.]+ seconds\)\.?$")
NAME = r"(\".{1,500}?\"|(?!run )\w.{0,500}?)(?: \(aka '.{1,300}?'\))?"
SYMBOL = r"^\s*(?:[^\w\s]{1,3}\s+|\[!\]\s+)"
ISSUED = rf"{SYMBOL}(?:Test|Suite) {NAME} recorded an issue(?: with \d+ arguments? .{{0,1000}}?)?"
TESTING = re.compile(ISSUED + r" at ([^\s:]{1,400}):(\d{1,7}):\d{1,7}: (.*)$")
NOWHERE = re.compile(ISSUED + r"()(): (.*)$")
TESTING_ENDED = re.compile(
    rf"{SYMBOL}Test {NAME} (?:with \d+ test cases? )?failed after [\d.]+ seconds"
    rf"|^ {{4}}✖ {NAME} \([\d.]+ seconds\) \d+ issue"
)
DETAIL = re.compile(r"^\s*(?:↳|\N{RIGHTWARDS ARROW WITH HOOK}|[\U00100000-\U0010FFFD] ) ?(.*)$")
NEXT = re.compile(r"^(?:Test |\s*Executed |\S+:\d+: |[^\w\s]{1,3}\s+(?:Test|Suite) |\t)|^\s*$")
STARTED = re.compile(r"^Test Case '(-\[.{1,300}?\]|[^']{1,300}?)' started")
PASSED = re.compile(r"^Test Case '.{1,300}'() (?:passed|skipped) \(")
FATAL = re.compile(r"^(?:Thread \d+: )?([^\s:]{1,400}\.swift):(\d{1,7}): Fatal error: (.*)$")
DEAD = re.compile(r"^(?:error: )?Exited with (?:unexpected )?signal code \d+")
LISTING, XCODE = "Failing tests:", "** TEST FAILED **"
"""Output of xcodebuild, which needs a scheme and a destination to run tests again."""
LISTED = re.compile(
    r"^\s+(?:(-\[\S+ \w+\])|((?:\w+\.)*\w+[./]\w+)\((?:[\w:]*)\)|((?:\w+\.)*\w+[./]\w+))(?: \(.{1,100}\))?$"
)
OBJECTIVE = (".m", ".mm")
MOST_LINES = 20


class Swift(Kept):
    """Parser of issues, the ends of tests, and xcodebuild's list."""

    wakes: ClassVar[tuple[str, ...]] = (
        ": error: -[", ".swift:", "<unknown>:", "<EXPR>:", "Test Case '", "Test case '", " recorded an issue",
        " failed after ", LISTING, " issue(s)", XCODE,
        "Exited with ",
    )  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self._open = ""
        self._more = 0
        self._plain = self._listing = self._xcode = False
        self._running = ""
        self._fatal = ("", "", "")

    def read(self, line: Line) -> bool:
        """Read a line: an issue, a detail of the one before, or an end."""
        text = strip_mark(line.text.rstrip())
        if ": error: " in text and (found := ISSUE.match(text)):
            self._begin(self.keep(xctest(found[3], line.number, found[4], found[1], found[2])), found[4], ": error: ")
        elif " recorded an issue" in text and (found := TESTING.match(text) or NOWHERE.match(text)):
            one = add_place(of_testing(found[1], line.number, found[4]), found[2] or "", found[3] or "0")
            self._begin(self.keep(one), found[4], "")
        elif " failed" in text and (found := ENDED.match(text)):
            self._begin("", "", "")
            self._running = ""
            self.keep(xctest(found[1], line.number), ended=True)
        elif found := TESTING_ENDED.match(text) if " failed after " in text or " issue(s)" in text else None:
            self._begin("", "", "")
            self.keep(of_testing(found[1] or found[2], line.number), ended=True)
        elif self._dies(text, line.number):
            pass
        elif text.strip() == LISTING:
            self._listing = self._xcode = True
        elif text.startswith(XCODE):
            self._xcode = True
        elif self._listing and (found := LISTED.match(text)):
            self.keep(xctest(found[1] or found[2] or found[3], line.number), ended=True)
        else:
            self._listing = False
            self._goes_on(text)
        return bool(self._open or self._listing)

    def finish(self) -> Iterable[Failure]:
        """Return what failed; SwiftPM cannot run what xcodebuild ran."""
        for one in super().finish():
            yield evolve(one, selector="") if self._xcode or one.file.endswith(OBJECTIVE) else one

    def _dies(self, text: str, number: int) -> bool:
        """Read which test of XCTest ran when its process ended."""
        if text.startswith("Test Case '") and (found := STARTED.match(text) or PASSED.match(text)):
            self._running, self._fatal = found[1] or "", ("", "", "")
        elif "Fatal error: " in text and (found := FATAL.match(text)):
            self._fatal = found[3], found[1], found[2]
        elif self._running and DEAD.match(text):
            message, path, line = self._fatal
            self.keep(xctest(self._running, number, message or text.removeprefix("error: "), path, line), ended=True)
            self._running = ""
        else:
            return False
        return True

    def _begin(self, key: str, message: str, form: str) -> None:
        """Record an issue, and return whether the next lines may belong to it.

        A message of XCTest continues in plain lines.
        """
        fresh = key and self.found[key].message == message[:MOST_TEXT]
        self._open, self._more, self._plain = key if fresh else "", 0, bool(form)

    def _goes_on(self, text: str) -> None:
        """Read a line that belongs to an issue: details of Swift Testing, or the rest of a message of XCTest."""
        detail = DETAIL.match(text)
        self._more += 1
        if not self._open or self._more > MOST_LINES or (NEXT.match(text) if self._plain else not detail):
            self._open = ""
            return
        one = self.found[self._open]
        said = detail[1] if detail and not self._plain else text
        self.found[self._open] = evolve(one, message=f"{one.message}\n{said}"[:MOST_TEXT])
