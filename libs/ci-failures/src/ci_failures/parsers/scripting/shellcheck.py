"""ShellCheck, for people and in GCC's format.

In build.sh line 3:
echo $1
^-- SC2086 (info): Double quote to prevent globbing and word splitting.

build.sh:3:6: note: Double quote to prevent globbing and word splitting. [SC2086]
"""

import re
from typing import ClassVar

from ci_failures.model import Line
from ci_failures.parsers.scripting.linting import Linter

PLACE = re.compile(r"^In (\S.{0,400}) line (\d{1,7}):$")
SAID = re.compile(r"^( *)\^-+\^? ?(SC\d{3,5}) \((?:error|warning|info|style)\): (.*)$")
GCC = re.compile(r"^(\S.{0,400}?):(\d{1,7}):(\d{1,7}): (?:error|warning|note): (.*) \[(SC\d{3,5})\]$")


class ShellCheck(Linter):
    """Parser of comments, each once: one rule at one place is one comment."""

    tool: ClassVar[str] = "shellcheck"
    again: ClassVar[tuple[str, ...]] = ("shellcheck",)
    wakes: ClassVar[tuple[str, ...]] = ("\nIn ", "-- SC", "-^ SC", "^ SC", " [SC")

    def __init__(self) -> None:
        super().__init__()
        self._at = ("", 0)

    def read(self, line: Line) -> bool:
        """Read a line with a comment, or the place of those below."""
        text = line.text.rstrip()
        if found := PLACE.match(text):
            self._at = found[1], int(found[2])
        elif self._at[0] and (found := SAID.match(text)):
            self.find(found[2], *self._at, found[3], line.number, column=len(found[1]) + 1)
        elif found := GCC.match(text):
            self.find(found[5], found[1], int(found[2]), found[4], line.number, column=int(found[3]))
        return False
