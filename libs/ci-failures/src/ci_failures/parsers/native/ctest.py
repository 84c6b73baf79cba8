"""CTest: one line for each test, and at the end the list of failed ones.

If a test runs a framework, and its output is shown, the framework's parser reports the failures, and only those count.
A test that passes when it is repeated is flaky.
"""

import re
from collections import deque
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, field

from ci_failures.model import Confidence, Failure, Kind, Line, Parser
from ci_failures.parsers.native.program_context import (
    COMMAND,
    DEATH,
    PROJECT,
    SANITIZER,
    Result,
    escape_regex,
    frame_of,
    result_of,
    source,
    strip_prefix,
)
from ci_failures.parsers.text_helpers import command, join_message, relative

LISTED = re.compile(r"\s+(\d+) - (.+?) \((\w[\w ./:-]*)(?:\)(?: {2,}\S.*)?)?$")
PASSED = re.compile(r"\s*(\d+)% tests passed, (\d+) tests? failed out of \d+")
OUTPUT = re.compile(r"(\d+): (.*)")
FAILED_LIST = "The following tests FAILED:"
MISSING = "Unable to find executable: "
INNER = re.compile(
    r"\[  FAILED  \] |\[doctest\] Status: FAILURE!| failures? (?:is|are) detected .*in the test module "
    r"|^test cases: .* \d+ failed(?! as)"
)
OTHERS = re.compile(r"--- FAIL: |test result: FAILED|FAILED \((?:failures|errors)=|FAILED \S+::\S")
"""Output of frameworks that their parsers do not read if ctest adds a number to the lines."""
INNER_FORMS = re.compile(r"not ok \d|=+ .*\b\d+ failed.* in [\d.]+s")
PLACE = re.compile(r"(?<![\w./+-])([\w./+-]+\.(?:c|cc|cpp|cxx|C|h|hh|hpp|hxx|m|mm|cu|py|f90)):(\d+)(?::|\b)")
BAD = {"Failed", "Timeout", "Not Run", "Exception"}
SILENT = "Failed, and ctest shows nothing that it printed"
LONGEST = 500
"""Characters of a line that are searched for a place."""
KEPT = 15
"""The last lines of output, which are kept."""


@define
class Tried:
    """A test of ctest.

    Args:
        name: Its name in ctest.
        number: The number of its first line in the log.
        statuses: The status of each try.
        detail: ctest's reason for a failure.
        output: The end of its output.
        inner: Whether a framework in it reported what failed.
        running: The gtest test in it that has begun and not ended.
        died: Whether a line reported the death of a program while one ran.
        report: The first line of a sanitizer's report.
        place: The first place of the project in the sanitizer's stacks.
    """

    name: str
    number: int
    statuses: list[str] = field(factory=list)
    detail: str = ""
    output: deque[str] = field(factory=lambda: deque(maxlen=KEPT))
    inner: bool = False
    running: str = ""
    died: bool = False
    report: str = ""
    place: tuple[str, int] | None = None

    def say(self, text: str, *, numbered: bool = False) -> None:
        """Read a line of the test's output, to which ctest may have added its number."""
        self.output.append(text)
        if self.report:
            self.place = self.place or frame_of(text)
        elif ("anitizer: " in text or ": runtime error: " in text) and SANITIZER.search(text):
            self.report = text
        if "] " in text[:14]:
            if text.startswith("[ RUN      ] "):
                self.running = text[13:]
            elif self.running and text[13:].startswith(self.running):
                self.running = ""
        elif self.running and DEATH.search(text):
            self.died = True
        if not self.inner and ("FAIL" in text or "failed" in text or "detected " in text or text[:1] == "n"):
            found = INNER.search(text) or (not numbered and (OTHERS.search(text) or INNER_FORMS.match(text)))
            self.inner = bool(found)

    @property
    def has_inner_failure(self) -> bool:
        """Check whether a framework in it reports what failed, or died within a test."""
        died = self.died or self.statuses[-1:] in (["Exception"], ["Timeout"])
        return self.inner or (bool(self.running) and died)


def _message(test: Tried, said: str, lines: Sequence[str]) -> str:
    """Return the most telling text.

    A sanitizer's report, an expression that was not found, or the end of the output.
    """
    if test.report:
        return join_message([test.report, *[line for line in lines if line.startswith("SUMMARY: ")]])
    if not lines:
        return said
    return join_message([said, *lines]) if "regular expression" in said else join_message(lines)


class Ctest(Parser):
    """Parser of CTest since CMake 3: quiet, `--output-on-failure`, `-V`, parallel, repeated."""

    tool: ClassVar[str] = "ctest"
    wakes: ClassVar[tuple[str, ...]] = (
        "***Failed", "***Exception", "***Timeout", "***Not Run", FAILED_LIST, "% tests passed, ", COMMAND, MISSING,
        PROJECT,
    )  # fmt: skip

    def __init__(self) -> None:
        self._folder = ""
        self._tests: dict[str, Tried] = {}
        self._shown: Tried | None = None
        self._missing = ""
        self._started = False
        self._listed: dict[str, str] | None = None
        self._summed = False
        self._verbose = False
        self._failures: dict[tuple[str, str], Failure] = {}
        self._inside: set[tuple[str, str]] = set()
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Read a line; awake within the output of a test, and in the list at the end."""
        text = strip_prefix(line.text)
        if (self._verbose or COMMAND in text) and text[:1].isdigit() and (told := OUTPUT.match(text)):
            self._verbose = True
            self._tests.setdefault(told[1], Tried("", line.number)).say(told[2], numbered=True)
        elif text.startswith(PROJECT):
            self._flush()
            self._folder = relative(text.removeprefix(PROJECT).strip())
        elif "Test " in text[:30] and (result := result_of(text)):
            self._result(result, line.number)
        elif "% tests passed" in text and (summed := PASSED.match(text)):
            self._sum(int(summed[2]))
        elif text.startswith(FAILED_LIST) and (self._summed or not self._tests):
            self._listed = {}
        elif self._listed is not None:
            self._list(text, line.number)
        elif MISSING in text:
            self._missing = text.strip()
        elif self._shown:
            self._output(text)
        return bool(self._shown or self._started or self._listed is not None or self._verbose or self._summed)

    def _result(self, result: Result, number: int) -> None:
        if self._summed:  # another run, whose first line is missing
            self._flush()
        test = self._tests.setdefault(result.number, Tried(result.name, number))
        test.name = result.name
        test.statuses.append(result.status)
        self._shown, self._started = None, False
        if result.status == "Passed":
            test.output.clear()
        if result.status in BAD and "Disabled" not in result.detail:
            test.number = number if len(test.statuses) == 1 else test.number
            test.detail = f"{result.status} {result.detail}".strip()
            if result.status == "Not Run" and self._missing:
                test.detail, self._missing = f"{test.detail}: {self._missing}", ""
            self._shown = None if self._verbose else test

    def _output(self, text: str) -> None:
        if re.match(r" +Start +\d+: ", text):  # it may be the same test again
            self._shown, self._started = None, True
        elif self._shown and "Regex=[" in self._shown.detail and "]" not in self._shown.detail:
            self._shown.detail += text.partition("]")[0] + "]"  # the missing expression continues on the next line
        elif self._shown:
            self._shown.say(text)

    def _sum(self, failed: int) -> None:
        self._shown, self._started, self._summed = None, False, True
        self._counted = (self._counted or 0) + failed
        if not failed:
            self._listed = {}
            self._flush()

    def _list(self, text: str, number: int) -> None:
        listed = LISTED.match(text)
        if listed and self._listed is not None:
            if "Disabled" not in listed[3] and "Skipped" not in listed[3]:
                self._listed[listed[1]] = listed[2]
                test = self._tests.setdefault(listed[1], Tried(listed[2], number))
                test.statuses = test.statuses or [listed[3]]
                test.detail = test.detail or listed[3]
        elif text.strip(" )"):  # the exit code of a program on Windows breaks the line
            self._flush()

    def _flush(self) -> None:
        """End a run of ctest: the tests in its list failed; without a list, those whose last try failed."""
        for number, test in self._tests.items():
            if self._listed is not None and number in self._listed:
                self._add(test, self._listed[number], "high", flaky=False)
            elif self._listed is None and test.statuses[-1:] and test.statuses[-1] in BAD and test.detail:
                self._add(test, test.name, "medium", flaky=False)
            elif test.detail and test.name:
                self._add(test, test.name, "high", flaky=True)
        self._tests, self._listed, self._shown, self._summed, self._verbose = {}, None, None, False, False

    def _add(self, test: Tried, name: str, confidence: Confidence, *, flaky: bool) -> None:
        key = self._folder, name
        known = self._failures.get(key)
        if not flaky and (known or test.has_inner_failure or key in self._inside):
            self._uncount()  # a rerun of failed tests, or what a framework counts
        if test.has_inner_failure or key in self._inside:
            if known:
                del self._failures[key]
                self._uncount()
            self._inside.add(key)
            return
        lines = [line for line in test.output if line.strip()]
        said_at = next((found for line in lines if (found := PLACE.search(line[:LONGEST]))), None)
        place = test.place or ((source(said_at[1]), int(said_at[2])) if said_at and not test.report else None)
        timeout = "Timeout" in test.statuses[-1]
        said = SILENT if test.detail == "Failed" else test.detail
        kind: Kind = "timeout" if timeout and not flaky else "test"
        if known and not test.output:
            return
        self._failures[key] = Failure(
            tool="ctest",
            kind=kind,
            name=name,
            message=_message(test, said, [] if timeout else lines),
            file=place[0] if place else "",
            line=place[1] if place else None,
            selector=name,
            place=self._folder,
            log_line=test.number,
            attempts=max(1, len(test.statuses)),
            flaky=flaky,
            confidence=confidence,
        )

    def _uncount(self) -> None:
        if self._counted:
            self._counted -= 1

    def finish(self) -> Iterable[Failure]:
        """Return the tests that failed or were flaky."""
        self._flush()
        return list(self._failures.values())

    def total(self) -> int | None:
        """Return the number in `N tests failed out of M`, without tests that an inner framework reports."""
        return self._counted

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return `ctest -R` with a pattern that matches exactly these names."""
        place = failures[0].place
        names = "|".join(dict.fromkeys(escape_regex(one.selector) for one in failures))
        into = ("--test-dir", place) if place else ()
        return command("ctest", *into, "-R", f"^({names})$", "--output-on-failure")
