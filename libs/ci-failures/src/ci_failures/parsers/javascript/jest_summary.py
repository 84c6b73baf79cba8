# ruff: noqa: RUF001 -- the signs are those that the tool prints
"""The tree of jest-summary-reporter, which names failed tests and tells nothing else of them.

    Summary of failed tests

    a.test.js
      cart
        ✕ adds
        ✕ throws

It leaves a scope only for a test of another one with as many or more titles: a test outside of all scopes, and one
whose innermost scope has the same title, stands below a scope that it is not in. Only the first test below newly
printed scopes is certain.
"""

import re

from ci_failures.model import MOST_FAILURES, Failure

HEADINGS = ("Summary of failed tests", "Summary of tests")
FILE = re.compile(r"(\S.{0,400}\.[cm]?[jt]sx?)$")
ROW = re.compile(r"((?: {2}){1,50})(?:([✕✓○]) )?(\S.*)$")
INDENT = 2


class SummaryTree:
    """The tree, read line by line.

    Attributes:
        is_open: Whether a line may belong to it.
        failures: The failed tests; the names of those with low confidence may be wrong.
    """

    def __init__(self) -> None:
        self.is_open = False
        self.failures: list[Failure] = []
        self._file = ""
        self._scopes: list[str] = []
        self._fresh = True
        """Whether the scopes were printed for the next test, from the outermost one, or there are none."""

    def read(self, text: str, number: int) -> None:
        """Read a line; one that belongs to no tree closes it."""
        if text.startswith(HEADINGS) and text.rstrip() in HEADINGS:
            self.is_open, self._file = True, ""
        elif not self.is_open or (not text.strip() and not self._file):
            return
        elif found := FILE.match(text):
            self._file, self._scopes, self._fresh = found[1], [], True
        elif self._file and (row := ROW.match(text)):
            self._read_row(len(row[1]) // INDENT - 1, row[2], row[3], number)
        else:
            self.is_open = False

    def _read_row(self, depth: int, mark: str | None, title: str, number: int) -> None:
        """Read a scope, or a test in the scopes before it."""
        if not mark:
            self._fresh = depth == 0 or (self._fresh and depth == len(self._scopes))
            self._scopes = [*self._scopes[:depth], title]
            return
        if mark == "✕" and len(self.failures) < MOST_FAILURES:
            self.failures.append(
                Failure(
                    tool="jest",
                    name=" › ".join((self._file, *self._scopes, title)),
                    file=self._file,
                    selector=self._file,
                    log_line=number,
                    confidence="medium" if self._fresh or not self._scopes else "low",
                )
            )
        self._fresh = not self._scopes
