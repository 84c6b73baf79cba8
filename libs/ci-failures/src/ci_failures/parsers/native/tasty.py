r"""tasty, the test framework of Haskell: a tree of groups, and below each test that failed why.

All
  Unit
    adds:      OK
    subtracts: FAIL (0.02s)
      test/Main.hs:7:
      expected: 3
       but got: 4
      Use -p '/subtracts/' to rerun this test only.

1 out of 2 tests failed (0.02s)
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Kind, Line
from ci_failures.parsers.javascript.failed import CountedParser
from ci_failures.parsers.native.program_context import source, strip_package, strip_prefix
from ci_failures.parsers.text_helpers import MOST_LINES, command, each_once, join_message, parse_count

RESULT = re.compile(
    r"( {0,120})(\S.{0,500}?): {1,200}(OK|FAIL|TIMEOUT|PASS \(unexpected\)|FAIL \(expected\))(?: \(\d+\.\d\ds\))?$"
)
FAILING = frozenset({"FAIL", "TIMEOUT", "PASS (unexpected)"})
GROUP = re.compile(r"( {0,120})(\S.{0,500})$")
TOTAL = re.compile(r"(?:(\d{1,9}) out of \d{1,9}|All \d{1,9}) tests (?:failed|passed) \(\d+\.\d\ds\)$")
RERUN = re.compile(r"Use -p '(.{1,500})' to rerun this test only\.$")
PLACE = re.compile(
    r"(?:Error: )?(\S.{0,300}\.l?hs):(\d{1,7})(?::\d{1,7})?:?$|.{0,200}called at (\S{1,300}\.l?hs):(\d{1,7}):"
)
DEEPEST = 40
"""Groups within each other that are distinguished."""


class Tasty(CountedParser):
    """Parser of the tree and of its total, without which it may be another tool's."""

    tool: ClassVar[str] = "tasty"
    wakes: ClassVar[tuple[str, ...]] = (
        *(" OK\n", " OK (", " FAIL\n", " FAIL (", " TIMEOUT (", " tests failed (", " tests passed ("),
        " PASS (unexpected)",
    )
    first_line: ClassVar[str] = r".{0,120}\S: +(?:OK|FAIL|TIMEOUT|PASS \(unexpected\))(?: \(\d+\.\d\ds\))?$"
    before: ClassVar[int] = 50

    def __init__(self) -> None:
        super().__init__()
        self._groups: list[tuple[int, str]] = []
        self._open: tuple[int, Failure] | None = None
        self._said: list[str] = []
        self._pending: list[Failure] = []

    def read(self, line: Line) -> bool:
        """Read a result, a group, a line of a message or the total."""
        text = strip_package(strip_prefix(line.text)).rstrip()
        if total := TOTAL.match(text):
            self._end()
            self._end_tree(parse_count(total[1] or "0"))
        elif found := RESULT.match(text):
            self._end()
            self._begin(len(found[1]), found[2], found[3], line.number)
        elif self._open and (not text or text.startswith(" " * (self._open[0] + 1))):
            if len(self._said) < MOST_LINES:
                self._said.append(text)
        elif group := GROUP.match(text):
            self._end()
            self._enter(len(group[1]), group[2])
        return bool(self._open)

    def _begin(self, indent: int, title: str, status: str, number: int) -> None:
        """Begin the result of a test within its groups."""
        self._enter(indent, title)
        name = ".".join(part for _, part in self._groups)
        if status in FAILING:
            kind: Kind = "timeout" if status == "TIMEOUT" else "test"
            message = "" if status == "FAIL" else status
            self._open = indent, Failure(tool=self.tool, kind=kind, name=name, message=message, log_line=number)

    def _enter(self, indent: int, title: str) -> None:
        """Enter a group, which leaves those that are indented as much as it or more."""
        while self._groups and self._groups[-1][0] >= indent:
            self._groups.pop()
        if len(self._groups) < DEEPEST:
            self._groups.append((indent, title))

    def _end(self) -> None:
        """Record the open test for the tree's total."""
        if self._open and len(self._pending) < MOST_FAILURES:
            self._pending.append(_with_message(self._open[1], self._said))
        self._open, self._said = None, []

    def _end_tree(self, counted: int) -> None:
        """Record the failures of a tree, whose total shows that it is tasty's."""
        for one in self._pending:
            self._failed.add(one)
        self._pending, self._groups = [], []
        self._counted = (self._counted or 0) + counted

    def finish(self) -> Iterable[Failure]:
        """Return what failed; of a tree without a total what has a command of tasty, with less certainty."""
        self._end()
        cut = [evolve(one, confidence="medium") for one in self._pending if one.selector]
        return [*self._failed.with_confidence(self._counted), *cut][:MOST_FAILURES]

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command of cabal with a pattern that is one of the tests."""
        patterns = each_once(f'$0 == "{one.name}"' for one in failures)
        return command("cabal", "test", f"--test-option=--pattern={' || '.join(patterns)}")


def _with_message(one: Failure, said: Sequence[str]) -> Failure:
    """Return a failure with its message, the place that it names, and the pattern with which tasty runs it again."""
    message, file, line, selector = [one.message] if one.message else [], "", None, ""
    for text in said:
        bare = text.strip()
        if rerun := RERUN.match(bare):
            selector = rerun[1]
            continue
        message.append(text)
        if not file and (place := PLACE.match(bare)):
            file, line = source(place[1] or place[3]), int(place[2] or place[4])
    return evolve(one, message=join_message(message), file=file, line=line, selector=selector)
