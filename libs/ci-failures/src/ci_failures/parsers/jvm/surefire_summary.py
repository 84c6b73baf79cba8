"""Surefire's summary behind `Results:`, old and new, and flaky tests."""

import re
from typing import NamedTuple

from attrs import define, field

from ci_failures.model import Line
from ci_failures.parsers.jvm.maven import without_level
from ci_failures.parsers.jvm.surefire_names import split_header
from ci_failures.parsers.text_helpers import join_message

TOTAL = re.compile(r"Tests run: \d+, Failures: (\d+), Errors: (\d+), Skipped: \d+(?:, Flakes: \d+)?\s*$")
ENTRY = re.compile(r"([\w$.]+?)(?:>[\w$.]+)?\.([\w$]+)(?::\d+)?(?:->\S+)*(?: » | +|$)(.*)", re.DOTALL)
WHOLE_CLASS = re.compile(r"  ([A-Z][\w$]*)(?: » | )(\S.*)", re.DOTALL)
"""A class without a method, as all tests of Kotest are listed; lines of messages have no level."""
OLD_ENTRY = re.compile(r"(.+?)\(([\w$.]+\.[\w$]+)\)(?:: ?(.*))?$", re.DOTALL)
OF_A_CLASS = re.compile(
    r"((?:[a-z_]\w*\.)+(?!\w*(?:Exception|Error)\b)[A-Z]\w*(?:Tests?|IT|Spec|TestCase)\w*): (\S.*)$", re.DOTALL
)
"""A class whose set-up failed, in old summaries; only by its name it differs from an exception in a message."""
OF_AN_INSTANCE = re.compile(r"^([\w$]+) on instance [^()]*\([\w$.]+\)(?=\()")
"""TestNG's names of the JUnit tests that it runs."""
RUN = re.compile(r"\s+Run \d+: ")
FAILED = ("Failures:", "Errors:", "Failed tests:", "Tests in error:")
FLAKY = ("Flakes:", "Flaked tests:")
CRASHED = "Crashed tests:"
LONGEST_ENTRY = 500
MOST_LINES = 20_000
MOST_LINES_OF_A_MESSAGE = 40


@define
class Listed:
    """A test as a summary names it.

    Args:
        of: Its class, mostly without its package.
        method: Its method, without parameters; empty for a whole class.
        number: The number of the line.
        flaky: Whether the last attempt passed.
        runs: How often it ran; 0 where the summary does not show it.
        said: The lines of its message.
    """

    of: str
    method: str
    number: int
    flaky: bool
    runs: int = 0
    said: list[str] = field(factory=list)

    @property
    def message(self) -> str:
        """Its message."""
        return join_message(self.said)


class Names(NamedTuple):
    """A class, a method and the message behind them."""

    of: str
    method: str
    said: str


def names(text: str) -> Names | None:
    """Parse `Class.method:12->helper:13 message`, with `>Parent` behind the class; or `method(pkg.Class): message`."""
    short = text[:LONGEST_ENTRY]
    if " on instance " in short:
        short = OF_AN_INSTANCE.sub(r"\1", short)
    old = OLD_ENTRY.match(short)
    found = ENTRY.match(short)
    if old and (not found or " " not in old[1].split("[")[0]):  # titles of Spock have spaces
        return Names(old[2], old[1].removeprefix(f"{old[2]}."), old[3] or "")
    if found:
        return Names(found[1], found[2].removeprefix("lambda$").split("$")[0], found[3])
    whole = OF_A_CLASS.match(short)
    return Names(whole[1], "", whole[2]) if whole else None


class Summary:
    """One summary, up to its total.

    Args:
        levelled: Whether Maven adds a level to each line: then lines without one belong to messages.
    """

    def __init__(self, *, levelled: bool) -> None:
        self._levelled = levelled
        self._heading = ""
        self._lines = 0
        self._above: tuple[str, int, int] = "", 0, 0
        """The line before, its number, and how many entries were read before it."""
        self.entries: list[Listed] = []
        self.total: int | None = None
        self.over = False

    def read(self, line: Line) -> bool:
        """Read a line, and return whether the summary continues behind it."""
        text, self._lines = line.text, self._lines + 1
        bare = without_level(text)
        mine = not self._levelled or bare is not text
        if mine and (total := TOTAL.match(bare)):
            self.total = int(total[1]) + int(total[2])
            return False
        self.over = "BUILD FAILURE" in text or "Reactor Summary" in text
        if self.over or "Time elapsed: " in text:
            return False
        if mine and not self._read_heading(bare, line.number) and bare.strip():
            self._entry(bare, line.number)
        elif not mine and self.entries:
            self._say(text)
        return self._lines < MOST_LINES

    def _read_heading(self, bare: str, number: int) -> bool:
        """Read a heading; old ones have the first test behind them."""
        for heading in (*FAILED, *FLAKY, CRASHED):
            if bare.startswith(heading):
                self._heading = heading
                rest = bare[len(heading) :]
                if rest.strip():
                    self._entry(rest, number)
                return True
        return False

    def _entry(self, bare: str, number: int) -> None:
        if RUN.match(bare):
            self._begin_runs()
            if self.entries:
                self._run(bare)
            return
        self._above = bare.strip(), number, len(self.entries)
        found = names(bare.strip()) if self._heading else None
        if not found and self._levelled and self._heading and (whole := WHOLE_CLASS.match(bare)):
            found = Names(whole[1], "", whole[2])
        if self._heading == CRASHED:
            self.entries.append(Listed(bare.strip(), "", number, flaky=False))
        elif found:
            said = [found.said] if found.said else []
            self.entries.append(Listed(found.of, found.method, number, self._heading in FLAKY, said=said))
        elif self.entries:
            self._say(bare)

    def _begin_runs(self) -> None:
        """Read the line above the first run of a test, which has its whole name."""
        (name, number, before), self._above = self._above, ("", 0, 0)
        of, method = split_header(name, "")
        is_known = len(self.entries) > before and not self.entries[before].said
        if is_known or not method:
            return
        if len(self.entries) == before and before and self.entries[-1].said[-1:] == [name]:
            self.entries[-1].said.pop()
        self.entries[before:] = [Listed(of, method, number, self._heading in FLAKY)]

    def _run(self, bare: str) -> None:
        last = self.entries[-1]
        last.runs += 1
        if not last.said:
            self._say(bare.partition(": ")[2])

    def _say(self, text: str) -> None:
        said = self.entries[-1].said
        if len(said) < MOST_LINES_OF_A_MESSAGE:
            said.append(text)
