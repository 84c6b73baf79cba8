"""actionlint and yamllint.

.github/workflows/ci.yml:4:14: label "x" is unknown. available labels are … [runner-label]
src/x.yaml:3:1: [error] duplication of key "b" in mapping (key-duplicates)
"""

import re
from typing import ClassVar

from ci_failures.model import Line
from ci_failures.parsers.scripting.linting import Linter

ACTIONLINT = re.compile(r"(\S[^:]{0,400}\.ya?ml):(\d{1,7}):(\d{1,7}): (\S.*) \[([a-z][a-z-]{1,40})\]$")
YAML_LINE = re.compile(r"(\S[^:]{0,400}\.ya?ml):(\d{1,7}):(\d{1,7}): \[error\] (.*?)(?: \(([a-z][a-z-]{1,40})\))?$")
YAML_FILE = re.compile(r"(?:::group::|##\[group\])?(\./\S.{0,400}|\S{1,400}\.(?:ya?ml|clang-format|yamllint))$")
YAML_BELOW = re.compile(r" {2,}(\d{1,7}):(\d{1,7}) +error +(.*?)(?: +\(([a-z][a-z-]{1,40})\))?$")
YAML_GITHUB = re.compile(r"(?:::error [^:]{0,400}::|##\[error\])(\d{1,7}):(\d{1,7}) \[([a-z][a-z-]{1,40})\] (.*)$")


class Actionlint(Linter):
    """Parser of actionlint's findings."""

    tool: ClassVar[str] = "actionlint"
    again: ClassVar[tuple[str, ...]] = ("actionlint",)
    wakes: ClassVar[tuple[str, ...]] = tuple(f".y{end}:{digit}" for end in ("ml", "aml") for digit in "123456789")

    def read(self, line: Line) -> bool:
        """Read a line with a finding."""
        found = ACTIONLINT.match(line.text.rstrip())
        if found and not found[4].startswith("[") and "workflows/" in found[1]:
            self.find(found[5], found[1], int(found[2]), found[4], line.number, column=int(found[3]))
        return False


class Yamllint(Linter):
    """Parser of yamllint's errors: parsable, standard below the file, and GitHub's."""

    tool: ClassVar[str] = "yamllint"
    again: ClassVar[tuple[str, ...]] = ("yamllint",)
    wakes: ClassVar[tuple[str, ...]] = ("[error] ", ".yml\n", ".yaml\n")

    def __init__(self) -> None:
        super().__init__()
        self._file = ""

    def read(self, line: Line) -> bool:
        """Read a line with a file or a finding."""
        text = line.text.rstrip()
        if found := YAML_LINE.match(text):
            self.find(found[5] or "syntax", found[1], int(found[2]), found[4], line.number, column=int(found[3]))
        elif self._file and (found := YAML_BELOW.match(text)):
            self.find(found[4] or "syntax", self._file, int(found[1]), found[3], line.number, column=int(found[2]))
        elif self._file and (found := YAML_GITHUB.match(text)):
            self.find(found[3], self._file, int(found[1]), found[4], line.number, column=int(found[2]))
        elif found := YAML_FILE.match(text):
            self._file = found[1]
        elif not text.startswith(("  ", "::", "##[")):
            self._file = ""
        return bool(self._file)
