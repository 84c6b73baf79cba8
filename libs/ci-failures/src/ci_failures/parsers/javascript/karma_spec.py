r"""karma-spec-reporter: a tree of all tests, and a list of failures below Karma's own total.

  Cart
    when empty
      ✗ throws
\tTypeError: no items
\t    at UserContext.<anonymous> (test/cart.spec.js:9:31)

TOTAL: 1 FAILED, 1 SUCCESS
1) throws
     Cart when empty
     TypeError: no items
    at UserContext.<anonymous> (test/cart.spec.js:9:31)

There is no list if the settings leave it out, or if a browser reports an error outside of the tests.
"""

import re
from collections.abc import Iterable

from ci_failures.model import MOST_FAILURES, Failure, Line
from ci_failures.parsers.javascript.failed import Failed
from ci_failures.parsers.javascript.karma_blocks import Block
from ci_failures.parsers.text_helpers import MOST_LINES

CONNECTED = re.compile(r".*\[(?:[^\[\]]{1,200})\]: Connected on socket ")
LEAF = re.compile(r"((?:  ){1,40})[✗×✓√-] (.*?)(?: \(\d+ms\))?$")  # noqa: RUF001 -- the reporter's own characters
SUITE = re.compile(r"((?:  ){1,40})(\S.*)$")
FAILED_MARKS = "✗×"  # noqa: RUF001 -- the second is that of Windows
TOTAL = re.compile(r"TOTAL: (?:\d+ FAILED, )?\d+ SUCCESS|TOTAL: \d+ FAILED")
ENTRY = re.compile(r"\d+\) (.*)$")
SUITES = " " * 5


class SpecTree:
    """The tree, from the line by which Karma reports that a browser is connected until the run's total."""

    def __init__(self) -> None:
        self._live = False
        self._suites: list[str] = []
        self._blocks: list[Block] = []
        self._is_open = False

    def read(self, line: Line) -> bool:
        """Read a line; return whether more lines are wanted."""
        text = line.text.rstrip()
        if "]: Connected on socket " in text and CONNECTED.match(text):
            self._live = True
        elif TOTAL.match(text):
            self._live = self._is_open = False
        elif self._live and self._is_open and text.startswith("\t"):
            self._blocks[-1].read(text[1:])
        elif self._live and text:
            self._read_row(text, line.number)
        return self._live

    def _read_row(self, text: str, number: int) -> None:
        """Read a suite or a test."""
        self._is_open = False
        if leaf := LEAF.match(text):
            del self._suites[len(leaf[1]) // 2 - 1 :]
            if text[len(leaf[1])] in FAILED_MARKS and len(self._blocks) < MOST_FAILURES:
                self._blocks.append(Block(" ".join((*self._suites, leaf[2])), number))
                self._is_open = True
        elif suite := SUITE.match(text):
            del self._suites[len(suite[1]) // 2 - 1 :]
            self._suites.append(suite[2])

    def clear(self) -> None:
        """Forget what failed, as a list repeats it."""
        self._blocks, self._is_open = [], False

    def failures(self) -> Iterable[Failure]:
        """Return what failed since the last list."""
        return (block.failure() for block in self._blocks)


class SpecList:
    """The list of karma-spec-reporter; other reporters print only the total above it.

    Args:
        failed: The failures, to which those of the list are added.
        tree: The tree of the same run, whose failures the list replaces.
    """

    def __init__(self, failed: Failed, tree: SpecTree) -> None:
        self._failed, self._tree = failed, tree
        self._listing = False
        self._open: Block | None = None
        self._title: list[str] = []
        self._number = 0

    def read(self, line: Line) -> bool:
        """Read the total, or a line of the list below it; return whether the line belongs to the list."""
        text = line.text.rstrip()
        if TOTAL.match(text):
            self.end()
            self._listing = True
        elif not self._listing:
            return False
        elif entry := ENTRY.match(text):
            self._close()
            self._tree.clear()
            self._title, self._number = [entry[1]], line.number
        elif self._open:
            self._open.read(text.removeprefix(SUITES))
        elif self._title and (text.startswith(SUITES) or not text):  # without suites a line of spaces
            title = "\n".join(self._title)
            self._open = Block(f"{text.strip()} {title}".lstrip(), self._number)
        elif self._title and len(self._title) < MOST_LINES:
            self._title.append(text)
        elif text:
            self.end()
        return self._listing

    def end(self) -> None:
        """Record the last failure of the list."""
        self._close()
        self._listing = False

    def _close(self) -> None:
        if self._open:
            self._failed.add(self._open.failure())
        self._open, self._title = None, []
