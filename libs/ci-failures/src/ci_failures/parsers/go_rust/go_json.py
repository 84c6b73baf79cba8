"""`go test -json`: an event a line."""

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
from ci_failures.parsers.go_rust.go_package import SPECS, Package, Test
from ci_failures.parsers.go_rust.gocheck import Gocheck
from ci_failures.parsers.go_rust.golang import GoParser, Packages

COLOURS = re.compile(COLOUR)
MOST_LINES, MOST_RUNNING = 400, 20_000
LOOK_BACK = 50
"""What a test says stands before the event of its failure: so far it is looked for."""
SUITES = ("Running Suite: ", "FAIL: ", "PANIC: ")
"""How a suite of Ginkgo begins, and what fails in one of gocheck: what they print is read from there on."""
NOT_SAID = ("=== ", "--- ", "PASS", "FAIL\t", "coverage: ", "exit status ", "ok  \t")


class Printed(Package):
    """What the tests of one package and the package printed so far."""

    def __init__(self) -> None:
        super().__init__()
        self.named: dict[str, Test] = {}
        self.is_suite = False

    def output(self, number: int, test: str, text: str) -> None:
        """Take a line that a test or the package printed."""
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
            self.print(text)

    def goes_on(self, test: str, *, is_paused: bool) -> None:
        """Take the beginning of a test, or that it waits or goes on."""
        if len(self.running) < MOST_RUNNING:
            self.running.setdefault(test, [])
        (self.paused.add if is_paused and test in self.running else self.paused.discard)(test)

    def ended(self, number: int, test: str, *, has_failed: bool) -> None:
        """Take the end of a test."""
        lines = self.running.pop(test, [])
        if not has_failed:
            self.crash = None  # what looked like one did not end the tests
        elif len(self.failed) < MOST_FAILURES:
            is_suite = any(map(SPECS.match, lines))
            self.named[test] = Test(test, number, lines=lines, is_suite=is_suite)
            self.failed.append(self.named[test])

    def specs(self, path: str) -> Iterable[Failure]:
        """Give what failed in the tests that are suites of other frameworks, as these printed it."""
        for suite in (test for test in self.failed if test.is_suite):
            for parser in (Ginkgo(), Gocheck()):
                for text in (*suite.lines, f"FAIL\t{path}\t0s"):
                    parser.read(Line(suite.number, text))
                yield from parser.finish()


class GoJson(GoParser):
    """Reads events: a test fails by an event of its own, and one without an end was stopped by its package's."""

    wakes = (
        *('"Action":"fail"', '"Action":"build-output"', '"Output":"panic: ', '"Output":"fatal error: '),
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
        self._asleep_since = 0

    def read(self, line: Line) -> bool:
        """Take an event; awake while a package that failed is not over."""
        if line.number <= self._asleep_since:  # what stands before a line that wakes may have been read before
            return False
        self._take(line)
        if self._failing:
            return True
        self._asleep_since = line.number
        return False

    def _take(self, line: Line) -> None:
        """Take an event; what is none, or was cut, is passed over."""
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
            package.output(number, test, COLOURS.sub("", str(event.get("Output", ""))).removesuffix("\n"))
        elif not test:
            self._ended(number, path, package, event)
        elif action in {"run", "cont", "pause"}:
            package.goes_on(test, is_paused=action == "pause")
        else:
            package.ended(number, test, has_failed=action == "fail")
        is_failing = path in self._open and (package.failed or package.crash or package.is_suite)
        (self._failing.add if is_failing else self._failing.discard)(path)

    def _ended(self, number: int, path: str, package: Printed, event: dict[str, Any]) -> None:
        if event.get("Action") not in {"fail", "pass", "skip"}:
            return
        self._open.pop(path, None)
        is_built = not event.get("FailedBuild") and not any(" failed]" in line for line in package.printed)
        if event["Action"] == "fail" and is_built:
            self._found += package.failures(path, number)
            self._specs += package.specs(path)

    def finish(self) -> Iterable[Failure]:
        """Give what failed; packages whose end is not in the log have what failed so far."""
        found = [*self._build.finish(), *self._found]
        for path, package in self._open.items():
            if package.failed:
                package.is_over = True
                found += [evolve(one, confidence="medium") for one in package.failures(path, 0)]
                self._specs += package.specs(path)
        return [*self._packages.each_once(found), *self._specs]
