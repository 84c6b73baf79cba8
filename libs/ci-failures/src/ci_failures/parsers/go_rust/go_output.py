"""The output of the tests of one package, as `go test` prints it as text."""

import re

from ci_failures.model import MOST_FAILURES
from ci_failures.parsers.go_rust.go_package import SPECS, Package, Test

TABBED = re.compile(r"^\t[\w.-]+\.go:\d+: ")
MOST_LINES, MOST_RUNNING = 300, 20_000


class Printed(Package):
    """The output so far of the tests of one package, and the test that the next line belongs to."""

    def __init__(self) -> None:
        super().__init__()
        self.current: list[str] | None = None
        self.open: list[Test] = []
        self.announced = False
        self.is_cut = False

    def mark(self, what: str, name: str) -> None:
        """Read that a test begins or continues: the following lines are its output."""
        self.open = []
        self.announced = True
        if name not in self.running and len(self.running) >= MOST_RUNNING:
            return
        self.current = self.running.setdefault(name, [])
        (self.paused.add if what == "PAUSE" else self.paused.discard)(name)

    def verdict(self, number: int, indent: int, what: str, name: str) -> None:
        """Read the verdict of a test."""
        self.crash = None
        lines = self.running.pop(name, [])
        self.paused.discard(name)
        while self.open and self.open[-1].indent >= indent:
            self.open.pop()
        self.is_cut |= what == "FAIL" and len(self.failed) >= MOST_FAILURES
        if what == "FAIL" and not self.is_cut:
            test = Test(name=name, number=number, indent=indent, lines=lines, before=self._unattributed_places())
            test.is_suite, self.summed_up = self.summed_up, False
            self.failed.append(test)
            self.open.append(test)
        elif what != "FAIL":
            self.open.append(Test(name=name, number=number, indent=indent))
        self.current = None if indent else self.running.get(name.rpartition("/")[0])  # the order of gotestsum

    def is_one(self, indent: int, before: str, name: str) -> bool:
        """Check whether a verdict belongs to this package's tests, and is not output of a test."""
        if before and (before[-1].isspace() or before[-1] in "\"'`(:>|"):
            return False
        if name in self.running or before:
            return name in self.running or not self.running
        if indent:
            return any(name == one.name or name.startswith(f"{one.name}/") for one in self.open)
        if "/" in name and not self.announced:
            return True
        return len(self.running) == len(self.paused)  # all running tests are paused

    @property
    def is_running(self) -> bool:
        """Whether a test runs whose end was not reported: then the binary did not end, unless it crashed."""
        return self.crash is None and len(self.running) > len(self.paused)

    @property
    def is_fresh(self) -> bool:
        """Whether nothing was read since the end of the package before."""
        return not (self.failed or self.running or self.printed or self.is_over)

    def last_output(self) -> str:
        """Return the last line that the package or its current test printed; empty if there is none."""
        lines = self.current or self.printed
        return lines[-1] if lines else ""

    def resume(self, text: str, later: "Printed") -> None:
        """Read a line that a test printed, and what was read behind it as if another package had begun."""
        self.say(text)
        for line in later.printed:
            self.say(line)
        self.failed += later.failed
        self.is_cut |= later.is_cut
        self.running.update(later.running)
        self.paused |= later.paused

    def say(self, text: str) -> None:
        """Read any other line: it is output of the open test."""
        if text[:1] in {"S", "O"} and SPECS.match(text):
            self.summed_up = True
        if self.current is not None:
            if len(self.current) >= MOST_LINES:
                del self.current[0]
            self.current.append(text)
        elif self.open:
            self._say_after_verdict(text)
        else:
            self.printed.append(text)

    def _say_after_verdict(self, text: str) -> None:
        """Read a line behind the verdict of a test: output of the test if it is deeper, otherwise of no test."""
        deep = len(text) - len(text.lstrip(" \t"))
        while self.open and text.strip() and self.open[-1].indent >= deep and self.open[-1].indent:
            self.open.pop()
        printed = text[:1] == "\t" and TABBED.match(text)
        if self.open and printed and any(line.startswith(" ") for line in self.open[-1].lines):
            self.printed.append(text)  # of a test whose verdict follows
        elif self.open and (deep or not text or self.open[0].name.startswith("Example")):
            if len(self.open[-1].lines) < MOST_LINES:
                self.open[-1].lines.append(text)
        else:
            self.printed.append(text)

    def _unattributed_places(self) -> list[str]:
        """Return the last lines that belong to no test, as far as they name places: some libraries print like that."""
        said: list[str] = []
        while self.printed and TABBED.match(self.printed[-1]):
            said.insert(0, self.printed.pop())
        return said
