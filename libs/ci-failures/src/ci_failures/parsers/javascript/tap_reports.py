"""node-tap's reporters for people, 16 to 21: base, terse, dot and min.

     FAIL  test/cart.test.js 2 failed of 14 4.405s
     ✖ Cart > total is right test/cart.test.js:3:5
        test/cart.test.js
         2 t.test('Cart', (t) => {
         3   t.equal(4, 3, 'total is right')
         ━━━━━━┛
        --- expected
        …
        Test.<anonymous> (test/cart.test.js:3:5)

Version 16 has a block for each failure, with the titles around it in its details, and the list below.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, field

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.javascript.packages import packages
from ci_failures.parsers.javascript.stacks import inside
from ci_failures.parsers.text_helpers import command, each_once, join_message, relative

SPACE = "\u200b"
FILE = re.compile(
    rf"^{SPACE}? ?FAIL ?{SPACE}? (\S.{{0,400}}?)(?: (\d+) failed (?:\d+ \w{{1,10}} ){{0,3}}of \d+ [\d.]+m?s)?$"
)
TITLE = re.compile(r"^ ?✖ (\S.{0,1000}?)(?: (\S{1,400}\.[cm]?[jt]sx?):(\d{1,7}):\d{1,7})?$")
PATH = re.compile(r"^ {2,4}(\S{1,400}\.[cm]?[jt]sx?)$")
FRAME = re.compile(r"^ {4,8}(?:[^(\d][^(]{0,300} \()?([^\s()]{1,400}):(\d{1,7}):\d{1,7}\)?$")
AROUND = re.compile(r"^ {2}test: (\S.{0,1000})$")
PATIENCE = 120
"""Lines at most between two failures of a file: details have source lines, a diff and a stack."""
MOST_DIFF = 40


@define
class TapEntry:
    """A failure of a file."""

    file: str
    title: str
    number: int
    around: str = ""
    place: tuple[str, int] | None = None
    diff: list[str] = field(factory=list)

    @property
    def name(self) -> str:
        """The file, and behind it the titles."""
        return " > ".join(part for part in (self.file, self.around, self.title) if part)


class TapReports(Parser):
    """Parser of the lists, and of the details below them."""

    tool: ClassVar[str] = "tap"
    wakes: ClassVar[tuple[str, ...]] = ("\n FAIL  ", f"\n{SPACE} FAIL {SPACE} ")
    first_line: ClassVar[str] = (
        rf"{SPACE} FAIL {SPACE} \S| FAIL  \S.* \d+ failed (?:\d+ \w{{1,10}} ){{0,3}}of \d+ [\d.]+m?s$"
    )

    def __init__(self) -> None:
        self._entries: dict[tuple[str, str], list[TapEntry]] = {}
        self._counts: dict[str, int] = {}
        self._file = ""
        self._entry: TapEntry | None = None
        self._idle = 0
        self._seen: set[tuple[str, str]] = set()
        self._in_diff = False

    def read(self, line: Line) -> bool:
        """Read a line of a list or of the details of a failure."""
        text = line.text.rstrip()
        self._idle += 1
        if "FAIL" in text and (found := FILE.match(text)):
            self._begin_file(relative(found[1]), found[2])
        elif self._file and "✖" in text and (found := TITLE.match(text)):
            self._begin(found, line.number)
        elif self._entry:
            self._detail(text, self._entry)
        return bool(self._file) and self._idle < PATIENCE

    def _begin_file(self, file: str, count: str | None) -> None:
        """Read the line of a file, which a summary repeats."""
        self._file, self._entry, self._idle = file, None, 0
        if count:
            self._counts[file] = int(count)

    def _begin(self, found: re.Match[str], number: int) -> None:
        title = found[1].replace("\\#", "#")
        known = self._entries.setdefault((self._file, title), [])
        if not known and len(self._entries) <= MOST_FAILURES:
            known.append(TapEntry(self._file, title, number))
        self._entry, self._idle, self._in_diff = (known[-1] if known else None), 0, False
        if self._entry and found[2]:
            self._entry.place = self._entry.place or inside(found[2], int(found[3]))

    def _detail(self, text: str, entry: TapEntry) -> None:
        bare = text.strip()
        framed = FRAME.match(text)
        if bare == "--- expected":
            self._in_diff = not entry.diff
        elif framed or not bare or bare.startswith("compare:"):
            self._in_diff = False
        if self._in_diff and len(entry.diff) < MOST_DIFF:
            entry.diff.append(bare)
        elif around := AROUND.match(text):
            entry.around = around[1].removeprefix(entry.file).strip()
        elif framed and not entry.place:
            entry.place = inside(framed[1], int(framed[2]))

    def finish(self) -> Iterable[Failure]:
        """Return what failed; a parent is listed behind what failed below it."""
        for entry in self._list_entries():
            file, line = entry.place or (entry.file, None)
            yield Failure(
                tool=self.tool,
                name=entry.name,
                message=join_message([entry.title.rpartition(" > ")[2], *entry.diff]),
                file=file,
                line=line,
                selector=entry.file,
                log_line=entry.number,
                confidence="high" if self._counts else "medium",
            )

    def _list_entries(self) -> Sequence[TapEntry]:
        entries = [entry for known in self._entries.values() for entry in known]
        above = {
            (entry.file, " > ".join(parts[:size]))
            for entry in entries
            for parts in [entry.title.split(" > ")]
            for size in range(1, len(parts))
        }
        return [entry for entry in entries if (entry.file, entry.title) not in above]

    def total(self) -> int | None:
        """Return how many failures the lines of the files count, without the parents."""
        if not self._counts:
            return None
        entries = sum(map(len, self._entries.values()))
        return sum(self._counts.values()) - (entries - len(self._list_entries()))

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that runs these files."""
        return command("npx", "tap", *each_once(one.selector for one in failures if one.selector))


TapReportsInPackages = packages(TapReports)
