"""`go test -json`: one event on each line.

gotestsum writes the events of its reruns behind those of the first run: a package that failed starts again.
"""

import json
import re
from collections.abc import Iterable
from typing import Any

from attrs import evolve

from ci_failures.logs.cleaning import COLOUR
from ci_failures.model import MOST_FAILURES, Failure, Line
from ci_failures.parsers.go_rust.crashes import BEGINS, Crash
from ci_failures.parsers.go_rust.ginkgo import Ginkgo
from ci_failures.parsers.go_rust.go_build import GoBuild
from ci_failures.parsers.go_rust.go_package import Package, Test, has_totals
from ci_failures.parsers.go_rust.gocheck import Gocheck
from ci_failures.parsers.go_rust.golang import GoParser, Packages

COLOURS = re.compile(COLOUR)
MOST_LINES, MOST_RUNNING = 400, 20_000
LOOK_BACK = 50
"""How far back the output of a test is searched, which precedes the event of its failure."""
SUITES = ("Running Suite: ", "FAIL: ", "PANIC: ")
"""The beginnings of a Ginkgo suite and of a gocheck failure: their output is parsed from there on."""
NOT_SAID = ("=== ", "--- ", "PASS", "FAIL\t", "coverage: ", "exit status ", "ok  \t")


class Printed(Package):
    """The output so far of the tests of one package, and of the package."""

    def __init__(self) -> None:
        super().__init__()
        self.named: dict[str, Test] = {}
        self.is_suite = False

    def output(self, number: int, test: str, text: str) -> None:
        """Read a line that a test or the package printed."""
        self.is_suite = self.is_suite or text.startswith(SUITES)
        if self.crash:
            self.crash.add(text)
        elif text.startswith(BEGINS):
            self.crash = Crash(number, text)
        elif text == "FAIL" or text.lstrip().startswith(NOT_SAID):
            self.is_over = self.is_over or (not test and text in {"FAIL", "PASS"})
        elif failed := self.named.get(test):
            if len(failed.lines) < MOST_LINES:
                failed.lines.append(text)
        elif test in self.running or (test and len(self.running) < MOST_RUNNING):
            lines = self.running.setdefault(test, [])
            lines.append(text)
            del lines[:-MOST_LINES]
        else:
            self.printed.append(text)

    def resume(self, test: str, *, is_paused: bool) -> None:
        """Read that a test begins, pauses or continues."""
        if len(self.running) < MOST_RUNNING:
            self.running.setdefault(test, [])
        (self.paused.add if is_paused and test in self.running else self.paused.discard)(test)

    def end_test(self, number: int, test: str, *, has_failed: bool) -> None:
        """Read the end of a test."""
        lines = self.running.pop(test, [])
        if not has_failed:
            self.crash = None  # output that looked like a crash did not end the tests
        elif len(self.failed) < MOST_FAILURES:
            self.named[test] = Test(test, number, lines=lines, is_suite=has_totals(lines))
            self.failed.append(self.named[test])

    def specs(self, path: str) -> Iterable[Failure]:
        """Return what failed in tests that are suites of other frameworks, from their output."""
        for suite in (test for test in self.failed if test.is_suite):
            for parser in (Ginkgo(), Gocheck()):
                for text in (*suite.lines, f"FAIL\t{path}\t0s"):
                    parser.read(Line(suite.number, text))
                yield from parser.finish()


class GoJson(GoParser):
    """Parser of events: a test fails by its own event, and one without an end was stopped with its package."""

    wakes = (
        *(
            '"Action":"fail"',
            '"Action":"start"',
            '"Action":"build-output"',
            '"Output":"panic: ',
            '"Output":"fatal error: ',
        ),
        *(f'"Output":"{begin}' for begin in SUITES),
    )
    before = LOOK_BACK

    def __init__(self) -> None:
        self._open: dict[str, Printed] = {}
        self._found: list[Failure] = []
        self._specs: list[Failure] = []
        self._packages = Packages()
        self._build = GoBuild()
        self._failing: set[str] = set()
        self._ended: set[str] = set()
        self._passed: set[str] = set()
        self._asleep_since = 0

    def read(self, line: Line) -> bool:
        """Read an event; awake until the end of a package that failed."""
        if line.number <= self._asleep_since:  # the lines before one that wakes may have been read before
            return False
        self._take(line)
        if self._failing:
            return True
        self._asleep_since = line.number
        return False

    def _take(self, line: Line) -> None:
        """Read an event; other lines, and those that were cut, are ignored."""
        text = line.text
        begin = text.find('{"')
        if begin >= 0 and text.endswith("}"):
            try:
                event = json.loads(text[begin:] if begin else text)
            except (ValueError, RecursionError):
                return
            if isinstance(event, dict) and event.get("Action") == "build-output":
                self._build.read(Line(line.number, str(event.get("Output", "")).removesuffix("\n")))
            elif isinstance(event, dict) and isinstance(event.get("Package"), str):
                self._event(line.number, event)

    def _event(self, number: int, event: dict[str, Any]) -> None:
        path, test, action = event["Package"], event.get("Test") or "", event.get("Action")
        if not isinstance(test, str) or (path not in self._open and len(self._open) >= MOST_FAILURES):
            return
        package = self._open.setdefault(path, Printed())
        self._packages.add(path)
        if action == "output":
            package.output(number, test, _plain(str(event.get("Output", ""))).removesuffix("\n"))
        elif not test:
            self._read_end(number, path, package, event)
        elif action in {"run", "cont", "pause"}:
            package.resume(test, is_paused=action == "pause")
        else:
            package.end_test(number, test, has_failed=action == "fail")
            if path in self._ended and len(self._passed) < MOST_FAILURES:
                (self._passed.add if action == "pass" else self._passed.discard)(f"{path}.{test}")
        reruns = path in self._ended
        is_failing = path in self._open and (package.failed or package.crash or package.is_suite or reruns)
        (self._failing.add if is_failing else self._failing.discard)(path)

    def _read_end(self, number: int, path: str, package: Printed, event: dict[str, Any]) -> None:
        if event.get("Action") not in {"fail", "pass", "skip"}:
            return
        self._open.pop(path, None)
        is_built = not event.get("FailedBuild") and not any(" failed]" in line for line in package.printed)
        if event["Action"] == "fail" and is_built:
            self._ended.add(path)
            self._found += package.failures(path, number)
            self._specs += package.specs(path)

    def finish(self) -> Iterable[Failure]:
        """Return what failed; a package whose end is missing has what failed so far."""
        found = [*self._build.finish(), *self._found]
        for path, package in self._open.items():
            if package.failed:
                package.is_over = True
                found += [evolve(one, confidence="medium") for one in package.failures(path, 0)]
                self._specs += package.specs(path)
        once = self._packages.each_once(found)
        passed = (
            evolve(one, flaky=True, attempts=one.attempts + 1) if one.name in self._passed else one for one in once
        )
        return [*passed, *self._specs]


def _plain(text: str) -> str:
    """Return output without colours."""
    return COLOURS.sub("", text) if "\x1b" in text else text
