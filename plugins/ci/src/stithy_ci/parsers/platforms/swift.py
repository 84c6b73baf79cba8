"""XCTest by `swift test` and xcodebuild, Swift Testing, and what xcpretty and xcbeautify make of it.

    /a/Tests/T.swift:34: error: C.testX : XCTAssertTrue failed        /a/T.swift:34: error: -[M.C testX] : XCTAssert…
    Test Case 'C.testX' failed (0.001 seconds)                        Test Case '-[M.C testX]' failed (0.001 seconds).

    ✘ Test x() recorded an issue at T.swift:17:9: Expectation failed: 1 == 2
    ✘ Test x() failed after 0.001 seconds with 1 issue.

Swift Testing tells no suite. No log of these tools was to be had: this follows their sources.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from stithy_ci.parsers.common import command, each_once, relative, unmarked
from stithy_ci.spi import MOST_FAILURES, MOST_TEXT, Failure, Line, LogParser

ISSUE = re.compile(r"^(\S.{0,400}?\.(?:swift|mm?)|<unknown>):(\d{1,7}): error: (-\[.{1,300}?\]|[\w.]+\.\w+) : (.*)$")
ENDED = re.compile(r"^\s*Test [Cc]ase '(-\[.{1,300}?\]|[^']{1,300}?)' failed(?: on '.{0,200}')? \([\d.]+ seconds\)\.?$")
NAME = r"(\".{1,500}?\"|\w.{0,500}?)"
TESTING = re.compile(
    rf"^[^\w\s]{{1,3}} +Test {NAME} recorded an issue(?: with \d+ arguments? .{{0,1000}}?)?"
    r" at (\S.{0,400}?):(\d{1,7}):\d{1,7}: (.*)$"
)
TESTING_ENDED = re.compile(rf"^[^\w\s]{{1,3}} +Test {NAME} (?:with \d+ test cases? )?failed after [\d.]+ seconds")
PRETTY = re.compile(r"^ {4}[✗✖] (test\w{0,200})(?: on '.{0,200}'|)(?:, (.*)| \([\d.]+ seconds\))$")
CLASS = re.compile(r"^(?:Test Suite |Suite )?([A-Z]\w{2,200})$")
COMPILED = re.compile(r"^(\S.{0,400}?\.swift):(\d{1,7}):(\d{1,7}): error: (.*)$")
OBJECTIVE = re.compile(r"^-\[(\S+) (\S+)\]$")


def _failure(raw: str, number: int, message: str = "", path: str = "", line: str = "") -> Failure:
    """Make a failure of a test of XCTest: `Module.Class/method`, the module where it is told."""
    if found := OBJECTIVE.match(raw):
        of, method = found[1], found[2]
    else:
        of, _, method = raw.removesuffix("()").replace("/", ".").rpartition(".")
    name = f"{of}/{method}" if of else method
    return _placed(
        Failure(tool="swift", name=name, message=message[:MOST_TEXT], selector=name, log_line=number), path, line
    )


def _placed(failure: Failure, path: str, line: str) -> Failure:
    known = path and not path.startswith("<")
    return evolve(failure, file=relative(path), line=int(line)) if known else failure


class _Kept(LogParser):
    """Keeps each test once, whether its module is told or not."""

    tool: ClassVar[str] = "swift"

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._ended: set[str] = set()

    def _keep(self, failure: Failure, *, ended: bool = False) -> None:
        of, _, method = failure.name.rpartition("/")
        key = f"{of.rpartition('.')[2]}/{method}" if of else failure.name
        if ended:
            self._ended.add(key)
        known = self._found.get(key)
        if known is None:
            if len(self._found) < MOST_FAILURES:
                self._found[key] = failure
            return
        longer = max(known.name, failure.name, key=len)
        file, line = (known.file, known.line) if known.file else (failure.file, failure.line)
        self._found[key] = evolve(
            known, name=longer, selector=longer if of else known.selector, file=file, line=line,
            message=known.message or failure.message,
        )  # fmt: skip

    def finish(self) -> Iterable[Failure]:
        """Give what failed; with less confidence where its end was not told."""
        return [one if key in self._ended else evolve(one, confidence="medium") for key, one in self._found.items()]

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Give a command that runs these by SwiftPM."""
        patterns = each_once(one.selector for one in failures)
        words = [word for one in patterns for word in ("--filter", re.sub(r"([.()+*?$\[\]])", r"\\\1", one))]
        return command("swift", "test", *words) if words else ""


class Swift(_Kept):
    """Reads issues and the ends of tests."""

    wakes: ClassVar[tuple[str, ...]] = (
        ": error: -[", ".swift:", "<unknown>:", "Test Case '", "Test case '", " recorded an issue", " failed after ",
    )  # fmt: skip

    def read(self, line: Line) -> bool:
        """Take a line; each tells all of itself."""
        text = line.text.rstrip()
        if ": error: " in text and (found := ISSUE.match(text)):
            self._keep(_failure(found[3], line.number, found[4], found[1], found[2]))
        elif " failed" in text and (found := ENDED.match(text)):
            self._keep(_failure(found[1], line.number), ended=True)
        elif " recorded an issue" in text and (found := TESTING.match(text)):
            self._keep(_placed(_test(found[1], line.number, found[4]), found[2], found[3]))
        elif " failed after " in text and (found := TESTING_ENDED.match(text)):
            self._keep(_test(found[1], line.number), ended=True)
        return False


class SwiftCompiler(LogParser):
    """Reads errors of the compiler, each once: a build tells them for each target, and again at its end."""

    tool: ClassVar[str] = "swiftc"
    wakes: ClassVar[tuple[str, ...]] = (".swift:",)

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}

    def read(self, line: Line) -> bool:
        """Take a line with an error."""
        found = COMPILED.match(unmarked(line.text.rstrip())) if ": error: " in line.text else None
        if found and len(self._found) < MOST_FAILURES:
            file = relative(found[1])
            name = f"error {file}:{found[2]}:{found[3]}"
            one = Failure(tool=self.tool, kind="compile", name=name, message=found[4], log_line=line.number)
            self._found.setdefault(name, _placed(one, found[1], found[2]))
        return False

    def finish(self) -> Iterable[Failure]:
        """Give the errors."""
        return self._found.values()

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:  # noqa: ARG003 -- all are compiled again
        """Give a command that compiles again."""
        return "swift build --build-tests"


class XcPretty(_Kept):
    """Reads xcpretty and xcbeautify: the class stands above its tests."""

    wakes: ClassVar[tuple[str, ...]] = ("✗ test", "✖ test")
    before: ClassVar[int] = 50

    def __init__(self) -> None:
        super().__init__()
        self._class = ""

    def read(self, line: Line) -> bool:
        """Take a line: a class, or a test that failed."""
        text = line.text.rstrip()
        if found := CLASS.match(text):
            self._class = found[1]
        elif self._class and (found := PRETTY.match(text)):
            self._keep(_failure(f"{self._class}.{found[1]}", line.number, found[2] or ""), ended=True)
        return False


def _test(raw: str, number: int, message: str = "") -> Failure:
    """Make a failure of a test of Swift Testing: by its function, or by its display name, which nothing selects."""
    name = raw[1:-1] if raw.startswith('"') else raw
    selector = name.partition("(")[0] if raw == name and "(" in name else ""
    return Failure(tool="swift", name=name, message=message[:MOST_TEXT], selector=selector, log_line=number)
