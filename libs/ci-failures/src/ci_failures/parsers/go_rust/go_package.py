"""What a test binary of Go printed, and what that says of its package."""

import re

from attrs import define, evolve, field

from ci_failures.model import Failure
from ci_failures.parsers.go_rust.crashes import Crash
from ci_failures.parsers.go_rust.golang import selector, told, without_parents

ENDS = ("FAIL", "PASS", "coverage: ")
KILLED = "signal: killed"
SPECS = re.compile(r"Summarizing \d+ Failures?:|OOPS: \d+ passed, ")
"""Where Ginkgo or gocheck sums up what failed in a test that is a whole suite; their own parsers tell what."""
MOST_PRINTED, MOST_SAID = 20, 5


@define
class Test:
    """A test that failed.

    Args:
        name: Its name.
        number: Of the line that says so.
        indent: Of that line.
        lines: What it printed.
        before: What stands before that line, and looks as if it said why.
        is_suite: Whether the tests in it are another framework's, which told them.
    """

    name: str
    number: int
    indent: int = 0
    lines: list[str] = field(factory=list)
    before: list[str] = field(factory=list)
    is_suite: bool = False


class Package:
    """The tests of a package that failed or are not over, and what else its binary printed."""

    def __init__(self) -> None:
        self.failed: list[Test] = []
        self.running: dict[str, list[str]] = {}
        self.paused: set[str] = set()
        self.printed: list[str] = []
        self.crash: Crash | None = None
        self.is_over = False
        self.summed_up = False

    def print(self, text: str) -> None:
        """Take a line that no test printed; the last ones are kept."""
        self.printed = [*self.printed[1 - MOST_PRINTED :], text]

    def failures(self, path: str, number: int) -> list[Failure]:
        """Give what failed in it.

        Args:
            path: Its import path; empty if the log does not tell it.
            number: The number of the line that says that it failed.
        """
        found = self._tests(path)
        if not found and any(test.is_suite for test in self.failed):
            return []
        if self.crash and self.crash.has_stack:
            return self._crashed(found, self.crash, path)
        if path and not self.is_over:
            found += self._stopped(path, number)
        return found or (self._whole(path, number) if path else [])

    def _tests(self, path: str) -> list[Failure]:
        """Give the tests; one that others below it failed for only if it says something itself."""
        leaves = without_parents(test.name for test in self.failed)
        found = []
        for test in self.failed:
            if test.is_suite:
                continue
            message, file, line, spoke = told(test.lines or test.before)
            if spoke or test.name in leaves:
                one = _failure(path, test.name, message, test.number)
                found.append(evolve(one, file=file, line=line))
        return found

    def _crashed(self, found: list[Failure], crash: Crash, path: str) -> list[Failure]:
        """Add what a crash stopped; a test that is said to have failed just before it gets the crash's message."""
        if found and not found[-1].message and not crash.is_timeout:
            whole = crash.failure(path, "")
            return [*found[:-1], evolve(found[-1], message=whole.message, file=whole.file, line=whole.line)]
        tests = crash.tests(path, self._running())
        known = {one.name for one in found}
        added = [crash.failure(path, test) for test in tests or [""]]
        return [*found, *(one for one in added if one.name and one.name not in known)]

    def _stopped(self, path: str, number: int) -> list[Failure]:
        """Give the tests that ran when the binary ended before it said how: one of them ended it."""
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
        """Give the failure of a package whose tests all passed or never began; who killed it is told elsewhere."""
        said = [line for line in self.printed if line.strip() and not line.startswith(ENDS)]
        if KILLED in said:
            return []
        return [Failure(tool="go", name=path, message="\n".join(said[-MOST_SAID:]), place=path, log_line=number)]


def _failure(path: str, name: str, message: str, number: int) -> Failure:
    return Failure(
        tool="go",
        name=".".join(part for part in (path, name) if part),
        message=message,
        selector=selector(name),
        place=path,
        log_line=number,
    )
