"""`go test`, plain and with `-v`, and gotestsum in all its formats."""

import re
from collections.abc import Iterable

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Line, describe_cut
from ci_failures.parsers.go_rust.crashes import BEGINS, Crash
from ci_failures.parsers.go_rust.go_output import Printed
from ci_failures.parsers.go_rust.golang import GoParser, Packages
from ci_failures.parsers.go_rust.gotestsum import NAMED, Summary
from ci_failures.parsers.go_rust.package_ends import DoubtfulEnd, PackageEnds

VERDICT = re.compile(
    r"^( *+)(.*?)--- (FAIL|PASS|SKIP|BENCH): (?:((?:Test|Example|Fuzz|Benchmark)\S*) \(\d+\.\d+ ?s(?:econds)?\)"
    r"|(Benchmark\S*?)(?:-\d+)?)$"
)
"""A benchmark has no time, and perhaps the number of its processors behind the name."""
MARK = re.compile(r"^(.*?)=== (RUN|PAUSE|CONT|NAME) +(\S+)$")
ENDED = re.compile(
    r"^(FAIL|ok  |\?   |---)\t(\S+)(?:\t([\d.]+s|\(cached\).*)?(.*)| \[(build|setup) failed\])$"
    r"|^(FAIL|ok  |\?   )(?:\t| {4})(\S+) +(?:([\d.]+s|\(cached\))(.*)|\[(build|setup) failed\])$"
)
"""The second form is that of a terminal, which replaces tabulators."""
SUMMARY = ("=== FAIL: ", "=== Failed", "=== Errors", "=== Skipped", "=== SKIP: ", "DONE ")
TARGET = re.compile(r"^=+ Test output for (//[^ ]+?):?(?: \(.*\):)?$")
TARGET_END = "=" * 80
"""Bazel's lines around the output of a test binary, which does not name the package there."""
BEGINNINGS = frozenset("=DF?okP-pfuSr:#")
"""The first characters of lines that may be other than output of a test."""
EVENT = '{"Time":"'
"""The beginning of an event of `go test -json`, which has its own parser."""
PATIENCE = 3_000
"""Lines without output of go test after which the parser falls asleep."""
LOOK_BACK = 50
"""How far back the output of a test is searched, which precedes its verdict."""


class GoTest(GoParser):
    """Parser of `go test`: the tests of a package, and after them the line that names the package."""

    wakes = (
        *("--- FAIL: ", "FAIL\t", "ok  \t", "?   \t", "panic: ", "fatal error: "),
        *("\nFAIL    ", "\nok      "),
        *("=== FAIL: ", "FAIL Package ", "DONE ", "Test output for //"),
    )
    before = LOOK_BACK

    def __init__(self) -> None:
        self._found: list[Failure] = []
        self._package = Printed()
        self._packages = Packages()
        self._ends = PackageEnds()
        self._summary = Summary()
        self._summarized: list[Failure] = []
        self._target = ""
        self._asleep_since = 0
        self._unsure: list[Printed] = []
        self._patience = PATIENCE
        self._cut = False

    def read(self, line: Line) -> bool:
        """Read a line; awake until the package is named."""
        number, text = line
        if number <= self._asleep_since:  # the lines before one that wakes may have been read before
            return False
        if text[:1] == "{" and text.startswith(EVENT):
            return self._waits()
        self._patience -= 1
        if self._package.behind:
            self._package.settle(text)
        if (
            text[:1] not in BEGINNINGS
            and "--- " not in text
            and "=== " not in text
            and "FAIL " not in text
            and self._summary.open is None
        ):  # output of a test, as most lines are
            (self._package.crash.add if self._package.crash else self._package.say)(text)
            wanted = self._waits()
        elif (self._summary.open is not None or text.startswith(SUMMARY)) and self._summary.read(number, text):
            self._package = Printed()
            self._patience = PATIENCE
            return True
        else:
            wanted = self._take(number, text)
        if not wanted or self._patience <= 0:
            self._asleep_since = number
            return False
        return True

    def _take(self, number: int, text: str) -> bool:
        package = self._package
        if "=== " in text and (mark := MARK.match(text)):
            self._patience = PATIENCE
            if mark[1]:
                package.say(mark[1])
            if package.is_announced(mark[1], mark[2], mark[3]):
                package.mark(mark[2], mark[3])
        elif "--- " in text and (found := VERDICT.match(text)):
            self._patience = PATIENCE
            self._verdict(number, found)
        elif not text.startswith((" ", "\t")) and self._is_special(number, text):
            return True
        elif text.startswith("  FAIL ") and (named := NAMED.match(text)):
            self._read_named_test(number, named)
        elif package.crash:
            package.crash.add(text)
        else:
            package.say(text)
        return self._waits()

    def _waits(self) -> bool:
        """Check whether the name of a package is still to come."""
        package = self._package
        return bool(package.failed or package.running or package.crash or self._target or self._ends.waiting)

    def _is_special(self, number: int, text: str) -> bool:
        """Read a line that ends a binary or a package, begins a crash, or names a test; return whether it is one."""
        package = self._package
        if ("\t" in text or "    " in text[:8]) and (ended := ENDED.match(text)):
            self._read_package(number, ended)
        elif text.startswith("=====") and (text == TARGET_END or TARGET.match(text)):
            self._targets(number, text)
        elif text in {"FAIL", "PASS"}:
            self._read_binary_end(text)
        elif text.startswith(BEGINS) and not package.crash:
            self._patience = PATIENCE
            package.crash = Crash(number, text)
        elif "FAIL" in text and (named := NAMED.match(text)):
            self._read_named_test(number, named)
        else:
            return False
        return True

    def _read_binary_end(self, text: str) -> None:
        """Read the last line of a test binary, or that of a run of several; a test that goes on printed the line."""
        package = self._package
        if package.is_running:
            package.say(text)
            return
        if text == "FAIL" and package.is_fresh:
            self._ends.confirm()
        package.crash = None  # output that looked like a crash did not end the tests
        package.is_over = True

    def _verdict(self, number: int, found: re.Match[str]) -> None:
        indent, before, what, name = len(found[1]), found[2], found[3], found[4] or found[5]
        package = self._package
        if not package.failed and name not in package.running:
            for printed in self._ends.take_back(name):
                printed.package.resume(printed.text, package)
                package = self._package = printed.package
            if package.is_over:
                self._ends.confirm()
        if package.is_one(indent, before, name):
            package.verdict(number, indent, what, name)
        elif before:
            package.read_glued(number, found[1] + before, found[0], what, name)
        else:
            package.say(found[0])

    def _read_package(self, number: int, ended: re.Match[str]) -> None:
        """Read the line that names a package: its tests printed the lines before."""
        word, name, _, _, broken = ended.groups()[:5] if ended[1] else ended.groups()[5:]
        package, self._package = self._package, Printed()
        self._patience = PATIENCE
        if word == "FAIL" and package.unsure and len(self._unsure) < MOST_FAILURES:
            self._unsure.append(package)
        if not broken and self._ends.is_doubtful(word, name, package, package.last_output()):
            self._ends.add_doubtful(DoubtfulEnd(ended[0], word, name, number, package, package.is_over))
            return
        self._ends.add_certain(name)
        self._packages.add(name)
        if word == "FAIL" and not broken:
            self._add_failures(package, name, number)
        elif broken:
            self._package = package  # lines of the compiler and of tests come in any order

    def _add_failures(self, package: Printed, name: str, number: int) -> None:
        self._cut |= package.is_cut or len(self._found) >= MOST_FAILURES
        if len(self._found) < MOST_FAILURES:
            self._found += package.failures(name, number)

    def _targets(self, number: int, text: str) -> None:
        """Read a line that begins or ends Bazel's output of a target."""
        if self._target and self._package.failed:
            self._add_failures(self._package, self._target, number)
        found = TARGET.match(text)
        if self._target or found:
            self._package = Printed()
        self._target = found[1] if found else ""

    def _read_named_test(self, number: int, named: re.Match[str]) -> None:
        mine = next((one for one in self._package.failed if one.name == named[2]), None)
        self._summary.add_test(number, named[1], named[2], mine.lines if mine else [], int(named[3] or 0))
        self._package = Printed()

    def finish(self) -> Iterable[Failure]:
        """Return what failed, each test once."""
        found = [*self._found, *self._ends.failures(self._packages)]
        if self._summary:
            found = self._with_summary(found)
        elif (
            self._package.is_over or self._package.announced or self._packages
        ):  # otherwise anything may have printed it
            found = [*found, *(evolve(one, confidence="medium") for one in self._package.failures("", 0))]
        return self._packages.each_once(sorted(found, key=lambda one: one.log_line))

    def _with_summary(self, found: list[Failure]) -> list[Failure]:
        """Add what only the summary reports in full; it shortens the names of packages."""
        whole = self._summary.is_whole
        known = {self._packages.full(one.removeprefix("./")) or one for one in self._summary.packages()}
        found = [one for one in found if one.place not in known or (one.selector and not whole)]
        told_before = {(one.place, one.selector) for one in found}
        added = []
        self._summarized = self._summary.failures()
        for one in self._summarized:
            full = self._packages.full(one.place.removeprefix("./"))
            if (full, one.selector) not in told_before:
                named = one.name.removeprefix(f"{one.place[2:]}.") if full else one.name
                added.append(evolve(one, place=full, name=f"{full}.{named}" if one.selector else full) if full else one)
        return [*found, *added]

    def total(self) -> int | None:
        """Return gotestsum's total, without tests that failed only for those below them; call it after `finish`.

        Its total of reruns counts those that passed at last, so 0 says that nothing else failed.
        """
        if self._summarized and all(one.flaky for one in self._summarized):
            return 0
        failed = self._summary.total()
        return None if failed is None else failed - self._summary.number_of_entries() + len(self._summarized)

    def gap(self) -> str:
        """Return that failures beyond the bound were left out, or which lines may report some behind other output."""
        if self._cut or self._ends.is_cut:
            return describe_cut(self.tool)
        numbers = [number for package in self._unsure for number in package.list_unsure()]
        if not numbers:
            return ""
        lines = "1 line" if len(numbers) == 1 else f"{len(numbers):,} lines"
        return f"{lines} may report failed tests of go behind other output, the first being line {min(numbers):,}"
