"""Linters for PHP: PHP_CodeSniffer's table, PHPStan's, and Psalm's lines.

    FILE: /home/runner/work/app/app/src/Cart.php       ------ ---------------------------------------
    ----------------------------------------------      Line   src/Cart.php
    FOUND 1 ERROR AFFECTING 1 LINE                     ------ ---------------------------------------
    ----------------------------------------------      12     Call to an undefined method Cart::no().
     2 | ERROR | [x] Line indented incorrectly                 method.notFound
                                                       ------ ---------------------------------------
    ERROR: UndefinedMethod - src/Cart.php:12:5 - Method Cart::no does not exist

No log of PHPStan or Psalm was available: these follow their sources.
"""

import re
from typing import ClassVar

from ci_failures.model import Line
from ci_failures.parsers.scripting.linting import Linter

FILE = re.compile(r"^FILE: (\S.{0,400})$")
SNIFF = re.compile(r"^ *(\d{1,7}) \| ERROR +\| (?:\[[ x]\] )?(.*)$")
SNIFFED = re.compile(r"^ *\| {1,9}\| +(\S.*)$")
RULE = re.compile(r" ?\(([A-Z][\w.]{3,200})\)$")
HEAD = re.compile(r"^ {2}Line {3}(\S.{0,400}\.\w{1,8})(?: \(in context of .*\))?$")
ROW = re.compile(r"^ {2}(\d{1,7}|:\d{1,7}) {2,6}(\S.*)$")
IDENTIFIER = re.compile(r"^ {6,9}(?:\S{1,2} +)?([a-zA-Z]+(?:\.[a-zA-Z]+)+)$")
REST = re.compile(r"^ {6,9}(\S.*)$")
BAR = re.compile(r"^ -{4,}(?: -+)?$")
COUNT = re.compile(r"^ \[ERROR\] Found (\d+) errors?$")
PSALM = re.compile(r"^ERROR: (\w{3,60}) - (\S{1,400}):(\d{1,7}):(\d{1,7}) - (.*?)(?: \(see https://psalm\.dev/\d+\))?$")


class PhpCodeSniffer(Linter):
    """Parser of the table's errors; without the names of the rules, a finding is named by its message."""

    tool: ClassVar[str] = "phpcs"
    again: ClassVar[tuple[str, ...]] = ("vendor/bin/phpcs",)
    wakes: ClassVar[tuple[str, ...]] = ("\nFILE: ",)

    def __init__(self) -> None:
        super().__init__()
        self._file = ""
        self._open: tuple[int, list[str], int] | None = None

    def read(self, line: Line) -> bool:
        """Read a line of the table, which ends with the third rule, or where the next one begins."""
        text = line.text.rstrip()
        if found := FILE.match(text):
            self._close()
            self._file = found[1]
        elif found := SNIFF.match(text):
            self._close()
            self._open = int(found[1]), [found[2]], line.number
        elif self._open and (found := SNIFFED.match(text)):
            self._open[1].append(found[1])
        else:
            self._close()
            if text and not text.startswith(("-", "FOUND ", "PHPCBF ")) and "|" not in text:
                self._file = ""
        return bool(self._file)

    def _close(self) -> None:
        if self._open:
            line, parts, number = self._open
            text = " ".join(parts)
            rule = RULE.search(text)
            said = RULE.sub("", text)
            self.find(rule[1] if rule else said, self._file, line, said, number)
        self._open = None


class PhpStan(Linter):
    """Parser of the tables' rows, with the identifiers below them."""

    tool: ClassVar[str] = "phpstan"
    again: ClassVar[tuple[str, ...]] = ("vendor/bin/phpstan", "analyse")
    wakes: ClassVar[tuple[str, ...]] = ("\n  Line   ", "\n [ERROR] Found ")

    def __init__(self) -> None:
        super().__init__()
        self._file = ""
        self._row: tuple[int, list[str], str, int] | None = None
        self._bars = 0

    def read(self, line: Line) -> bool:
        """Read a line of a table, which ends with the second rule below its head."""
        text = line.text.rstrip()
        if found := HEAD.match(text):
            self._file, self._bars = found[1], 0
        elif found := COUNT.match(text):
            self.add_total(int(found[1]))
        elif not self._file:
            return False
        elif BAR.match(text):
            self._close()
            self._bars += 1
            self._file = self._file if self._bars < 2 else ""  # noqa: PLR2004 -- the rule below the head, and the one at the end
        elif found := ROW.match(text):
            self._close()
            self._row = int(found[1].lstrip(":")), [found[2]], "", line.number
        elif self._row and (found := IDENTIFIER.match(text)):
            self._row = (*self._row[:2], found[1], self._row[3])
        elif self._row and not self._row[2] and (found := REST.match(text)):
            self._row[1].append(found[1])
        return bool(self._file)

    def _close(self) -> None:
        if self._row:
            at, parts, rule, number = self._row
            text = " ".join(parts)
            self.find(rule or text, self._file, at, text, number)
        self._row = None


class Psalm(Linter):
    """Parser of errors, each on its own line."""

    tool: ClassVar[str] = "psalm"
    again: ClassVar[tuple[str, ...]] = ("vendor/bin/psalm",)
    wakes: ClassVar[tuple[str, ...]] = ("\nERROR: ",)
    first_line: ClassVar[str] = r"ERROR: \w{3,60} - \S"

    def read(self, line: Line) -> bool:
        """Read a line with an error."""
        if found := PSALM.match(line.text.rstrip()):
            self.find(found[1], found[2], int(found[3]), found[5], line.number, column=int(found[4]))
        return False
