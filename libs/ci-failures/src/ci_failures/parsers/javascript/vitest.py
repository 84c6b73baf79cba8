# ruff: noqa: RUF001, RUF002 -- the signs are those that the tool prints
"""Vitest 0.30 to 5: sections at the end have every failure; failures with one error share an entry.

    ⎯⎯⎯⎯⎯⎯⎯ Failed Tests 14 ⎯⎯⎯⎯⎯⎯⎯

     FAIL  src/a.test.ts > Auth > login > rejects
    AssertionError: expected 1 to be 2
     ❯ src/a.test.ts:8:48
    ⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/14]⎯

All reporters for people end this way, on standard error; without it, the tree of the tests is read. A file that
could not be loaded has its own name in brackets instead of titles.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.javascript.failed import Failed
from ci_failures.parsers.javascript.packages import packages
from ci_failures.parsers.javascript.patterns import any_of, escape_pattern
from ci_failures.parsers.javascript.stacks import inside
from ci_failures.parsers.javascript.vitest_tree import Tree
from ci_failures.parsers.linters.workflow_commands import unescape_property
from ci_failures.parsers.text_helpers import MOST_LINES, command, each_once, join_message, relative

SECTION = re.compile(
    r"^⎯+ (Failed Tests|Failed Suites|Failed Typecheck|Unhandled [A-Z][a-z]+|Uncaught [A-Z][a-z]+)(?: (\d+))? ?⎯+"
)
HEADER = re.compile(r"^ ?FAIL {2,3}(?:\|[^|]{1,80}\| |(?:\S[^>\[]{0,80}?) {2})?(\S.*)$")
PLACE = re.compile(r"^ ❯ (?:[^/]{0,200} )?([^\s:][^:]{0,400}):(\d+):\d+$")
RUN = re.compile(r"^ ?RUN {1,2}v\d\S* (/.{1,400})$")
RULE = "⎯⎯"
TAIL = ("Test Files  ", "Tests  ")
TESTS_FAILED = re.compile(r"^ +Tests +(\d+) failed\b")
ANNOTATION = re.compile(
    r"^::error file=([^,]{1,500}),title=([^,\s]{1,400}\.[cm]?[jt]sx?)((?: > [^,]{1,1000})?)"
    r",line=(\d{1,7}),column=\d{1,7}::(.*)$"
)
"""What the reporter for GitHub prints, all that it prints if it is the only reporter."""
ERROR = re.compile(r"^(?:[A-Z][\w.]{0,80}|Unknown Error)(?: \[[A-Z_]{1,80}\])?: |^[A-Z]\w{0,80}(?:Error|Exception)$")
"""The first line of an error; lines above it belong to a title with line breaks."""
MOST_OF_A_TITLE = 5
ORIGIN = re.compile(r'^This error originated in "(.{1,500}?)" test file')


class Vitest(Parser):
    """Parser of Vitest's output."""

    tool: ClassVar[str] = "vitest"
    wakes: ClassVar[tuple[str, ...]] = (
        *(" RUN  v", "⎯ Failed ", "⎯ Unhandled ", "⎯ Uncaught "),
        *(" tests | ", " test | ", "Test Files  ", "\n × "),
        "\n::error file=",
    )

    def __init__(self) -> None:
        self._failed = Failed()
        self._counted: int | None = None
        self._section = ""
        self._root = ""
        self._tree = Tree()
        self._summed: int | None = None
        self._loose: Failure | None = None
        self._annotated: list[Failure] = []
        self._clear()

    def _clear(self) -> None:
        self._names: list[tuple[str, int]] = []
        self._message: list[str] = []
        self._place: tuple[str, int] | None = None

    def read(self, line: Line) -> bool:
        """Read a line; those of the sections are wanted."""
        text = line.text
        if text.startswith("::error "):
            self._annotate(text, line.number)
        elif text.startswith(RULE):
            self._rule(text, line.number)
        elif "Test" in text and text.lstrip().startswith(TAIL):
            self._end()
            self._section = ""
            self._sum(text)
            return TAIL[0] in text
        elif not self._section:
            self._run(text)
            return self._tree.read(text, line.number)
        elif not self._message and "FAIL" in text and (header := HEADER.match(text)):
            self._names.append((header[1].rstrip(), line.number))
        elif self._names:
            self._body(text)
        return bool(self._section)

    def _annotate(self, text: str, number: int) -> None:
        """Read a command of the reporter for GitHub."""
        if not (found := ANNOTATION.match(text)) or len(self._annotated) >= MOST_FAILURES:
            return
        path, titles, said = (unescape_property(part) for part in (found[2], found[3], found[5]))
        self._message, self._place = said.split("\n"), inside(unescape_property(found[1]), int(found[4]))
        kind = "" if titles else " [ ]"
        self._annotated.append(evolve(self._create_failure(f"{path}{kind}{titles}", number), confidence="medium"))
        self._clear()

    def _run(self, text: str) -> None:
        """Read the folder in the first line of a run: all paths are relative to it."""
        if "RUN" in text and (found := RUN.match(text)):
            root = relative(found[1] + "/").rstrip("/")
            self._root = "" if root.startswith("/") else root

    def _sum(self, text: str) -> None:
        """Read how many tests failed in a run."""
        if found := TESTS_FAILED.match(text):
            self._summed = (self._summed or 0) + int(found[1])

    def _rule(self, text: str, number: int) -> None:
        """Read a rule, which ends a failure and may begin a section."""
        self._end()
        if not (found := SECTION.match(text)):
            return
        self._section = found[1]
        if found[2]:
            self._counted = (self._counted or 0) + int(found[2])
        elif found[1] != "Unhandled Errors":
            self._names = [("", number)]

    def _body(self, text: str) -> None:
        if text[:1] == "T" and (origin := ORIGIN.match(text)):
            self._names = [(origin[1], self._names[0][1])]
        if self._place or (not text and not self._message):
            return
        if text.startswith(" ❯ ") and (found := PLACE.match(text)):
            self._place = inside(found[1], int(found[2]))
        elif len(self._message) < MOST_LINES:
            self._message.append(text)

    def _end(self) -> None:
        """Record the failures that share one error."""
        self._end_title()
        for name, number in self._names:
            failure = self._create_failure(name, number)
            if not self._section.startswith("Failed"):
                self._loose = self._loose or failure
            else:
                self._failed.add(failure)
        self._clear()

    def _end_title(self) -> None:
        """Move the lines above the error to the title: titles may have line breaks."""
        first = next((at for at, text in enumerate(self._message[: MOST_OF_A_TITLE + 1]) if ERROR.match(text)), 0)
        if first and self._names:
            title = "\n".join([self._names[-1][0], *self._message[:first]])
            self._names[-1], self._message = (title, self._names[-1][1]), self._message[first:]

    def _create_failure(self, name: str, number: int) -> Failure:
        path, _, titles = name.partition(" > ")
        whole = path.endswith(" ]")
        path = relative(path.partition(" [ ")[0])
        file, at = self._place or (path, None)
        below = not self._root or not file or file.startswith(f"{self._root}/")
        tail = "" if self._section == "Failed Suites" else "$"
        return Failure(
            tool="vitest",
            kind="compile" if whole else "test",
            name=f"{path} > {titles}" if titles else path,
            message=join_message(line for line in self._message if not line.startswith(" ❯ ")),
            file=file if below else f"{self._root}/{file}",
            line=at,
            selector=escape_pattern(titles).replace(" > ", " (> )?") + tail if titles else "",
            place=self._root,
            log_line=number,
        )

    def finish(self) -> Iterable[Failure]:
        """Return what failed; an error outside of tests only if nothing else failed."""
        self._end()
        if not self._failed and self._counted is None and self._summed:  # otherwise the log breaks off
            self._grow()
        if not self._failed and self._counted is None:
            for one in self._annotated:
                self._failed.add(one)
        if self._loose and self._loose.name and not self._failed:
            self._failed.add(self._loose)
            self._loose = None
        return self._failed.with_confidence(self._counted)

    def _grow(self) -> None:
        """Add what the tree reports and no section does."""
        for row, confidence in self._tree.list_rows():
            self._message = [row.message]
            self._failed.add(evolve(self._create_failure(row.name, row.number), confidence=confidence))
        self._counted = self._summed
        self._clear()

    def total(self) -> int | None:
        """Return the totals of the sections, or otherwise that of the run; call it after `finish`."""
        return self._failed.adjust_total(self._counted)

    def gap(self) -> str:
        """Return what failed beside the tests, or that the reporter for GitHub may have left something out."""
        if self._loose:
            said = self._loose.message.partition("\n")[0]
            return f"vitest reports an error outside of tests in line {self._loose.log_line:,}, '{said}'"
        alone = self._annotated and self._counted is None and self._summed is None
        return "vitest's reporter for GitHub prints no total, and no test that failed without a stack" if alone else ""

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that runs these: Vitest joins titles by spaces, and takes a pattern for the whole."""
        files = each_once(one.name.partition(" > ")[0] for one in failures)
        patterns = [one.selector for one in failures if one.selector]
        named = ("-t", any_of(patterns)) if patterns else ()  # a file that cannot be loaded fails whatever is selected
        return command("npx", "vitest", "run", *files, *named)


VitestInPackages = packages(Vitest)
