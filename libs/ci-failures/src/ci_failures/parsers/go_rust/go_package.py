"""The output of one test binary of Go, and what it shows about its package."""

import re
from collections import deque
from collections.abc import Iterable

from attrs import define, evolve, field

from ci_failures.model import Failure
from ci_failures.parsers.go_rust.crashes import Crash
from ci_failures.parsers.go_rust.golang import parse_output, selector, without_parents

ENDS = ("FAIL", "PASS", "coverage: ")
KILLED = "signal: killed"
SPECS = re.compile(r"Summarizing \d+ Failures?:|OOPS: \d+ passed, ")
"""The totals of Ginkgo or gocheck in a test that is a whole suite; their own parsers report the details."""
MOST_PRINTED, MOST_SAID = 20, 5


def has_totals(lines: Iterable[str]) -> bool:
    """Check whether output of a test has the totals of a framework whose suite the test is."""
    return any(line[:1] in {"S", "O"} and SPECS.match(line) for line in lines)


@define
class Test:
    """A failed test.

    Args:
        name: The name of the test.
        number: The number of the line that reports it.
        indent: The indentation of that line.
        lines: The output of the test.
        before: Lines before that line that look like a cause.
        is_suite: Whether another framework reports the tests in it.
    """

    name: str
    number: int
    indent: int = 0
    lines: list[str] = field(factory=list)
    before: list[str] = field(factory=list)
    is_suite: bool = False


class Package:
    """The tests of a package that failed or still run, and other output of its binary.

    Attributes:
        printed: The last lines that belong to no test.
    """

    def __init__(self) -> None:
        self.failed: list[Test] = []
        self.running: dict[str, list[str]] = {}
        self.paused: set[str] = set()
        self.printed: deque[str] = deque(maxlen=MOST_PRINTED)
        self.crash: Crash | None = None
        self.is_over = False
        self.summed_up = False

    def failures(self, path: str, number: int) -> list[Failure]:
        """Return what failed in the package.

        Args:
            path: Its import path; empty if the log does not show it.
            number: The number of the line that reports its failure.
        """
        found = self._tests(path)
        if not found and any(test.is_suite for test in self.failed):
            return []
        if self.crash and self.crash.has_stack:
            return self._add_crash(found, self.crash, path)
        if path and not self.is_over:
            found += self._stopped_tests(path, number)
        return found or (self._whole(path, number) if path else [])

    def _tests(self, path: str) -> list[Failure]:
        """Return the tests; a parent of failed tests only if it has a message of its own."""
        leaves = without_parents(test.name for test in self.failed)
        found = []
        for test in self.failed:
            if test.is_suite:
                continue
            message, file, line, spoke = parse_output(test.lines or test.before)
            if spoke or test.name in leaves:
                found.append(_failure(path, test.name, message, test.number, (file, line)))
        return found

    def _add_crash(self, found: list[Failure], crash: Crash, path: str) -> list[Failure]:
        """Add what a crash stopped; a test that was reported as failed just before it gets the crash's message."""
        if found and not found[-1].message and not crash.is_timeout:
            whole = crash.failure(path, "")
            return [*found[:-1], evolve(found[-1], message=whole.message, file=whole.file, line=whole.line)]
        tests = crash.tests(path, self._running())
        known = {one.name for one in found}
        added = [crash.failure(path, test) for test in tests or [""]]
        return [*found, *(one for one in added if one.name and one.name not in known)]

    def _stopped_tests(self, path: str, number: int) -> list[Failure]:
        """Return the tests that ran when the binary ended without reporting them: one of them ended it."""
        running = self._running()
        if KILLED in self.printed or any(KILLED in self.running[name] for name in running):
            return []
        leaves = without_parents(running)
        ended = [name for name in running if name in leaves]
        some = [_failure(path, name, "\n".join(self.running[name][-MOST_SAID:]), number) for name in ended]
        return [evolve(one, confidence="medium") for one in some]

    def _running(self) -> list[str]:
        return [name for name in self.running if name not in self.paused]

    def _whole(self, path: str, number: int) -> list[Failure]:
        """Return the failure of a package whose tests all passed or never began.

        Other parsers report killed processes.
        """
        said = [line for line in self.printed if line.strip() and not line.startswith(ENDS)]
        if KILLED in said:
            return []
        return [Failure(tool="go", name=path, message="\n".join(said[-MOST_SAID:]), place=path, log_line=number)]


def _failure(path: str, name: str, message: str, number: int, place: tuple[str, int | None] = ("", None)) -> Failure:
    return Failure(
        tool="go",
        name=".".join(part for part in (path, name) if part),
        message=message,
        file=place[0],
        line=place[1],
        selector=selector(name),
        place=path,
        log_line=number,
    )
