"""RuboCop 1, the formatters progress, clang, emacs and simple.

app/cart.rb:1:7: C: Style/Documentation: Missing top-level documentation comment for class Cart.
class Cart
^^^^
3 files inspected, 1 offense detected, 1 offense autocorrectable
"""

import re
from typing import ClassVar

from ci_failures.model import Line
from ci_failures.parsers.scripting.linting import Linter

OFFENCE = re.compile(
    r"^(\S.{0,400}?):(\d{1,7}):(\d{1,7}): [CRWEFI]: (?:\[Correct(?:able|ed)\] )?([A-Z]\w*(?:/[A-Z]\w*)+)(?:: )(.*)$"
)
LISTED = re.compile(r"^[CRWEFI]: {0,4}(\d{1,7}): {0,4}(\d{1,7}): (?:\[Correct\w+\] )?([A-Z]\w*(?:/[A-Z]\w*)+): (.*)$")
FILE = re.compile(r"^== (\S.{0,400}) ==$")
COUNTS = re.compile(r"^\d+ files? inspected, (\d+|no) offenses? detected")


class Rubocop(Linter):
    """Parser of offenses and their total; corrected ones are not reported."""

    tool: ClassVar[str] = "rubocop"
    again: ClassVar[tuple[str, ...]] = ("bundle", "exec", "rubocop")
    wakes: ClassVar[tuple[str, ...]] = (
        *(f": {severity}: " for severity in "CRWEF"), *(f"\n{severity}: " for severity in "CRWEF"),
        " inspected, ",
    )  # fmt: skip
    before: ClassVar[int] = 1

    def __init__(self) -> None:
        super().__init__()
        self._file = ""

    def read(self, line: Line) -> bool:
        """Read a line with an offense, a file, or the total."""
        text = line.text.rstrip()
        if found := OFFENCE.match(text):
            if ": [Corrected] " not in text:
                self.find(found[4], found[1], int(found[2]), found[5], line.number, column=int(found[3]))
        elif found := FILE.match(text):
            self._file = found[1]
        elif self._file and (found := LISTED.match(text)):
            self.find(found[3], self._file, int(found[1]), found[4], line.number, column=int(found[2]))
        elif found := COUNTS.match(text):
            self.add_total(int(found[1].replace("no", "0")))
        return False
