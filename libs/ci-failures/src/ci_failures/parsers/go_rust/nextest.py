"""`cargo nextest`: a line for each test as it ends, the output of failed ones, and all again at the end."""

import re
from collections.abc import Iterable, Sequence

from attrs import define, evolve, field

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.go_rust.panics import parse_panic
from ci_failures.parsers.text_helpers import command, each_once

WIDTH = 12
"""The column to which a status is aligned; output of tests is indented more, or not at all."""
STATUS = re.compile(r"^ *(?:TRY (\d+) )?(\S+(?: \+ LEAK)?(?: \d+/(\d+))?) \[[ >.\ds]*\] (?:\([^)]*\) +)?(\S+) (\S.*)$")
FAILED = re.compile(
    r"^(?:FAIL|FAIL \+ LEAK|FL\+LK|LEAK-FAIL|LKFAIL|XFAIL|TIMEOUT|TMT|SIG[A-Z\d]+|ABORT|ABRT|SEGV"
    r"|FL\w*KY-F\w*(?: \d+/\d+)?|HUP|INT|QUIT|ILL|TRAP|BUS|FPE|KILL|TERM|SYS|PIPE|ALRM)$"
)
PASSED = re.compile(r"^(?:PASS|LEAK|SKIP|TIMEOUT-PASS|TMPASS|FLAKY \d+/\d+)$")
STARTED = "START"
"""The status with which nextest precedes the output of a test, if it captures none."""
TIMEOUTS = frozenset({"TIMEOUT", "TMT"})
OLD_BLOCK = re.compile(r"^--- (?:TRY \d+ )?STD(?:OUT|ERR): +(\S+) (.+?)(?<! ) +---$")
SUMMARY = re.compile(r"^ +Summary \[ *[\d.]+s\] (?:\d+/)?\d+ tests? run: (.*)$")
COUNTED = re.compile(r"(?<!\d)(\d+) (?:failed|timed out|exec failed)")
LIBTEST = re.compile(r"^(?:running 1 test|test .* \.\.\. FAILED|failures:|test result: .*|---- .* ----)?$")
LIST = "    failures:"
HEADERS = ("  stdout ─", "  stderr ─", "  output ─")
MOST_LINES = 300


@define
class Test:
    """A test, and its latest status."""

    name: str
    binary: str
    number: int
    failed: bool = False
    timed_out: bool = False
    attempts: int = 1
    status: str = ""
    lines: list[str] = field(factory=list)


class Nextest(Parser):
    """Parser of the lines of tests; the last one has the final status of a test."""

    tool = "nextest"
    wakes = (
        *("Nextest run ID ", " tests across ", " test across ", "     Summary [", "error: test run failed"),
        *(" FAIL [ ", " TIMEOUT [ ", " SIGSEGV [ ", " SIGABRT [ "),
    )

    def __init__(self) -> None:
        self._tests: dict[tuple[str, str], Test] = {}
        self._open: Test | None = None
        self._started: Test | None = None
        self._unnamed: list[Test] = []
        self._has_statuses = False
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Read a line; awake until the run is over."""
        text = line.text
        if text.startswith("     Summary [") and (summary := SUMMARY.match(text)):
            self._open = None
            self._counted = sum(map(int, COUNTED.findall(summary[1]))) + (self._counted or 0)
        elif text[WIDTH : WIDTH + 2] == " [" and (status := STATUS.match(text)):
            self._status(line.number, status)
        elif text.startswith(("error: test run failed", "     Running ", "   Compiling ")):
            self._open = None
            return False
        elif text.startswith("--- ") and (block := OLD_BLOCK.match(text)):
            self._open = self._tests.get((block[1], block[2]))
        elif not self._has_statuses and text.startswith(HEADERS[0]):
            self._open = Test("", "", line.number, failed=True)
            if len(self._unnamed) < MOST_FAILURES:
                self._unnamed.append(self._open)
        elif self._open and len(self._open.lines) < MOST_LINES:
            self._open.lines.append(text)
        return True

    def _status(self, number: int, status: re.Match[str]) -> None:
        self._has_statuses = True
        attempt, word, binary, name = int(status[1] or 1), status[2], status[4], status[5]
        failed = bool(FAILED.match(word))
        self._open, started = None, self._started
        self._started = Test(name, binary, number) if word == STARTED else None
        self._open = self._started
        if not failed and not PASSED.match(word):
            return
        key = binary, name
        if key not in self._tests and (not failed or len(self._tests) >= MOST_FAILURES):
            return
        test = self._tests.setdefault(key, Test(name=name, binary=binary, number=number))
        test.failed, test.timed_out = failed, word in TIMEOUTS
        test.status = word if failed else test.status
        test.attempts = max(test.attempts, attempt, int(word.split()[1].split("/")[0]) if status[3] else 1)
        if failed and not _clean_output(test.lines):
            test.lines = started.lines if started and (started.binary, started.name) == key else []
            self._open = None if test.lines else test

    def finish(self) -> Iterable[Failure]:
        """Return what failed; what passed in a retry is flaky."""
        return [self._failure(test) for test in (*self._tests.values(), *self._list_unnamed())]

    def _list_unnamed(self) -> Iterable[Test]:
        """Return the tests that only libtest names, in the list at the end of their output."""
        for test in self._unnamed:
            heads = [at for at, text in enumerate(test.lines[:-1]) if text == LIST]
            if heads and (name := test.lines[heads[-1] + 1].strip()):
                yield evolve(test, name=name)

    def total(self) -> int | None:
        """Return the sum of failures and timeouts of all runs."""
        return self._counted

    def _failure(self, test: Test) -> Failure:
        message, file, line = parse_panic(_clean_output(test.lines), test.name)
        return Failure(
            tool="nextest",
            kind="timeout" if test.timed_out else "test",
            name=f"{test.binary} {test.name}".strip(),
            message=message or test.status,
            file=file,
            line=line,
            selector=f"binary_id(={test.binary}) & test(={test.name})" if test.binary else "",
            log_line=test.number,
            attempts=test.attempts,
            flaky=not test.failed,
            confidence="high" if test.binary and self._counted is not None else "medium",
        )

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return one filter for these tests; parentheses would have to be escaped, and names have none."""
        wanted: dict[str, list[str]] = {}
        for one in each_once(failure.selector for failure in failures):
            binary, _, test = one.partition(" & ")
            wanted.setdefault(binary, []).append(test)
        if not wanted:
            return ""
        parts = [f"({binary} & ({' | '.join(tests)}))" for binary, tests in wanted.items()]
        return command("cargo", "nextest", "run", "--workspace", "--no-fail-fast", "-E", " | ".join(parts))


def _clean_output(lines: Sequence[str]) -> list[str]:
    """Return the output of a test without its indentation and without libtest's lines around it."""
    kept = [line.removeprefix("    ") for line in lines if not line.startswith(HEADERS)]
    pairs = zip(("", *kept), kept, strict=False)  # the name of the test comes behind the second `failures:`
    kept = [line for before, line in pairs if before != LIST.strip() and not LIBTEST.match(line.strip())]
    end = next((at for at, line in enumerate(kept) if line.startswith(("────", "------------", "  Cancel"))), len(kept))
    return kept[:end]
