"""Kotest's own console: a tree of tests, the list of those that failed, and the totals.

5.  org.example.CartTest
+ with two items
    - counts them FAILED

expected:<3> but was:<2>
      org.example.CartTest$1$2$1.invokeSuspend(CartTest.kt:19)
>> There were test failures

 org.example.CartTest
 - with two items -- counts them

Specs:   1 passed, 1 failed, 2 total
Tests:   12 passed, 1 failed, 0 ignored, 13 total
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, evolve, field

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.jvm.exception_trace import Trace

START, LIST = ">> Kotest", ">> There were test failures"
SPEC = re.compile(r"\d{1,6}\. {1,5}(\S.*)$")
NODE = re.compile(r"((?: {4}){0,30})[-+] (.+?)(?: (OK|FAILED|ERROR|IGNORED)(?: .*)?)?$")
FRAME = re.compile(r" {2,}[\w.$/@-]+\.[^.()]+\([\w$-]+\.\w+(?::\d+)?\)$")
TOTAL = re.compile(r"Tests: +\d+ passed, (\d+) failed, \d+ ignored, \d+ total$")
LISTED = re.compile(r" - (.+)$")
LISTED_SPEC = re.compile(r" ([^\s-].*)$")
RESULT = re.compile(r"class [\w.$]+ Error\(duration=")
"""The result of a spec, which Kotest 6 prints above the exception."""
BETWEEN = " -- "
"""The separator between a test and what contains it."""
INDENT = 4


@define
class KotestBlock:
    """A failed test, or a spec that could not run, whose lines are being read."""

    spec: str
    titles: Sequence[str]
    number: int
    trace: Trace = field(factory=Trace)
    has_status: bool = True
    """Whether the tree tells how it ended; of a test that contains others it does not."""


def join_name(spec: str, titles: Sequence[str]) -> str:
    """Return the name of a test, as Gradle prints it; of a spec its own."""
    return f"{spec}.{' > '.join(titles)}" if titles else spec


class Kotest(Parser):
    """Parser of the tree, the list and the totals."""

    tool: ClassVar[str] = "kotest"
    wakes: ClassVar[tuple[str, ...]] = ("\n>> Kotest\n", "\n>> There were test failures\n")

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._unsure: dict[str, Failure] = {}
        """What is printed below tests that contain others: the exception of a failed one, or output."""
        self._listed: list[Failure] = []
        self._spec = ""
        self._titles: list[str] = []
        self._block: KotestBlock | None = None
        self._listing = self._is_listed = False
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Read a line; all lines between the start and the totals belong to the run."""
        text = line.text.rstrip()
        if text in {START, LIST}:
            self._close()
            self._listing, self._spec, self._titles = text == LIST, "", []
            self._is_listed |= self._listing
        elif total := TOTAL.match(text):
            self._close()
            self._counted = (self._counted or 0) + int(total[1])
            return False
        elif self._listing:
            self._read_listed(text, line.number)
        elif spec := SPEC.match(text):
            self._close()
            self._spec, self._titles = spec[1], []
            self._block = KotestBlock(self._spec, (), line.number)
        elif (node := NODE.match(text)) and self._spec:
            self._read_node(len(node[1]) // INDENT, node[2], node[3] or "", line.number)
        elif self._block and not RESULT.match(text):
            self._block.trace.take(f"\tat {text.strip()}" if FRAME.match(text) else text)
        return True

    def finish(self) -> Iterable[Failure]:
        """Return what failed: what the list names, or what the tree has if the log ends before the list."""
        self._close()
        if not self._is_listed:
            return [one for name, one in self._found.items() if name != one.selector]
        found = self._unsure | self._found
        return [evolve(found.get(one.name, one), confidence="high") for one in self._listed]

    def total(self) -> int | None:
        """Return how many tests failed, and the specs without a failed test, which Kotest lists and does not count."""
        if self._counted is None:
            return None
        return self._counted + sum(one.name == one.selector for one in self._listed)

    def _read_node(self, depth: int, title: str, status: str, number: int) -> None:
        self._close()
        self._titles[depth:] = [title]
        if status in {"FAILED", "ERROR"}:
            self._block = KotestBlock(self._spec, tuple(self._titles), number)
        elif not status:
            self._block = KotestBlock(self._spec, tuple(self._titles), number, has_status=False)
        elif not depth:
            self._block = KotestBlock(self._spec, (), number)  # what fails behind its last test

    def _read_listed(self, text: str, number: int) -> None:
        """Read a line of the list: a spec, or one of its tests, whose spec is above it."""
        if test := LISTED.match(text):
            if self._listed and self._listed[-1].name == self._spec:
                self._listed.pop()
            self._list(join_name(self._spec, test[1].split(BETWEEN)), number)
        elif spec := LISTED_SPEC.match(text):
            self._spec = spec[1]
            self._list(self._spec, number)
        elif self._listed:
            self._listing = False

    def _list(self, name: str, number: int) -> None:
        if len(self._listed) < MOST_FAILURES:
            self._listed.append(Failure(tool=self.tool, name=name, selector=self._spec, log_line=number))

    def _close(self) -> None:
        """Record the failure of the open block."""
        block, self._block = self._block, None
        found = self._found if block is None or block.has_status else self._unsure
        if block is None or not (block.titles or block.trace.message) or len(found) >= MOST_FAILURES:
            return
        name = join_name(block.spec, block.titles)
        file, row = block.trace.place(block.spec)
        found.setdefault(name, Failure(
            tool=self.tool, name=name, message=block.trace.message, file=file, line=row, selector=block.spec,
            log_line=block.number, confidence="medium",
        ))  # fmt: skip
