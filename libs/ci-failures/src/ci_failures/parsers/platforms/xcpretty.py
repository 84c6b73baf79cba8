"""xcpretty and xcbeautify: the class precedes its tests, and xcpretty lists their places at its end.

    CartTests                                              AppTests.CartTests
        ✗ testAdds, XCTAssertTrue failed                     testAdds, XCTAssertTrue failed
        ✖ [OtherTests] testIt on 'iPhone 15' (0.1 seconds)   /Users/runner/work/app/app/AppTests/CartTests.swift:12

No log of these tools was available: this follows their sources.
"""

import re
from typing import ClassVar

from ci_failures.model import Line
from ci_failures.parsers.platforms.swift_names import Kept, xctest

FAILED = re.compile(r"^ {4}[✗✖] (?:\[(\w{2,200})\] )?(\w{2,300})(?: on '.{0,200}')?(?:, (.*)| \([\d.]+ seconds\))$")
CLASS = re.compile(r"^(?:Test Suite |Suite )?('?)([A-Z]\w{2,200})\1(?: started.*)?$")
QUALIFIED = re.compile(r"^((?:\w+\.)+\w+)$")
TOLD = re.compile(r"^ {2}(\w{2,300}), (.*)$")
PLACE = re.compile(r"^ {2}(\S.{0,400}?\.(?:swift|mm?)):(\d{1,7})$")


class XcPretty(Kept):
    """Parser of failed tests and their places."""

    wakes: ClassVar[tuple[str, ...]] = ("    ✗ ", "    ✖ ", ".swift:", ".m:")
    before: ClassVar[int] = 50

    def __init__(self) -> None:
        super().__init__()
        self._class = self._of = ""
        self._test = ("", "")

    def read(self, line: Line) -> bool:
        """Read a line: a class, a failed test, or its place."""
        text = line.text.rstrip()
        if found := CLASS.match(text):
            self._class = found[2]
        elif found := QUALIFIED.match(text):
            self._of = found[1]
        elif found := FAILED.match(text):
            of = found[1] or self._class
            if of:
                self.keep(xctest(f"{of}.{found[2]}", line.number, found[3] or ""), ended=True)
        elif found := TOLD.match(text):
            self._test = found[1], found[2]
        elif self._of and self._test[0] and (found := PLACE.match(text)):
            self._place(line.number, found[1], found[2])
        return False

    def _place(self, number: int, path: str, line: str) -> None:
        """Read the place of a known test: other programs print lists of the same form."""
        (method, message), self._test = self._test, ("", "")
        if f"{self._of.rpartition('.')[2]}/{method}" in self.found:
            self.keep(xctest(f"{self._of}.{method}", number, message, path, line), ended=True)
