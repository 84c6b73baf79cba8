"""The output of a test binary of Go that ends before its tests do: a panic, a fatal error, or a timeout."""

import re
from collections.abc import Collection, Sequence

from ci_failures.model import Failure
from ci_failures.parsers.go_rust.golang import place_in_stack, selector, tests_in_stack, without_parents
from ci_failures.parsers.text_helpers import join_message

BEGINS = ("panic: ", "fatal error: ", "unexpected fault address ", "SIGSEGV", "runtime: goroutine stack exceeds")
TIMED_OUT = "panic: test timed out after "
MOST_LINES = 3_000
BANNER_LINES = 12
RUNNING = re.compile(r"^\t\t(\S+) \([\dhms.]+\)$")
GOROUTINE = re.compile(r"^goroutine \d+ .*\[")


class Crash:
    """A panic and the stacks below it.

    Args:
        number: The number of its first line.
        text: Its first line.
    """

    def __init__(self, number: int, text: str) -> None:
        self.number = number
        self.lines = [text]

    @classmethod
    def among(cls, number: int, lines: Sequence[str]) -> "Crash | None":
        """Return the crash that lines contain; None if they contain none."""
        at = next((at for at, line in enumerate(lines) if line.startswith(BEGINS)), len(lines))
        if at == len(lines):
            return None
        crash = cls(number, lines[at])
        crash.lines += lines[at + 1 : at + MOST_LINES]
        return crash if crash.has_stack else None

    def add(self, text: str) -> None:
        """Read a line below the first."""
        if len(self.lines) < MOST_LINES:
            self.lines.append(text)

    @property
    def is_timeout(self) -> bool:
        """Whether the time limit of the whole binary was exceeded."""
        return self.lines[0].startswith(TIMED_OUT)

    @property
    def has_stack(self) -> bool:
        """Whether stacks follow, as for every crash."""
        return any(GOROUTINE.match(line) for line in self.lines)

    @property
    def message(self) -> str:
        """The message before the stacks."""
        end = next((at for at, line in enumerate(self.lines) if GOROUTINE.match(line)), BANNER_LINES)
        return join_message(line for line in self.lines[: min(end, BANNER_LINES)] if line.strip())

    def tests(self, package: str, running: Collection[str]) -> list[str]:
        """Return the tests that it stopped: those it names, otherwise those in its stack or known to run."""
        named = [found[1] for line in self.lines[:2_000] if (found := RUNNING.match(line))]
        if self.is_timeout and named:
            innermost = without_parents(named)
            return [name for name in dict.fromkeys(named) if name in innermost]
        stack = self.lines if self.is_timeout else self._first_goroutine()
        leaves = without_parents(running)
        stopped = tests_in_stack(stack, package)
        below = [name for name in running if name in leaves and name.partition("/")[0] in stopped]
        if len(below) == 1 or (self.is_timeout and below):
            return below
        return stopped or (sorted(leaves) if len(leaves) == 1 else [])

    def _first_goroutine(self) -> list[str]:
        begin = next((at for at, line in enumerate(self.lines) if GOROUTINE.match(line)), len(self.lines))
        end = next((at for at in range(begin + 1, len(self.lines)) if not self.lines[at].strip()), len(self.lines))
        return self.lines[begin:end]

    def failure(self, package: str, test: str) -> Failure:
        """Return the failure of a stopped test, or of the whole package."""
        stack = self.lines if self.is_timeout else self._first_goroutine()
        file, line = place_in_stack(stack, test.partition("/")[0] if self.is_timeout else "")
        return Failure(
            tool="go",
            kind="timeout" if self.is_timeout else "test",
            name=".".join(part for part in (package, test) if part),
            message=self.message,
            file=file,
            line=line,
            selector=selector(test) if test else "",
            place=package,
            log_line=self.number,
        )
