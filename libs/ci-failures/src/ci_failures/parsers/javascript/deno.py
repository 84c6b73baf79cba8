"""Deno's tests: the errors of a run, each below the name of its test and its place.

 ERRORS

outer ... inner bad => ./a_test.ts:5:122
error: TypeError: no items
    at eq (file:///home/runner/work/app/app/a_test.ts:1:61)

 FAILURES
FAILED | 2 passed (1 step) | 3 failed (2 steps) | 1 ignored (2s)
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Kind, Line, Parser
from ci_failures.parsers.javascript.failed import Failed
from ci_failures.parsers.javascript.patterns import any_of, escape_pattern
from ci_failures.parsers.javascript.stacks import frame
from ci_failures.parsers.text_helpers import MOST_LINES, command, each_once, join_message, relative

TEST = re.compile(r"^(\S.{0,900}?) => (?:file://)?(\S.{0,500}?):(\d{1,7}):\d{1,7}$")
FILE = re.compile(r"(\S.{0,500}) \(uncaught error\)$")
TOTAL = re.compile(r"(?:ok|FAILED) \| \d+ passed(?: \(\d+ steps?\))? \| (\d+) failed")
TREE = " ... FAILED ("
ERRORS, FAILURES = " ERRORS", " FAILURES"
OF_TYPES = re.compile(r"TS\d{3,6} ")
"""The beginning of the name of an error of types."""
STEP, JOINT = " ... ", " > "


class Deno(Parser):
    """Parser of the section with the errors, and of the total."""

    tool: ClassVar[str] = "deno"
    wakes: ClassVar[tuple[str, ...]] = ("\n ERRORS", "\nok | ", "\nFAILED | ", TREE)

    def __init__(self) -> None:
        self._failed = Failed()
        self._counted: int | None = None
        self._listing = False
        self._titles: set[str] = set()
        """The titles of outermost tests that contain what else joins them to those of their steps."""
        self._outer: set[str] = set()
        """The selectors of the outermost tests, and of files, that failed."""
        self._clear()

    def _clear(self) -> None:
        self._name = self._file = self._selector = ""
        self._begun = 0
        self._at: int | None = None
        self._kind: Kind = "test"
        self._message: list[str] = []
        self._place: tuple[str, int] | None = None

    def read(self, line: Line) -> bool:
        """Read a line of the section."""
        text = line.text.rstrip()
        if text in {ERRORS, FAILURES}:
            self._end()
            self._listing = text == ERRORS
        elif total := TOTAL.match(text):
            self._end()
            self._listing = False
            self._counted = (self._counted or 0) + int(total[1])
        elif self._listing and (found := TEST.match(text) or FILE.match(text)):
            self._end()
            self._begin(found, line.number)
        elif TREE in text and not self._listing:
            title = text[: text.rindex(TREE)]
            if STEP in title and title[0] != " " and len(self._titles) < MOST_FAILURES:
                self._titles.add(title)
        elif self._begun:
            self._read_error(text)
        return self._listing

    def _begin(self, found: re.Match[str], number: int) -> None:
        tests = found.re is TEST
        self._file = relative(found[2 if tests else 1])
        titles = self._split_titles(found[1]) if tests else []
        self._name = JOINT.join([self._file, *titles])
        self._selector = JOINT.join([self._file, *titles[:1]])
        self._outer.add(self._selector)
        self._at, self._begun = int(found[3]) if tests else None, number
        self._kind = "test" if tests else "compile"

    def _split_titles(self, text: str) -> list[str]:
        """Return the titles of a test and its steps; of the outermost one, the tree of tests shows where it ends."""
        steps = text.split(STEP)
        ends = (STEP.join(steps[:count]) for count in range(len(steps), 1, -1))
        outer = next((title for title in ends if title in self._titles), "")
        return [outer, *filter(None, text[len(outer) :].split(STEP))] if outer else steps

    def _read_error(self, text: str) -> None:
        if text.startswith("    at "):
            self._place = self._place or frame(text)
        elif not self._place and len(self._message) < MOST_LINES:
            self._message.append(text.removeprefix("error: ") if not self._message else text)

    def _end(self) -> None:
        """Record the test that was read."""
        if self._begun:
            file, row = self._place or (self._file, self._at)
            self._failed.add(
                Failure(
                    tool=self.tool,
                    kind=self._kind,
                    name=self._name,
                    message=join_message(self._message),
                    file=file,
                    line=row,
                    selector=self._selector,
                    log_line=self._begun,
                )
            )
        self._clear()

    def finish(self) -> Iterable[Failure]:
        """Return what failed: the innermost steps of each test."""
        self._end()
        return self._failed.with_confidence(self.total())

    def total(self) -> int | None:
        """Return how many tests and files failed; steps of one test count as one."""
        return len(self._failed) if self._counted == len(self._outer) else self._counted

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command with the files and one pattern for the names of the outermost tests; one for types."""
        files = each_once(one.file for one in failures if OF_TYPES.match(one.name))
        tests = _test_again([one for one in failures if not OF_TYPES.match(one.name)])
        return "; ".join(filter(None, (command("deno", "check", *files) if files else "", tests)))


def _test_again(failures: Sequence[Failure]) -> str:
    """Return the command for tests, and for files that do not load; empty if there are none."""
    if not failures:
        return ""
    parts = [one.selector.partition(JOINT) for one in failures]
    chosen = any_of(escape_pattern(test).replace("/", r"\/") + "$" for _, _, test in parts)
    named = (f"--filter=/{chosen}/",) if all(one.kind == "test" for one in failures) else ()
    return command("deno", "test", *each_once(file for file, _, _ in parts), *named)
