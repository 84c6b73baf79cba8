# ruff: noqa: RUF001, RUF002 -- the signs are those that the tool prints
"""Jest 24 to 30: a bullet for each failure under the file that it is in.

    FAIL src/a.test.js
      ● Auth › login › rejects

        expect(received).toBe(expected)
        …
          at Object.<anonymous> (src/a.test.js:7:48)

The name of a project may precede the file. A summary at the end repeats the file with all of its bullets. With
the reporter for GitHub Actions, the bullets are in a group, "Errors thrown in", whose path is relative to the file's
project, or to the root of the file system. Frames are relative to the project, too.
"""

import re
from collections.abc import Iterable, Sequence
from posixpath import normpath
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.javascript.failed import Failed
from ci_failures.parsers.javascript.jest_summary import HEADINGS, SummaryTree
from ci_failures.parsers.javascript.packages import packages
from ci_failures.parsers.javascript.patterns import any_of, escape_pattern
from ci_failures.parsers.javascript.stacks import TESTS, frame
from ci_failures.parsers.text_helpers import MOST_LINES, command, each_once, join_message, relative

HEADER = re.compile(
    r"^(?: ?FAIL +|(?:::|##\[)group(?:::|\])Errors thrown in )(\S.*?)(?: \([\d.,]+ ?m?s\))?(?: \(\d+ MB heap size\))?$"
)
GROUPS = ("::", "##[")
"""The beginnings of the headers of groups."""
MOST_FILES = 100
"""Files with one title that are told apart."""
HEADERS = frozenset(" F:#")
"""The first characters of such lines."""
PATH = re.compile(r"\.[cm]?[a-z]{1,10}$")
BULLET = "  ● "
SUITE = "Test suite failed to run"
NOISE = ("Console", "process.exit called with", "Cannot log after tests are done")
LEAF = re.compile(r"^ +[✕×] (.*?)(?: \([\d.,]+ ?m?s\))?$")
CODE = re.compile(r"^\s*(?:>\s*)?\d+ \|")
OUTSIDE = re.compile(r"^ +at (?:[^(]{0,400} \()?((?:\.\./)+(?!.*node_modules/)[^()]{1,500}?):(\d{1,7}):\d{1,7}\)?$")
"""A frame outside of the project's folder, before all others."""
SYNTAX = re.compile(
    r"^[ \t]*SyntaxError: (?P<file>(?:[A-Za-z]:)?[^\n:]{1,500}): .{0,500}?\((?P<line>\d+):\d+\)"
    r"|^[ \t]*(?P<ts>\S[^\n:]{0,500}):(?P<row>\d+):\d+ - error TS",
    re.MULTILINE,
)
COUNT = re.compile(r"^(Tests|Test Suites): {1,12}(?:(\d{1,9}) failed)?(?=[^\s])(?!.{0,200}\d failed\b).{0,200} total$")
"""Jest tells first how many failed; Kotest tells it behind those that passed."""
PASSED = re.compile(r" ?PASS +(\S.*?)(?: \([\d.,]+ ?m?s\))?(?: \(\d+ MB heap size\))?$")
VITEST = "Test Files  "
"""The beginning of Vitest's totals: its tests may print what looks like Jest's, which has totals of its own."""
COVERAGE = re.compile(r"-{5,}\|-{5,}")
ENDS = (
    "Test Suites:",
    "Summary of all failing tests",
    "Snapshot Summary",
    "::endgroup",
    "##[endgroup]",
)


class Jest(Parser):
    """Parser of Jest's output."""

    tool: ClassVar[str] = "jest"
    wakes: ClassVar[tuple[str, ...]] = (
        "\nFAIL ",
        "\n FAIL ",
        "Errors thrown in ",
        BULLET,
        "Tests:  ",
        "Test Suites:",
        VITEST,
        "\nSummary of failed tests\n",
        "\nSummary of tests\n",
    )
    first_line: ClassVar[str] = (
        r" ?FAIL ++(?!.* > )\S.*\.|.*Errors thrown in \S|Test(?:s| Suites): |  \u25cf \S|Summary of"
    )

    def __init__(self) -> None:
        self._failed = Failed()
        self._certain: list[Failure] = []
        self._printed: list[Failure] = []
        """Failures that a test may have printed itself.

        At places where Jest prints none, or without a mark in the tree.
        """
        self._doubted = False
        self._file = ""
        self._title = ""
        self._begun = self._titled_until = 0
        self._message: list[str] = []
        self._place: tuple[str, int] | None = None
        self._outside: tuple[str, int] | None = None
        self._test_file = ""
        self._project = ""
        """The folder of the project to which frames are relative; empty for the root."""
        self._closed = False
        self._tree = False
        self._marked: set[str] = set()
        self._grouped = False
        self._titled: dict[str, list[str]] = {}
        """The files with a failure of each title."""
        self._counted: int | None = None
        self._suites = 0
        self._headless: list[Failure] = []
        """Failures without a file above them, as reporters of third parties print them."""
        self._headed = False
        """Whether a file, or a total of Jest's own, was read."""
        self._summary = SummaryTree()

    def read(self, line: Line) -> bool:
        """Read a line; those of a failure are wanted until the next file."""
        text = line.text
        if self._summary.is_open or text.startswith(HEADINGS):
            self._summary.read(text, line.number)
            if self._summary.is_open:
                self._end()
                return True
        if VITEST in text and text.lstrip().startswith(VITEST):
            self._end()
            self._file, self._printed, self._headless = "", [], []
            if self._certain:  # of a run without a total
                self._settle(None)
            return False
        if (
            self._title
            and line.number == self._titled_until + 1
            and text[:1] not in {" ", ""}
            and not _is_heading(text)
        ):
            self._title, self._titled_until = f"{self._title}\n{text.rstrip()}", line.number  # it has line breaks
            return True
        if text[:1] not in {" ", ""} or text.startswith((" FAIL ", " PASS ")):
            return self._margin(text)
        if (self._file or not self._headed) and text.startswith(BULLET):
            return self._bullet(line)
        if self._title:
            self._body(text)
        elif self._tree:
            self._leaf(text)
        return bool(self._title) or self._tree

    def _leaf(self, text: str) -> None:
        """Read a line of the tree that --verbose prints before the bullets, in which failed tests have a mark."""
        self._tree = bool(text)
        if not text.isascii() and (found := LEAF.match(text)):
            self._marked.add(found[1])

    def _bullet(self, line: Line) -> bool:
        self._end()
        title = line.text[len(BULLET) :]
        self._tree = False
        if not title.strip() or title[0] == " " or title.startswith(NOISE):
            return False
        unmarked = self._marked and title != SUITE and not title.rstrip().endswith(tuple(self._marked))
        self._doubted = bool(self._closed or unmarked)
        self._title, self._begun, self._titled_until = title.rstrip(), line.number, line.number
        return True

    def _margin(self, text: str) -> bool:
        """Read a line at the left margin: a file, a total, or output of something else."""
        if not self._file:
            self._end()
        if text[:1] in HEADERS and (header := HEADER.match(text)) and " > " not in text and PATH.search(header[1]):
            self._end()
            self._grouped, self._headed = text.startswith(GROUPS), True
            self._file, self._closed = _path(header[1], grouped=self._grouped), False
            self._tree, self._marked = True, set()
        elif text.startswith(ENDS) or _ends(text):
            self._end()
            self._file = ""
            self._count(text)
        elif text.startswith("Tests: "):
            self._count(text)
        return bool(self._title) or self._tree

    def _count(self, text: str) -> None:
        """Read the totals at the end of a run, which show whether doubtful failures count."""
        if not (found := COUNT.match(text)):
            return
        self._headed = True
        if found[1] == "Test Suites":
            self._suites = int(found[2] or 0)
            return
        files = {one.selector for one in self._certain if one.kind == "test"}
        torn = {
            one.selector for one in self._certain if one.kind != "test"
        } & files  # from a hook that runs after all tests
        expected = int(found[2] or 0) + max(0, self._suites - len(files)) + len(torn)
        self._settle(expected)

    def _settle(self, expected: int | None) -> None:
        """Record the failures of a run, the doubtful ones if the totals require them."""
        names = {one.name for one in self._certain}
        counts = expected is None or expected > len(names)
        kept: dict[str, Failure] = {}
        for one in [*self._certain, *(self._printed if counts else ())]:
            kept.setdefault(one.name, one)  # a test may fail with several errors: the first is the cause
        for one in kept.values():
            self._failed.add(one)
        if expected is not None:
            self._counted = (self._counted or 0) + expected
        self._certain, self._printed, self._suites = [], [], 0

    def _body(self, text: str) -> None:
        if self._place is not None and (self._project or "at " not in text):
            return
        if "|" in text and CODE.match(text):
            return
        if "../" in text and self._place is None and (outer := OUTSIDE.match(text)):
            self._outside = self._outside or (outer[1], int(outer[2]))
        elif place := frame(text):
            self._place = self._place or place
            self._test_file = self._test_file or (place[0] if TESTS.search(place[0]) else "")
            if self._file.endswith(f" {place[0]}") and "/" in place[0]:  # the name of a project has a slash, too
                self._file = place[0]
            if self._file.endswith(f"/{place[0]}"):
                self._project = self._file.removesuffix(place[0])
        elif self._place is not None:
            return
        elif len(self._message) < MOST_LINES and not text.startswith("      at "):
            self._message.append(text)

    def _end(self) -> None:
        """Record the failure whose lines were read."""
        if not self._title:
            return
        suite = self._title == SUITE
        if not self._file:
            self._end_headless()
            return
        if self._repeats():
            self._clear()
            return
        outside = self._outside if self._project else None
        file, number = outside or self._place or (self._file, None)
        if self._place:
            file = normpath(self._project + file)
        if suite and (syntax := SYNTAX.search("\n".join(self._message))):
            file, number = relative(syntax["file"] or syntax["ts"]), int(syntax["line"] or syntax["row"])
        kept = self._printed if self._doubted or not any(self._message) else self._certain
        kept.append(
            Failure(
                tool="jest",
                kind="compile" if suite else "test",
                name=self._file if suite else f"{self._file} › {self._title}",
                message=join_message(self._message),
                file=file,
                line=number,
                selector=self._file,
                log_line=self._begun,
            )
        )
        self._closed = suite
        self._clear()

    def _end_headless(self) -> None:
        """Record a failure without a file above it, if its stack has one."""
        if self._place and len(self._headless) < MOST_FAILURES:
            file, line = self._place
            own = self._test_file or file
            self._headless.append(
                Failure(
                    tool="jest",
                    name=f"{own} › {self._title}",
                    message=join_message(self._message),
                    file=file,
                    line=line,
                    selector=own,
                    log_line=self._begun,
                    confidence="medium",
                )
            )
        self._clear()

    def _clear(self) -> None:
        self._title, self._message, self._project = "", [], ""
        self._place = self._outside = None
        self._test_file = ""

    def _repeats(self) -> bool:
        """Check whether a group repeats a failure of another reporter, which has the whole path of the file."""
        files = self._titled.get(self._title, [])
        same = [file for file in files if file.endswith(f"/{self._file}") or self._file.endswith(f"/{file}")]
        if self._grouped and same:
            files.remove(same[0])  # another project may have a file and a test of the same names
        elif not self._grouped and len(self._titled) < MOST_FAILURES and len(files) < MOST_FILES:
            self._titled[self._title] = [*files, self._file]
        return self._grouped and bool(same)

    def finish(self) -> Iterable[Failure]:
        """Return what failed."""
        self._end()
        if self._certain or self._printed:
            self._settle(None)
        for one in () if self._headed else self._headless:
            self._failed.add(one)
        for one in () if len(self._failed) else self._summary.failures:
            self._failed.add(one)
        return self._failed.with_confidence(self._counted)

    def total(self) -> int | None:
        """Return how many tests failed, and how many suites did not run."""
        return self._failed.adjust_total(self._counted)

    def gap(self) -> str:
        """Return that names were read which may be those of other tests."""
        unsure = sum(one.confidence == "low" for one in self._failed.with_confidence(self._counted))
        return f"jest-summary-reporter may print {unsure} tests under a 'describe' of others" if unsure else ""

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that runs these: Jest joins titles by spaces, and takes a pattern for the whole.

        Without a sure name for each, it runs the files.
        """
        files = each_once(one.selector for one in failures)
        titles = [one.name.removeprefix(f"{one.selector} › ") for one in failures if one.kind == "test"]
        patterns = [
            escape_pattern(title).replace(" › ", " (› )?") + "$" for title in titles
        ]  # a title may hold what joins
        is_sure = all(one.confidence != "low" for one in failures)
        named = ("-t", any_of(patterns)) if patterns and is_sure else ()
        return command("npx", "jest", "--ci", "--runTestsByPath", *files, *named)


def _is_heading(text: str) -> bool:
    """Check whether a line at the left margin is one of Jest's own."""
    return text[:1] in HEADERS or text.startswith((*ENDS, "Tests: ")) or _ends(text)


def _ends(text: str) -> bool:
    """Check whether a file that passed or the table of coverage begins; tests may print what looks like either."""
    if text[:1] == "-":
        return COVERAGE.match(text) is not None
    passed = PASSED.match(text) if "PASS " in text[:6] else None
    return passed is not None and PATH.search(passed[1]) is not None


def _path(text: str, *, grouped: bool) -> str:
    """Return the path at the end of a header, which may begin with the name of a project."""
    if grouped and (whole := relative(f"/{text}")) != f"/{text}":
        return whole
    named, _, last = text.rpartition("  ")
    if named:
        return relative(last)
    words = text.split(" ")
    return relative(text if "/" in words[0] else words[-1])


JestInPackages = packages(Jest)
