# ruff: noqa: RUF001, RUF002 -- the signs are those that Biome prints
"""Prettier, Biome, oxlint, Stylelint and markdownlint.

[warn] src/cart.js
[warn] Code style issues found in 2 files. Run Prettier with --write to fix.

src/cart.js:5:1 lint/suspicious/noDebugger  FIXABLE  ━━━━━━━━━━━━━━━━━━━━
  × This is an unexpected use of the debugger statement.
"""

import re
from collections.abc import Iterable
from typing import ClassVar

from ci_failures.model import Failure, Kind, Line
from ci_failures.parsers.scripting.linting import Linter, RepeatingLinter

STYLE = re.compile(r"\[warn\] (\S.{0,400}?\.\w{1,12})$")
UNREAD = re.compile(r"\[error\] (\S.{0,400}?\.\w{1,12}): (SyntaxError: .*?)(?: \((\d+):(\d+)\))?$")
STYLE_END = re.compile(
    r"\[warn\] Code style issues (?:found in (?:(\d+) files?|the above file)|fixed)|Error occurred when checking"
)
BIOME = re.compile(
    r"(\S.{0,400}?)(?::(\d{1,7}):(\d{1,7}))? "
    r"((?:lint|assist|suppressions|parse|format|check|organizeImports)(?:/\S{1,100})?)\s.*━━"
)
BIOME_TEXT = re.compile(r"\s{0,4}([×✖!ⅈi]) (\S.*)$")
BIOME_CHECKED = re.compile(r"Checked \d+ files? in [\d.]+ ?[\u00b5m]?s\.")
BIOME_TOTAL = re.compile(r"Found (\d+) errors?\.$")
"""Biome's total, below the line that tells how many files it checked; ruff prints the same without that line."""
OXLINT = re.compile(r"  ([x×!⚠]) ([a-z][\w-]{1,40}\([\w/-]{1,80}\)): (\S.*)$")
OXLINT_PLACE = re.compile(r" {1,8}(?:,-|╭─)\[(\S.{0,400}?):(\d{1,7}):(\d{1,7})\]$")
OXLINT_TOTAL = re.compile(r"Found \d+ warnings? and (\d+) errors?\.$")
STYLE_FILE = re.compile(r"(?:/|\./|[A-Za-z]:\\|[\w@.])[^:*?\"<>|]{0,400}\.\w{1,10}$")
STYLE_ROW = re.compile(r" +(\d{1,7}):(\d{1,5}) +(?:✖|\[error\]) +(\S.*?)(?<! ) {2,}+(@?[a-z][\w@/.-]*)$")
STYLE_TOTAL = re.compile(r"✖ \d+ problems? \((\d+) errors?, \d+ warnings?\)$")
NEAR = 4
MARKDOWN = re.compile(
    r"(\S[^:]{0,400}\.(?:md|markdown|mdx)):(\d{1,7})(?::(\d{1,7}))? (?:error )?(MD\d{3})(?:/\S{1,100})? (.*)$",
    re.IGNORECASE,
)
MARKDOWN_TOTAL = re.compile(r"Summary: (\d+) error\(s\)")


class Prettier(Linter):
    """Parser of the files that Prettier would change, which count only with the line at their end."""

    tool: ClassVar[str] = "prettier"
    again: ClassVar[tuple[str, ...]] = ("npx", "prettier", "--check")
    wakes: ClassVar[tuple[str, ...]] = ("[warn] ", "[error] ", "Error occurred when checking")

    def __init__(self) -> None:
        super().__init__()
        self._ended = False

    def read(self, line: Line) -> bool:
        """Read a line with a file, or the last one."""
        text = line.text.rstrip()
        if STYLE_END.match(text):
            self._ended = True
        elif found := STYLE.match(text):
            self.find("style", found[1], 0, "the style differs from Prettier's", line.number)
        elif found := UNREAD.match(text):
            self.find("syntax", found[1], int(found[3] or 0), found[2], line.number, kind="compile")
        return False

    def finish(self) -> Iterable[Failure]:
        """Return the files."""
        return super().finish() if self._ended else ()


class Biome(RepeatingLinter):
    """Parser of Biome's blocks; only those with a cross are errors."""

    tool: ClassVar[str] = "biome"
    again: ClassVar[tuple[str, ...]] = ("npx", "@biomejs/biome", "check")
    wakes: ClassVar[tuple[str, ...]] = (" ━━━━━", "\nChecked ")

    def __init__(self) -> None:
        super().__init__()
        self._checked = -NEAR
        """The number of the last line that begins Biome's summary."""
        self._open: re.Match[str] | None = None
        self._number = 0

    def read(self, line: Line) -> bool:
        """Read a heading, the line with the message below it, or the summary."""
        text = line.text.rstrip()
        if BIOME_CHECKED.match(text):
            self._open, self._checked = None, line.number
        elif self._checked + NEAR > line.number and (total := BIOME_TOTAL.match(text)):
            self.add_total(int(total[1]))
            self._checked = -NEAR
        elif found := BIOME.match(text):
            self._open, self._number = found, line.number
        elif self._open and (said := BIOME_TEXT.match(text)):
            if said[1] in "×✖":
                self._keep(self._open, said[2])
            self._open = None
        elif self._open and line.number - self._number > NEAR:
            self._open = None
        return self._open is not None or self._checked + NEAR > line.number

    def _keep(self, found: re.Match[str], said: str) -> None:
        kind: Kind = "compile" if found[4].startswith("parse") else "lint"
        self.printed += 1
        self.find(
            found[4], found[1], int(found[2] or 0), said, self._number, column=int(found[3] or 0),
            kind=kind,
        )  # fmt: skip


class Oxlint(Linter):
    """Parser of oxlint's findings; those with an exclamation mark are warnings."""

    tool: ClassVar[str] = "oxlint"
    again: ClassVar[tuple[str, ...]] = ("npx", "oxlint")
    wakes: ClassVar[tuple[str, ...]] = ("\n  x ", "\n  × ", " warnings and ", " warning and ")

    def __init__(self) -> None:
        super().__init__()
        self._open: re.Match[str] | None = None
        self._number = 0

    def read(self, line: Line) -> bool:
        """Read a finding, the place below it, or the total."""
        text = line.text.rstrip()
        if found := OXLINT.match(text):
            self._open, self._number = (found, line.number) if found[1] in "x×" else (None, 0)
        elif self._open and (place := OXLINT_PLACE.match(text)):
            rule, said, self._open = self._open[2], self._open[3], None
            self.find(rule, place[1], int(place[2]), said, self._number, column=int(place[3]))
        elif total := OXLINT_TOTAL.match(text):
            self.add_total(int(total[1]))
        elif line.number - self._number > NEAR:
            self._open = None
        return self._open is not None


class Stylelint(Linter):
    """Parser of Stylelint's rows below the file."""

    tool: ClassVar[str] = "stylelint"
    again: ClassVar[tuple[str, ...]] = ("npx", "stylelint")
    wakes: ClassVar[tuple[str, ...]] = ("  ✖  ", "✖ ")
    first_line: ClassVar[str] = r" +\d+:\d+ +(?:✖|\[error\])"
    before: ClassVar[int] = 1

    def __init__(self) -> None:
        super().__init__()
        self._file = ""
        self._begun = 0

    def read(self, line: Line) -> bool:
        """Read a file, a row below it, or the total below all."""
        text = line.text.rstrip()
        if self._file and (row := STYLE_ROW.match(text)):
            self.find(row[4], self._file, int(row[1]), row[3], line.number, column=int(row[2]))
            self._begun = len(self.found)
            return True
        if STYLE_FILE.match(text):
            self._file = text
        elif self._begun and (total := STYLE_TOTAL.match(text)):
            self.reported, self._begun = (self.reported or 0) + int(total[1]), 0
        return self._begun > 0

    def finish(self) -> Iterable[Failure]:
        """Return the rows, which count only with Stylelint's total."""
        return super().finish() if self.reported is not None else ()


class Markdownlint(Linter):
    """Parser of the lines of markdownlint-cli and markdownlint-cli2."""

    tool: ClassVar[str] = "markdownlint"
    again: ClassVar[tuple[str, ...]] = ("npx", "markdownlint-cli2")
    wakes: ClassVar[tuple[str, ...]] = (" MD0", " MD1", "Summary: ")

    def read(self, line: Line) -> bool:
        """Read a line with a finding, or the total."""
        text = line.text.rstrip()
        if found := MARKDOWN.match(text):
            self.find(found[4], found[1], int(found[2]), found[5], line.number, column=int(found[3] or 0))
        elif total := MARKDOWN_TOTAL.match(text):
            self.add_total(int(total[1]))
        return False
