# ruff: noqa: RUF001, RUF002 -- the signs are those that the tool prints
"""Vitest's tree of the tests of a file: the only output with failures if the log lacks standard error.

     ❯ src/a.test.ts (15 tests | 2 failed) 75ms             before 2:
       ❯ Auth (12)                                                ❯ src/a.test.ts > Auth > rejects
         × rejects 7ms                                              → expected 1 to be 2
       × has no scope 1ms                                   from 2 on: × Auth > rejects 8ms

The verbose reporter prints rows that begin with the file, and no row for the file:

     × src/a.test.ts > Auth > rejects 8ms
       → expected 1 to be 2

Some versions omit the scopes: then a row does not name a test, and its file is reported.
"""

import re
from collections.abc import Iterable

from attrs import define, field

from ci_failures.model import MOST_FAILURES, Confidence
from ci_failures.parsers.text_helpers import relative

FILE = re.compile(r"^ ❯ (?:\|[^|]{1,80}\| )?(\S.{0,400}?) {1,2}\(\d+ tests? \| (\d+) failed")
TAKEN = r"(?: \((?:retry|repeat) x\d+\))*(?: \d+ms)?$"
"""How often a test ran, and how long it took."""
ROW = re.compile(r"^( {3,40})([×❯]) (\S.{0,1000}?)" + TAKEN)
WHOLE = re.compile(r"^ × (?:\|[^|]{1,80}\| )?(\S[^>]{0,400}?\.[cm]?[jt]sx?)( > \S.{0,1000}?)" + TAKEN)
"""A row of the verbose reporter."""
ELSE = re.compile(r"^ [❯✓↓×] ")
PATIENCE = 30
"""Lines at most between two rows: a message may have several, and tests print anything."""
SCOPE = re.compile(r"^(.+) \(\d+\)$")
SAID = re.compile(r"^ +→ (.+)$")
OUTERMOST, STEP = 3, 2
"""Spaces before the row of a file, and additional spaces before a row in a scope."""


@define
class Row:
    """A test that failed, or a file if the log does not show which of its tests did.

    Args:
        name: The file, and behind it the titles.
        number: The number of the line.
        message: The first line of the message, as far as it was printed.
    """

    name: str
    number: int
    message: str = ""


@define
class File:
    """A file whose rows are read.

    Args:
        path: The path of the file.
        number: The number of the line that names it.
        failed: How many of its tests failed, according to that line.
    """

    path: str
    number: int
    failed: int
    rows: list[Row] = field(factory=list)
    scopes: dict[int, str] = field(factory=dict)
    nameless: bool = False

    def take(self, text: str, number: int) -> bool:
        """Read a row, or a message below one; return whether it was a row."""
        if row := ROW.match(text):
            self._row((len(row[1]) - OUTERMOST) // STEP, row[2], row[3], number)
        elif self.rows and not self.rows[-1].message and (said := SAID.match(text)):
            self.rows[-1].message = said[1]
        return row is not None

    def _row(self, depth: int, sign: str, title: str, number: int) -> None:
        self.scopes = {deep: scope for deep, scope in self.scopes.items() if deep < depth}
        scope = SCOPE.match(title)
        if sign == "❯" and title.startswith(f"{self.path} > "):
            self._add(Row(title, number))
        elif sign == "❯" and scope:
            self.scopes[depth] = scope[1]
        elif sign == "×" and len(self.scopes) == depth:
            self._add(Row(" > ".join([self.path, *self.scopes.values(), title]), number))
        elif sign == "×":
            self.nameless = True

    def _add(self, row: Row) -> None:
        if len(self.rows) < MOST_FAILURES:
            self.rows.append(row)

    def list_rows(self) -> Iterable[tuple[Row, Confidence]]:
        """Return what failed, and how sure that is: the line of the file counts its failed tests."""
        if self.nameless or not self.rows:
            said = f"{self.failed} of its tests failed; the log does not tell their whole names"
            return [(Row(self.path, self.number, said), "medium")]
        return [(row, "medium" if len(self.rows) == self.failed else "low") for row in self.rows]


class Tree:
    """The files of a log in which something failed."""

    def __init__(self) -> None:
        self._files: list[File] = []
        self._rows: list[Row] = []
        self._open: File | None = None
        self._patience = 0

    def read(self, text: str, number: int) -> bool:
        """Read a line, and return whether the next one may belong to a tree."""
        self._patience -= 1
        signed = not text.isascii()
        if signed and (found := FILE.match(text)):
            self._patience = PATIENCE
            self._open = File(relative(found[1]), number, int(found[2]))
            if len(self._files) < MOST_FAILURES:
                self._files.append(self._open)
        elif signed and (whole := WHOLE.match(text)):
            self._open = None
            if len(self._rows) < MOST_FAILURES:
                self._rows.append(Row(relative(whole[1]) + whole[2], number))
                return True
        elif self._rows and self._rows[-1].number == number - 1 and (said := SAID.match(text)):
            self._rows[-1].message = said[1]
        elif self._patience < 0 or (signed and ELSE.match(text)):
            self._open = None
        elif self._open and signed and self._open.take(text, number):
            self._patience = PATIENCE
        return self._open is not None

    def list_rows(self) -> Iterable[tuple[Row, Confidence]]:
        """Return what failed in all files."""
        below = [one for file in self._files for one in file.list_rows()]
        return below or [(row, "medium") for row in self._rows]
