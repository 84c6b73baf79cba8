"""Ginkgo 1 and 2, under `go test` or its own command: the specs of a suite, and where each of them failed.

A suite is a single test for Go, `--- FAIL: TestBooks`; its summary names the failed specs. The output of a spec
precedes the summary, in a block that ends with the same place as the summary's line.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.go_rust.golang import place_in_stack
from ci_failures.parsers.text_helpers import command, each_once, join_message, relative

SUITE = re.compile(r"^Running Suite: .* - (/\S.*)$")
OLD_BLOCK = re.compile(r"^•(?:!|\.\.\.)? (?:Failure|Panic|Timeout)\b.* \[[\d.]+ seconds\]$")
BLOCK = re.compile(r"^• \[(?:FAILED|PANICKED|TIMEDOUT|INTERRUPTED|ABORTED)\] \[[\d.]+ seconds\]$")
SAID = re.compile(r"^ *\[(?:FAILED|PANICKED|TIMEDOUT|INTERRUPTED|ABORTED)\](?! in \[) (.*)$")
AT = re.compile(r"^ *In \[\w+\] at: (\S.*:\d+)(?: @ .*)?$")
PLACE = re.compile(r"^ *((?:/|[A-Za-z]:[\\/])\S.*\.go):(\d+)$")
ENTRY = re.compile(r"^ *\[(?:Fail|FAIL|Panic!|PANICKED!|TIMEDOUT|Timeout\.\.\.|INTERRUPTED|ABORTED)\] ((?:.*[^ ])?) *$")
NODE = re.compile(r"\[(?:It|Measurement|BeforeEach|JustBeforeEach|AfterEach|JustAfterEach|BeforeAll|AfterAll)\] ")
NODES = re.compile(r"\[(?:DeferCleanup(?: \(\w+\))?)\] ")
LABELS = re.compile(r" \[[^\[\]]*\]$")
PACKAGE = re.compile(r"^(?:FAIL|ok  )\t(\S+)\t")
GOTESTSUM = re.compile(r"^=== FAIL: (\S+) Test\S* ")
"""The package in a summary of gotestsum."""
SPECIAL = re.compile(r"([][\\.+*?()|{}^$])")
RULE, STACK = "------------------------------", "Full Stack Trace"
SUMMARY, RAN = "Summarizing ", " Specs in "
MOST_LINES, SAID_LINES = 400, 25


class Ginkgo(Parser):
    """Parser of the blocks of failing specs, and of the summary."""

    tool = "ginkgo"
    wakes = (
        *("• Failure", "• [FAILED]", "• [PANICKED]", "•! Panic", "• [TIMEDOUT]", "•... Timeout", "• [INTERRUPTED]"),
        *("• [ABORTED]", SUMMARY, "Running Suite: ", "=== FAIL: "),
    )

    def __init__(self) -> None:
        self._folder = ""
        self._said: dict[str, list[tuple[str, str, int | None]]] = defaultdict(list)
        self._lines: list[str] | None = None
        self._panic = ""
        self._is_old = False
        self._entry: tuple[int, str] | None = None
        self._in_summary = False
        self._pending: list[Failure] = []
        self._found: list[Failure] = []

    def read(self, line: Line) -> bool:
        """Read a line; awake within a block, and from the summary until the package is named."""
        text = line.text
        if self._in_summary:
            self._summary(line.number, text)
        elif text.startswith(SUMMARY) and " Failure" in text:
            self._end()
            self._in_summary = True
        elif text.startswith(RULE):
            self._end()
        elif OLD_BLOCK.match(text) or BLOCK.match(text):
            self._end()
            self._lines, self._is_old = [], not BLOCK.match(text)
        elif self._lines is not None:
            self._read_block(text)
        elif found := PACKAGE.match(text):
            self._place(found[1])
        elif found := SUITE.match(text):
            self._place("")
            self._folder = relative(found[1])
        elif found := GOTESTSUM.match(text):
            self._place("")
            self._folder = found[1].strip(".")
        elif text.startswith("Ginkgo ran "):
            self._place("")
        return self._lines is not None or self._in_summary or bool(self._pending)

    def _read_block(self, text: str) -> None:
        """Read a line of a block; in version 2 the output ends at the place, except for a panic's stack."""
        if self._lines is None:
            return
        at = None if self._is_old or self._panic else AT.match(text)
        said = None if self._is_old or self._panic else SAID.match(text)
        if said:
            self._lines = [f"  {said[1]}"]
        elif at and self._lines[:1] == ["  Test Panicked"]:
            self._lines, self._panic = [], at[1]
        elif at:
            self._keep(at[1], self._lines)
        elif len(self._lines) < MOST_LINES:
            self._lines.append(text)

    def _end(self) -> None:
        """End a block: a panic's, or one of version 1, whose last line is its place."""
        lines, self._lines = self._lines, None
        if lines and self._panic:
            self._keep(self._panic, lines)
        elif lines and self._is_old:
            begin = next((at for at, text in enumerate(lines) if not text.strip()), 0)
            places = [at for at, text in enumerate(lines) if at > begin and PLACE.match(text)]
            stack = next((at for at, text in enumerate(lines) if text.strip() == STACK), len(lines))
            if at := next((at for at in places if stack == len(lines) or at < stack), 0):
                self._keep(lines[at].strip(), [*lines[begin:at], *lines[stack:]])
        self._panic = ""

    def _keep(self, place: str, lines: Sequence[str]) -> None:
        """Record the output of a spec by the place that the summary will name."""
        stack = next((at for at, text in enumerate(lines) if text.strip() == STACK), len(lines))
        file, line = place_in_stack([text.removeprefix("    ") for text in lines[stack:]])
        message = join_message([text for text in lines[:stack] if text.strip() != "Test Panicked"][:SAID_LINES]).strip()
        if len(self._said) < MOST_FAILURES:
            self._said[place].append((message, file, line))
        self._lines, self._panic = None, ""

    def _summary(self, number: int, text: str) -> None:
        """Read a line of the summary: a spec, and below it its place."""
        if entry := ENTRY.match(text):
            self._add()
            self._entry = number, entry[1]
        elif self._entry and (place := PLACE.match(text)):
            self._add(place)
        elif RAN in text or text.startswith(("FAIL!", "--- FAIL", "Ginkgo ran ")):
            self._add()
            self._in_summary = False

    def _add(self, place: re.Match[str] | None = None) -> None:
        if not self._entry or len(self._found) + len(self._pending) >= MOST_FAILURES:
            return
        (number, title), self._entry = self._entry, None
        said = self._said[place[0].strip()] if place else []
        message, file, line = said.pop(0) if said else ("", "", None)
        if place and not line:
            file, line = relative(place[1]), int(place[2])
        name = NODES.sub("", NODE.sub("", title, count=1), count=1).strip()
        if not file.startswith("/"):
            self._folder = self._folder or file.rpartition("/")[0]
        selector = "" if name.startswith("[") else _focus(name)
        self._pending.append(
            Failure(
                tool=self.tool, name=name, message=message, file=file, line=line, selector=selector, log_line=number
            )
        )

    def _place(self, package: str) -> None:
        """Set the package of the specs of the last summary."""
        folder = self._folder
        place = package or (f"./{folder}" if folder and not folder.startswith("/") else "")
        self._found += [evolve(one, place=place) for one in self._pending]
        self._pending, self._folder = [], ""
        self._said.clear()

    def finish(self) -> Iterable[Failure]:
        """Return each spec once."""
        self._add()
        self._place("")
        once: dict[tuple[str, str, int | None], Failure] = {}
        for one in self._found:  # gotestsum repeats them, and names packages differently
            once.setdefault((one.name, one.file, one.line), one)
        return list(once.values())

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that focuses on the specs; if one has no usable name, on its whole suite."""
        places = each_once(one.place for one in failures) or ("./...",)
        focus = each_once(one.selector for one in failures)
        if not all(one.selector for one in failures):
            return command("go", "test", *places, "-count=1")
        if not failures[0].place:  # not every package defines the flag
            return command("ginkgo", "-r", f"--focus={'|'.join(focus)}")
        return command("go", "test", *places, "-count=1", f"-ginkgo.focus={'|'.join(focus)}")


def _focus(name: str) -> str:
    """Return the pattern of a spec; brackets at the end may be its labels, which are not matched."""
    bare = LABELS.sub("", name)
    return SPECIAL.sub(r"\\\1", bare) + ("$" if bare == name else "")
