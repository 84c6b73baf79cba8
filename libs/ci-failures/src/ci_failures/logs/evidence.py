"""What a log proves if no failure was read from it: that known tools ended well, or that something failed.

A log in which nothing was recognized does not prove that its job passed.
"""

import re
from collections.abc import Iterable
from functools import cache

from attrs import frozen

from ci_failures.logs.parser_run import ParserResult
from ci_failures.logs.tool_marks import MARKS, TOOLS, Mark, counts_failures

MOST_SHOWN = 120
"""Characters of a line that a reason quotes."""
STAMP = r"(?:\[[^\]\n]{1,60}\] *|\d\d:\d\d:\d\d +|\d{4}-\d\d-\d\dT[\d:.]{8,20}Z )?(?:\d\d[OE]\+? ?)?"
"""Prefixes of runners that `cleaning` keeps; a report of a failure counts behind them, too."""
LOOKED_FOR = "no failure, no total and no start of a known tool was found in {}"


@frozen
class Outcome:
    """What a log without read failures shows.

    Args:
        recognized: Whether it contains a known tool, or a runner's report of a passed job.
        doubt: Why something may have failed nevertheless; empty if nothing shows that.
        lines: How many lines it has.
    """

    recognized: bool
    doubt: str
    lines: int

    @property
    def unknown(self) -> str:
        """Why it is not known whether anything failed; empty if it is known that nothing did."""
        if self.doubt or self.recognized:
            return self.doubt
        return LOOKED_FOR.format(f"its {self.lines:,} lines") if self.lines else "it is empty"


@cache
def _form(index: int) -> re.Pattern[str]:
    """Return the pattern of a mark, which most logs do not need."""
    mark = MARKS[index]
    return re.compile(f"{STAMP}(?:{mark.form})" if mark.role == "failure" else mark.form)


class LogEvidence:
    """The marks of one log."""

    def __init__(self) -> None:
        self._started: dict[str, int] = {}
        self._ended: set[str] = set()
        self._counts: dict[str, str] = {}
        self._unread: dict[str, str] = {}
        self._failure = ""
        self._passed = False

    def read(self, number: int, text: str, marks: Iterable[int]) -> None:
        """Read a line that contains the literals of some marks."""
        for index in marks:
            mark = MARKS[index]
            if mark.tool in self._started and mark.role == "start":
                continue  # such as the line with which Go begins each test
            if not _form(index).match(text):
                continue
            if mark.role == "start":
                self._started[mark.tool] = number
            elif mark.role in {"total", "unread total"}:
                self._read_total(mark, number, text)
            elif mark.role == "done":
                self._passed = True
            elif not self._failure:
                self._failure = f"{mark.tool} reports a failure in line {number}, {_quote(text)}"

    def _read_total(self, mark: Mark, number: int, text: str) -> None:
        """Read a total; one without failures ends the run that printed totals of other tools before."""
        self._ended.add(mark.tool)
        counts = self._unread if mark.role == "unread total" else self._counts
        if counts_failures(text):
            counts.setdefault(mark.tool, f"{mark.tool} counts failures in line {number}, {_quote(text)}")
        elif mark.role == "total":
            counts.clear()

    def count(self) -> int:
        """Return how many tools and reports of runners were recognized."""
        return len(self._started) + len(self._ended) + bool(self._failure) + self._passed

    def outcome(self, tales: Iterable[ParserResult], lines: int) -> Outcome:
        """Return what the log shows beside the failures that parsers read.

        Args:
            tales: What the parsers read; one that has a count has read its tool's own total.
            lines: How many lines the log has.
        """
        counts = self._unread | self._counts
        ended = set(self._ended)
        for told in tales:
            tool = told.parser.tool
            if told.counted:
                counts.setdefault(tool, f"{tool} counts {told.counted:,} failures")
            elif told.counted == 0:  # its parser distinguishes the tool's own total from output of tests
                counts.pop(tool, None)
                ended.add(tool)
        begun = [f"{tool} began in line {at}" for tool, at in self._started.items() if tool not in ended]
        doubt = self._failure or next(iter(counts.values()), "")
        if doubt:
            doubt = f"{doubt}, and no failure was read"
        elif begun and not self._passed:
            doubt = f"{begun[0]}, and its total is not in the log"
        return Outcome(bool(ended or self._started or self._passed), doubt, lines)


def looked_for(tools: Iterable[str]) -> list[str]:
    """Return the names of the tools that are recognized, also those of other distributions' parsers."""
    return sorted({*TOOLS, *tools}, key=str.lower)


def _quote(text: str) -> str:
    shown = text.strip()
    return f"'{shown[:MOST_SHOWN]}…'" if len(shown) > MOST_SHOWN else f"'{shown}'"
