"""tap-spec, which prints a stream of TAP for people: blocks, a list of failed tests, and totals.

rejects

✖ should be equal
------------------
at: Test.<anonymous> (/home/runner/work/app/app/test/auth.js:3:24)

Failed Tests: There was 1 failure

rejects

✖ should be equal

total:     3
passing:   2
failing:   1
"""

import re
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Line
from ci_failures.parsers.javascript.failed import CountedParser
from ci_failures.parsers.javascript.stacks import inside

LIST = re.compile(r"  Failed Tests: There (?:was|were) \d+ failures?$")
TITLE, LISTED = re.compile(r" {2}(\S.*)$"), re.compile(r" {4}(\S.*)$")
CROSS = re.compile(r" {4,6}[\u2716\u2718x] (.*)$")
COUNT = re.compile(r"  (total|passing|failing|duration): +(\d+)")
PLACE = re.compile(r" {6}at: .*\((?:file://)?(\S.*):(\d+):\d+\)$")
PATIENCE = 200
"""Lines behind the last failed assertion that are read."""


class TapSpec(CountedParser):
    """Parser of the list; the blocks before it have the places."""

    tool: ClassVar[str] = "tap"
    wakes: ClassVar[tuple[str, ...]] = ("\n    \u2716 ", "\n  Failed Tests: There ", "\n  total:  ")
    before: ClassVar[int] = 8

    def __init__(self) -> None:
        super().__init__()
        self._places: dict[tuple[str, str], tuple[str, int]] = {}
        self._title = self._said = ""
        self._listing = False
        self._listed: list[Failure] = []
        self._failing: int | None = None
        self._idle = PATIENCE

    def read(self, line: Line) -> bool:
        """Read a line of a block, of the list, or of the totals."""
        text = line.text.rstrip()
        self._idle += 1
        if LIST.match(text):
            self._listing, self._title, self._listed, self._idle = True, "", [], 0
        elif count := COUNT.match(text):
            self._count(count[1], int(count[2]))
        elif cross := CROSS.match(text):
            self._cross(cross[1], line.number)
        elif title := (LISTED if self._listing else TITLE).match(text):
            self._title = title[1]
        elif self._said and not self._listing and (found := PLACE.match(text)):
            self._read_place(found[1], int(found[2]))
        return self._idle < PATIENCE or self._failing is not None

    def _read_place(self, path: str, line: int) -> None:
        if len(self._places) < MOST_FAILURES and (place := inside(path, line)):
            self._places.setdefault((self._title, self._said), place)

    def _cross(self, said: str, number: int) -> None:
        """Read a failed assertion, which has a block before the list."""
        self._said, self._idle = said, 0
        if self._listing and self._title:
            file, line = self._places.get((self._title, said), ("", None))
            self._listed.append(
                Failure(
                    tool=self.tool, name=self._title, message=said, file=file, line=line, selector=file, log_line=number
                )
            )

    def _count(self, word: str, number: int) -> None:
        """Read a line of the totals, which begin with all assertions; a run without failures has no line of these."""
        if word == "total":
            self._failing = 0
        elif self._failing is not None and word == "failing":
            self._failing = number
        elif self._failing is not None and word == "duration":
            for one in self._listed if self._failing else ():
                self._failed.add(one)
            self._counted = (self._counted or 0) + self._failing
            self._failing, self._listing, self._listed = None, False, []

    def _end(self) -> None:
        """Record a list whose totals are cut off."""
        for one in self._listed:
            self._failed.add(one)
        self._listed = []
