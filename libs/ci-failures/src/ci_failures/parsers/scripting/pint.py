# ruff: noqa: RUF001, RUF002 -- the signs are those that Pint prints
"""Laravel Pint, whose findings are files with the rules that they break, below its total.

      FAIL   ......................................... 149 files, 1 error, 1 style issue
      ⨯ routes/web.php               fully_qualified_strict_types, ordered_imports
      ! src/Cart.php                 Parse error: syntax error, unexpected '}' on line 9.

With a check mark, a file was corrected, which fails nothing; a terminal's width cuts rules.
"""

import re
from typing import ClassVar

from ci_failures.model import Line
from ci_failures.parsers.scripting.linting import Linter

TOTAL = re.compile(
    r" {0,8}(?:FAIL|PASS|FIXED) +\.{3,400} +\d{1,7} files?(?: ?, (?P<errors>\d{1,7}) errors?)?"
    r"(?: ?, (?P<issues>\d{1,7}) style issues?(?P<fixed> fixed)?)?$"
)
ROW = re.compile(r" {0,8}(?P<sign>[⨯!✓]) (?P<file>\S.{0,400}?\.php) +(?P<text>\S.*)$")
AT_LINE = re.compile(r" on line (\d{1,7})\.?$")


class Pint(Linter):
    """Parser of the files that Pint would change, and of those that it cannot parse."""

    tool: ClassVar[str] = "pint"
    again: ClassVar[tuple[str, ...]] = ("vendor/bin/pint", "--test")
    counts_printed: ClassVar[bool] = True
    wakes: ClassVar[tuple[str, ...]] = tuple(
        f"{word}{blanks}..." for word in ("FAIL", "PASS") for blanks in (" ", "  ", "   ")
    )
    first_line: ClassVar[str] = r" *(?:FAIL|PASS) +\.{3,} +\d+ files?\b"

    def __init__(self) -> None:
        super().__init__()
        self._is_below = False
        """Whether the last line was the total or a file below it."""

    def read(self, line: Line) -> bool:
        """Read the total, or a file below it."""
        text = line.text.rstrip()
        if total := TOTAL.match(text):
            issues = 0 if total["fixed"] else int(total["issues"] or 0)
            self.add_total(int(total["errors"] or 0) + issues)
            self._is_below = True
        elif self._is_below and (row := ROW.match(text)):
            self._read_row(row, line.number)
        elif not text.strip():
            return self._is_below
        elif not text.startswith(" "):  # further lines of `-v` are indented
            self._is_below = False
        return self._is_below

    def _read_row(self, row: re.Match[str], number: int) -> None:
        if row["sign"] == "⨯":
            self.find("style", row["file"], 0, row["text"], number)
        elif row["sign"] == "!":
            at = AT_LINE.search(row["text"])
            self.find("syntax", row["file"], int(at[1]) if at else 0, row["text"], number, kind="compile")
