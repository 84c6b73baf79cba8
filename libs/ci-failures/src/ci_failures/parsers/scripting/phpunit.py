r"""PHPUnit 7 to 13, and ParaTest: the numbered lists after a run, below its line of time and memory.

    Time: 00:00.031, Memory: 6.00 MB

    There were 8 failures:

    1) App\Tests\AccountTest::testAmounts with data set "named set" (0, 'first')
    Failed asserting that 0 is greater than 1.

    /home/runner/work/app/app/tests/AccountTest.php:30

    --

    There was 1 risky test:

Lists of warnings, of deprecations and of risky tests are numbered, too, and are not failures. Messages may
contain\nlines that look like any of these.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, evolve, field

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.scripting.php import canonical, pattern, place, place_of_class
from ci_failures.parsers.text_helpers import command, each_once, join_message, relative

TIME = re.compile(r"^Time: .{1,40}, Memory: ")
SECTION = re.compile(
    r"^(?:There (?:was|were) (\d+) (.{1,80})|These (?:before|after)-(?:first|last)-test methods errored):$"
)
ENTRY = re.compile(r"^(\d+)\) (\S+::\S.*|\S+\.phpt(?: \(attempt \d+ of \d+\))?|Error|[\w\\]{2,200})$")
PROVIDER = re.compile(r"^The data provider specified for (\S+::\S+) is invalid")
STACK = re.compile(r"^(?:Stack trace:|Caused by|#\d+ )")
ISSUES = re.compile(r"^\d+ tests? triggered \d+ ")
COUNTS = re.compile(r"^(?:Tests: \d+, Assertions: \d+|OK \(\d+ tests?, )")
WRONG = re.compile(r"(?:Errors|Failures): (\d{1,7})\b")
VERDICTS = frozenset({"ERRORS!", "FAILURES!"})
"""The line above the totals of a run that failed, whose lists may have lost lines."""
BAD = frozenset({"failure", "failures", "error", "errors", "PHPUnit error", "PHPUnit errors"})
UNCOUNTED = 1_000_000
"""The assumed length of a list whose header does not have it."""
MOST_LINES = 60


@define
class Entry:
    """An entry of a list.

    Args:
        sure: Whether the entry before had ended with its backtrace; otherwise this may be a line of its message.
    """

    name: str
    number: int
    sure: bool
    lines: list[str] = field(factory=list)
    place: tuple[str, int] | None = None
    elsewhere: tuple[str, int] | None = None
    framed: bool = False
    done: bool = False

    def take(self, text: str) -> None:
        """Read a line of the entry."""
        if STACK.match(text):
            self.done = self.done or bool(self.lines)
        found = place(text)
        self.framed = self.framed or self.done or bool(found) or (text.startswith("/") and ".php:" in text)
        if found and not self.done:
            self.place = found
        elif not self.done and self.framed:
            self.elsewhere = place_of_class(text, self.name) or self.elsewhere
        elif not self.framed and len(self.lines) < MOST_LINES:
            self.lines.append(text)

    def failure(self) -> Failure:
        """Create a failure of the entry."""
        name = self.name
        if self.lines and (found := PROVIDER.match(self.lines[0])):
            name = found[1]
        if self.name.endswith(".phpt") or ".phpt (" in self.name:
            name = relative(self.name)
        file, line = self.place or self.elsewhere or ("", None)
        return Failure(
            confidence="high" if (self.lines or self.framed) and "::" in name else "medium",
            tool="phpunit",
            name=canonical(name),
            message=join_message(self.lines).removesuffix("\n\n--"),
            file=file,
            line=line,
            log_line=self.number,
            selector=pattern(canonical(name)) if "::" in name else "",
        )


class PhpUnit(Parser):
    """Parser of the lists of errors and failures."""

    tool: ClassVar[str] = "phpunit"
    wakes: ClassVar[tuple[str, ...]] = (", Memory: ",)

    def __init__(self) -> None:
        self._kept: list[Entry] = []
        self._awake = False
        self._bad = False
        self._next = 1
        self._last = 0
        self._counted: int | None = None
        self._listed = 0
        """How many failures the headers of the lists of a run count."""
        self._totals = 0
        """How many failures the last totals count behind which no list goes on; a message may have such a line."""
        self._idle = 0
        self._past = ""

    def read(self, line: Line) -> bool:
        """Read a line of the lists, which begin below the time, and end with the totals."""
        text = line.text.rstrip()
        if TIME.match(text):
            self._end()
            self._awake, self._bad, self._next, self._last, self._idle = True, False, 1, 0, 0
        elif self._awake:
            self._take(text, line.number)
        self._past = text or self._past
        return self._awake

    def _take(self, text: str, number: int) -> None:
        over = self._next > self._last or self._last == UNCOUNTED
        begins = text.startswith(("There w", "These ")) and over and (self._past == "--" or not self._last)
        section = SECTION.match(text) if begins else None
        entry = ENTRY.match(text) if text[:1].isdigit() else None
        self._idle += 1
        if self._past == "--" and ISSUES.match(text):
            self._bad, self._next, self._last = False, 1, 0
        elif section:
            self._begin(int(section[1] or UNCOUNTED), not section[2] or section[2] in BAD)
        elif entry and self._last:
            self._enter(int(entry[1]), entry[2], number, text)
        elif (over or self._past in VERDICTS) and COUNTS.match(text):
            self._totals = sum(map(int, WRONG.findall(text)))
            self._awake = not over
        elif self._idle > MOST_LINES * 10:
            self._awake = False
        elif self._bad and self._next > 1:
            self._kept[-1].take(text)

    def _begin(self, count: int, bad: bool) -> None:  # noqa: FBT001 -- the header of a list decides it
        self._bad, self._next, self._last, self._idle = bad, 1, count, 0
        if bad and count != UNCOUNTED:
            self._counted = (self._counted or 0) + count
            self._listed += count
        self._totals = 0

    def _end(self) -> None:
        """End a run, whose totals count also what is in no list of the log."""
        if self._totals > self._listed:
            self._counted = (self._counted or 0) + self._totals - self._listed
        self._listed = self._totals = 0

    def _enter(self, ordinal: int, name: str, number: int, text: str) -> None:
        """Read a possible heading of an entry: where one comes a second time, the first was in a message."""
        self._idle = 0
        last = self._kept[-1] if self._bad and self._next > 1 else None
        if ordinal == self._next <= self._last:
            if self._bad and len(self._kept) < MOST_FAILURES:
                self._kept.append(Entry(name, number, last is None or last.framed))
            self._next += 1
            self._totals = 0
        elif last and ordinal == self._next - 1 and not last.sure:
            self._kept.pop()
            if self._kept and ordinal > 1:
                self._kept[-1].lines += [f"{ordinal}) {last.name}", *last.lines]
                self._kept[-1].place = self._kept[-1].place or last.place
            self._kept.append(Entry(name, number, sure=True))
        elif last:
            last.take(text)

    def finish(self) -> Iterable[Failure]:
        """Return what failed."""
        self._end()
        found: dict[str, Failure] = {}
        for entry in self._kept:
            one = entry.failure()
            found.setdefault(one.name, one)
        sure = len(self._kept) == self._counted
        return [one if sure else evolve(one, confidence="medium") for one in found.values()]

    def total(self) -> int | None:
        """Return the sum of the lists' headers, or of the totals if these are more."""
        return self._counted

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command with a pattern of exactly these tests."""
        patterns = each_once(one.selector for one in failures)
        if not patterns:
            return ""
        files = each_once(one.file for one in failures)
        own = files if len(files) == 1 and files[0].endswith("Test.php") and all(one.file for one in failures) else ()
        return command("vendor/bin/phpunit", "--filter", "/^(?:" + "|".join(patterns) + ")$/", *own)
