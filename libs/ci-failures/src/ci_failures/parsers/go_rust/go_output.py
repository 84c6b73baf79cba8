"""The output of the tests of one package, as `go test` prints it as text."""

import re

from ci_failures.model import MOST_FAILURES
from ci_failures.parsers.go_rust.go_package import SPECS, Package, Test

TABBED = re.compile(r"^\t[\w.-]+\.go:\d+: ")
LOGGED = re.compile(r" *\S+\.go:\d+: ")
"""The beginning of what `t.Log` prints, in which a verdict is a quotation."""
BELOW = re.compile(r" {4}(?:\S+\.go:\d+: |--- [A-Z]{4}: Test\S*/\S+ \()")
"""What follows the verdict of a test: a message of it, or the verdict of a subtest."""
MOST_LINES, MOST_RUNNING = 300, 20_000


class Printed(Package):
    """The output so far of the tests of one package, and the test that the next line belongs to."""

    def __init__(self) -> None:
        super().__init__()
        self.current: list[str] | None = None
        self.open: list[Test] = []
        self.announced = False
        self.is_cut = False
        self.behind: tuple[int, str, str] | None = None
        self.unsure: dict[str, int] = {}
        self._glued: set[str] = set()

    def mark(self, what: str, name: str) -> None:
        """Read that a test begins or continues: the following lines are its output."""
        self.open = []
        self.announced = True
        if name not in self.running and len(self.running) >= MOST_RUNNING:
            return
        self.current = self.running.setdefault(name, [])
        (self.paused.add if what == "PAUSE" else self.paused.discard)(name)

    def is_announced(self, before: str, what: str, name: str) -> bool:
        """Check whether a mark behind other output announces a test, and is not output of one itself."""
        if not before[-1:].isspace():
            return True
        return what == "RUN" and name not in self.running and name.rpartition("/")[0] in self.running

    def read_glued(self, number: int, before: str, text: str, what: str, name: str) -> None:
        """Read a line that ends like a verdict, behind text that a test may have printed without an end of line.

        With `-v`, it is one if the test runs and has no other verdict. Otherwise the line below it shows that.
        """
        if what == "FAIL" and not LOGGED.match(text):
            if name in self.running:
                self.say(before)
                self.verdict(number, 0, what, name)
                self._glued.add(name)
                return
            if not self.announced and "/" not in name:
                self.behind = number, text, name
                return
        self.say(text)

    def settle(self, text: str) -> None:
        """Decide by the line below whether the line before it was a verdict."""
        if self.behind is None:
            return
        (number, before, name), self.behind = self.behind, None
        if BELOW.match(text):
            self.verdict(number, 0, "FAIL", name)
            return
        if len(self.unsure) < MOST_FAILURES:
            self.unsure.setdefault(name, number)
        self.say(before)

    def list_unsure(self) -> list[int]:
        """Return the numbers of the lines that may be verdicts of tests which no other line reports."""
        known = {test.name for test in self.failed}
        return [number for name, number in self.unsure.items() if name not in known]

    def verdict(self, number: int, indent: int, what: str, name: str) -> None:
        """Read the verdict of a test."""
        self.crash = None
        lines = self._take_back(name) if name in self._glued else self.running.pop(name, [])
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

    def _take_back(self, name: str) -> list[str]:
        """Return the output of a test without the verdict that it turns out to have printed itself."""
        self._glued.discard(name)
        lines = next((test.lines for test in self.failed if test.name == name), [])
        self.failed = [test for test in self.failed if test.name != name]
        return lines

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
