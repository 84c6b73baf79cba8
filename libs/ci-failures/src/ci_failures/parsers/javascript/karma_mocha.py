r"""karma-mocha-reporter: a tree, and a list of failures that lacks suites of the tree.

START:
  Cart
    when empty
      ✖ throws
SUMMARY:
✖ 1 test failed
FAILED TESTS:
      ✖ throws
        Chrome Headless 120.0 (Linux x86_64)
      TypeError: no items
          at UserContext.<anonymous> (test/cart.spec.js:9:31)
"""

import re
from typing import ClassVar

from ci_failures.model import Line
from ci_failures.parsers.javascript.failed import CountedParser
from ci_failures.parsers.javascript.karma_blocks import BROWSER, Block

LEAF = re.compile(r"( {2,80})([✖✔ℹ]) (.*)$")  # noqa: RUF001 -- the reporter's own character
SUITE = re.compile(r"( {2,80})(\S.*)$")
RAN_BY = re.compile(rf" {{2,80}}{BROWSER}$")
SUMMED = re.compile(r"✖ (\d+) tests? failed$|✔ ([1-9]\d*) tests? completed$")
MOST_LEAVES = 10_000


class KarmaMocha(CountedParser):
    """Parser of karma-mocha-reporter: the names from the tree, in their order, and the rest from the list."""

    tool: ClassVar[str] = "karma"
    wakes: ClassVar[tuple[str, ...]] = ("\nSTART:\n", "\nFAILED TESTS:\n")

    def __init__(self) -> None:
        super().__init__()
        self._part = ""
        self._suites: list[tuple[int, str]] = []
        self._leaves: list[tuple[str, list[str]]] = []
        self._open: Block | None = None
        self._is_message = False

    def read(self, line: Line) -> bool:
        """Read a line of the tree, the summary or the list."""
        text = line.text.rstrip()
        if text in {"START:", "SUMMARY:", "FAILED TESTS:"}:
            self._end()
            self._part, self._suites = text, []
        elif self._part == "SUMMARY:" and (total := SUMMED.match(text)):
            self._counted = (self._counted or 0) + int(total[1] or 0)
        elif self._part == "START:":
            self._read_tree(text)
        elif self._part == "FAILED TESTS:":
            self._read_list(text, line.number)
        return bool(self._part)

    def _read_tree(self, text: str) -> None:
        if text.startswith("Finished in "):
            self._part = "SUMMARY:"
        elif found := LEAF.match(text):
            self._leave(len(found[1]))
            if found[2] == "✖" and len(self._leaves) < MOST_LEAVES:
                self._leaves.append((found[3], [name for _, name in self._suites]))
        elif found := SUITE.match(text):
            self._leave(len(found[1]))
            self._suites.append((len(found[1]), found[2]))

    def _leave(self, depth: int) -> None:
        while self._suites and self._suites[-1][0] >= depth:
            self._suites.pop()

    def _read_list(self, text: str, number: int) -> None:
        found = LEAF.match(text)
        if found and found[2] == "✖":
            self._end()
            self._leave(len(found[1]))
            self._open, self._is_message = Block(self._name(found[3], len(found[1])), number), False
        elif self._open is None:
            if suite := SUITE.match(text):
                self._leave(len(suite[1]))
                self._suites.append((len(suite[1]), suite[2]))
            elif text:
                self._part = ""
        elif RAN_BY.match(text):
            self._is_message = True
        elif self._is_message and text:
            self._open.read(text)
        elif self._is_message:
            self._end()
        else:  # a title with a line break
            self._open.name += f"\n{text}"

    def _name(self, title: str, depth: int) -> str:
        """Return the whole name: the suites of the list, if none is missing, or of the next such title in the tree."""
        if depth == 2 * len(self._suites) + 2:
            return " ".join((*(name for _, name in self._suites), title))
        for index, (leaf, suites) in enumerate(self._leaves):
            if leaf == title:
                del self._leaves[index]
                return " ".join((*suites, title))
        return " ".join((*(name for _, name in self._suites), title))

    def _end(self) -> None:
        if self._open:
            self._failed.add(self._open.failure())
        self._open = None
