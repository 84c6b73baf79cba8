"""The output of gotestsum during and after a run of Go's tests."""

import re

from ci_failures.model import MOST_FAILURES, MOST_TEXT, Failure
from ci_failures.parsers.go_rust.crashes import RUNNING, Crash
from ci_failures.parsers.go_rust.go_package import has_totals
from ci_failures.parsers.go_rust.golang import parse_output, selector, without_parents

ENTRY = re.compile(r"^=== FAIL: (\S+) (\S*)(?: \(re-run (\d+)\))? \((?:-?[\d.]+s|unknown)\)$")
DONE = re.compile(r"^DONE (?:(\d+) runs, )?\d+ tests?(?:, \d+ skipped)?(?:, (\d+) failures?)?(?:, \d+ errors?)? in ")
NAMED = re.compile(
    r"^(?:  |::group::|##\[group\])?FAIL (\S+?)\.((?:Test|Fuzz|Example|Benchmark)\S*)(?: \(re-run (\d+)\))?"
    r" \(-?[\d.]+s\)$"
)
GO_MARKS = ("=== RUN ", "=== CONT ", "=== NAME ", "=== PAUSE ")
MOST_LINES = 200


class Summary:
    """The entries of all summaries of one log; packages are relative to the module.

    Attributes:
        open: The output of the entry that is being read; None if none is.
    """

    def __init__(self) -> None:
        self._entries: dict[tuple[str, str], list[str]] = {}
        self._first: dict[tuple[str, str], int] = {}
        self._last: dict[tuple[str, str], int] = {}
        self._unknown: set[tuple[str, str]] = set()
        self.open: list[str] | None = None
        self._failed: dict[int, int] = {}
        self.runs = 1

    def __bool__(self) -> bool:
        return bool(self._entries)

    @property
    def is_whole(self) -> bool:
        """Whether its end was read: then it names everything that failed."""
        return bool(self._failed)

    def packages(self) -> set[str]:
        """Return the packages that it names."""
        return {package for package, _ in self._entries}

    def read(self, number: int, text: str) -> bool:
        """Read a line, and return whether it belongs to the summary."""
        if text.startswith("=== ") and not (self.open is not None and text.startswith(GO_MARKS)):
            found = ENTRY.match(text)
            self.open = self._entry(number, found[1], found[2], int(found[3] or 0)) if found else None
            if found and text.endswith(("(unknown)", "(-1.00s)")):
                self._unknown.add((found[1], found[2]))
            return bool(found) or text.startswith(("=== Failed", "=== Errors", "=== Skipped", "=== SKIP: "))
        if text.startswith("DONE ") and (found := DONE.match(text)):
            self.runs = int(found[1] or 1)
            self._failed[self.runs] = int(found[2] or 0)
            self.open = None
            return True
        if self.open is not None and len(self.open) < MOST_LINES:
            self.open.append(text)
        return self.open is not None

    def _entry(self, number: int, package: str, test: str, run: int) -> list[str]:
        key = package, test
        if key not in self._entries and len(self._entries) >= MOST_FAILURES:
            return []
        self._entries[key] = []
        self._first.setdefault(key, number)
        self._last[key] = max(run, self._last.get(key, 0))
        return self._entries[key]

    def add_test(self, number: int, package: str, test: str, lines: list[str], run: int) -> None:
        """Read a test that is named when it ends, with its output; a summary repeats it."""
        self._entry(number, package, test, run).extend(lines[:MOST_LINES])

    def total(self) -> int | None:
        """Return its own total of one run, which includes parents of failed tests; reruns are added up in it."""
        return sum(self._failed.values()) if self._failed and self.runs == 1 else None

    def number_of_entries(self) -> int:
        """Return how many tests and packages it names."""
        return len(self._entries)

    def failures(self) -> list[Failure]:
        """Return what failed; what passed in a rerun is flaky."""
        running = self._running()
        found: list[Failure] = []
        by_package: dict[str, list[str]] = {}
        for package, test in self._entries:
            by_package.setdefault(package, []).append(test)
        for package, every in by_package.items():
            tests = [test for test in every if test]
            suites = [test for test in tests if has_totals(self._entries[package, test])]
            leaves = without_parents(tests)
            if not self.is_whole or self._crashes(package):  # paused tests are reported as ended in an unknown way
                tests = [test for test in tests if self._has_said((package, test)) or (package, test) in running]
            speaking = [test for test in tests if test in leaves or parse_output(self._entries[package, test])[3]]
            found += [
                self._failure(package, test, timed_out=(package, test) in running)
                for test in speaking
                if test not in suites
            ]
            if not tests and (package, "") in self._entries and not self._is_not_built(package):
                found.append(self._package(package))
        return sorted(found, key=lambda one: one.log_line)

    def _failure(self, package: str, test: str, *, timed_out: bool) -> Failure:
        key = package, test
        message, file, line, _ = parse_output(self._entries[key])
        crash = None if line else self._crash(package, test, timed_out=timed_out)
        if crash:
            whole = crash.failure(package, test)
            message, file, line = whole.message, whole.file, whole.line
        return Failure(
            tool="go",
            kind="timeout" if timed_out else "test",
            name=test if package == "." else f"{package}.{test}",
            message=message,
            file=file,
            line=line,
            selector=selector(test),
            place=_place(package),
            log_line=self._first[key],
            attempts=self._last[key] + 1,
            flaky=self._last[key] < self.runs - 1,
        )

    def _crash(self, package: str, test: str, *, timed_out: bool) -> Crash | None:
        """Return the crash that ended a test.

        From its output, from a parent's, or, for a timeout, from the package's.
        """
        above = [test[:at] for at in range(len(test), 0, -1) if at == len(test) or test[at] == "/"]
        for name in (*above, *([""] if timed_out else [])):
            crash = Crash.among(self._first[package, test], self._entries.get((package, name), []))
            if crash:
                return crash
        return None

    def _crashes(self, package: str) -> bool:
        """Check whether a test of a package, or the package itself, reports that it crashed."""
        entries = ((key, lines) for key, lines in self._entries.items() if key[0] == package)
        return any(Crash.among(0, lines) for _, lines in entries)

    def _has_said(self, key: tuple[str, str]) -> bool:
        return key not in self._unknown or any(
            line.strip() and not line.startswith(GO_MARKS) for line in self._entries[key]
        )

    def _is_not_built(self, package: str) -> bool:
        return any(line.endswith((" [build failed]", " [setup failed]")) for line in self._entries[package, ""])

    def _package(self, package: str) -> Failure:
        """Return the failure of a package whose tests all passed or never began."""
        lines = [line for line in self._entries[package, ""] if line.strip() and not line.startswith("FAIL\t")]
        return Failure(
            tool="go",
            name=package,
            message="\n".join(lines)[:MOST_TEXT],
            place=_place(package),
            log_line=self._first[package, ""],
            flaky=self._last[package, ""] < self.runs - 1,
        )

    def _running(self) -> set[tuple[str, str]]:
        """Return the tests that ran at a timeout; only the innermost."""
        found: set[tuple[str, str]] = set()
        for (package, _), lines in self._entries.items():
            if any(line.startswith("panic: test timed out after ") for line in lines):
                names = [match[1] for line in lines if (match := RUNNING.match(line))]
                found |= {(package, name) for name in without_parents(names)}
        return found


def _place(package: str) -> str:
    """Return a package as a command accepts it: one that is relative to the module begins with a dot."""
    return package if package.startswith(".") or "." in package.split("/", 1)[0] else f"./{package}"
