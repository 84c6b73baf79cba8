"""pytest's output, of every version since 3: its summary, its blocks, and its progress."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import Failure, Line, Parser
from ci_failures.parsers.python.pytest_deaths import DEATHS
from ci_failures.parsers.python.pytest_progress import ERROR, FAILED
from ci_failures.parsers.python.pytest_session import OTHER, RESULTS, SUMMARY, TOLERANCE, Session
from ci_failures.parsers.text_helpers import command, each_once

BANNER = "test session starts"
SECTIONS = {
    "FAILURES": FAILED,
    "ERRORS": ERROR,
    "short test summary info": SUMMARY,
    "rerun test summary info": SUMMARY,
}
GLUED = re.compile(r"(?<![.FEsxXRpu,-])[.FEsxXRpu,-]+(?==+ test session starts =)")
"""Without capturing, output of a test follows the dots directly, without an end of line."""
GLUE = frozenset(".FEsxXRpu,-")
PARTS = frozenset("=_#:ITRFE0123456789")
"""Prefixes of separator lines."""
PARTING = re.compile(r"([=_]+) (.+) ([=_]+)$")
UNPARTED = re.compile(r" ([A-Za-z_][\w.]*(?:\[.*\])?) _?$")
"""Before pytest 5.1, a title that is as long as the line has no separator beside it."""
COUNTS = re.compile(
    r"((?:(?:no tests|\d+(?:/\d+)? tests?) collected(?: \(\d+ deselected\))?, )?"
    r"(?:\d+ [a-z]+(?: [a-z]+)?, )*(?:\d+ [a-z]+(?: [a-z]+)?|no tests ran)) in [\d.]+ ?s(?:econds)?(?: \([^)]*\))?$"
)
ORPHAN = re.compile(r"(?:FAILED|ERROR) \S+\.py(?:::| - |$)")
"""A line of the summary whose title was cut off."""
CONFTEST = re.compile(r"ImportError while loading conftest '([^']+)'")
SUGAR = ("Test session starts (platform: ", "Results (")
"""The first and the last line of a run with pytest-sugar."""
NARROWEST = 70
"""Least width of a separator line where no banner was seen."""
UNEVEN = 4
"""By how much the two sides of a separator may differ: pytest's differ by one at most, but logs are edited."""
DEEPEST, MOST_RUNS = 20, 2_000
"""Nested runs, and consecutive runs, that are kept."""
OVER = ("##[error]Process completed with exit code", "::error::Process completed")


class Pytest(Parser):
    """Parser of pytest's runs, consecutive and nested ones."""

    tool = "pytest"
    wakes = (
        "= test session starts =",
        *SUGAR,
        "= FAILURES =",
        "= ERRORS =",
        "test summary info =",
        "ImportError while loading conftest '",
        *DEATHS,
        "\nFAILED ",
        "\nERROR ",
        " FAILED",
        " ERROR ",
        " RERUN",
        *(f" {what}{rest}" for what in ("failed", "passed", "error", "errors", "skipped") for rest in (" in ", ", ")),
        *(f" {what} in " for what in ("warnings", "warning", "xfailed", "xpassed", "deselected", "rerun")),
    )
    first_line: ClassVar[str] = (
        r"[=_]+ (?:FAILURES|ERRORS|(?:short|rerun) test summary info) |=+ .* in [\d.]"
        r"|[.FEsxXRpu,-]*=+ test session starts =|(?:FAILED|ERROR) \S+\.py(?:::| - |$)"
        r"|ImportError while loading conftest '|Test session starts \(platform: "
    )

    def __init__(self) -> None:
        self._done: list[Session] = []
        self._open: list[Session] = []
        self._lost: Session | None = None
        self._tail: Session | None = None

    def read(self, line: Line) -> bool:
        """Read a line; inside of captured output, `read` asks only for lines that may be pytest's own."""
        text = line.text
        first = text[:1]
        if first in GLUE and " test session starts =" in text:
            line = Line(line.number, GLUED.sub("", text))
            first = "="
        if self._lost:
            self._read_lost(line)
        elif first in PARTS and (first != "E" or not self._open) and self._read_separator(line, first):
            pass
        elif self._open:
            session = self._open[-1]
            if first == " " and text[-1] in " _" and session.overlong(text) and (unparted := UNPARTED.match(text)):
                session.begin_block(line, unparted[1])
            else:
                session.read(line)
        return self._lost is not None or (bool(self._open) and self._open[-1].awake)

    def _read_separator(self, line: Line, first: str) -> bool:
        """Read a separator line; return False for one that only looks like one, and for all other lines."""
        if first in {"=", "_"}:
            parting = PARTING.match(line.text)
            return parting is not None and self._section(line, parting)
        if first in {"#", ":"} and line.text.startswith(OVER):
            self._end_all()
            return True
        if first == "I" and (lost := CONFTEST.match(line.text)):
            self._begin_lost(line, lost[1])
            return True
        if first in {"T", "R"} and line.text.startswith(SUGAR):
            return self._sugar(begins=first == "T")
        if first in {"F", "E"} and not self._open and not self._done and ORPHAN.match(line.text):
            return self._begin_tail(line)
        plain = first.isdigit() and bool(self._open) and not self._open[-1].bannered
        return plain and not self._open[-1].is_output(None, _counts(line.text)) and self._read_total(line.text)

    def _begin_tail(self, line: Line) -> bool:
        """Begin a run of which the log has only the end: the lines of its summary, and its total."""
        session = Session(0, 0, bannered=False)
        session.section = SUMMARY
        session.read(line)
        self._open.append(session)
        self._tail = session
        return True

    def _section(self, line: Line, parting: re.Match[str]) -> bool:
        left, title, right = parting[1], parting[2], parting[3]
        if left[0] != right[0] or abs(len(right) - len(left)) > UNEVEN or not title.strip(" _"):
            return False  # `_ _ _` separates the entries of a traceback
        if title == BANNER:
            self._begin(len(line.text), len(left))
            return True
        self._reopen(title)
        if not self._open or self._is_output(line.text, title):
            if not self._open and not self._done and left[0] == "=" and _counts(title):
                self._open.append(Session(0, 0, bannered=False))  # the log has only its total
                return self._read_total(title)
            if title not in SECTIONS or (len(line.text) < NARROWEST and SECTIONS[title] != SUMMARY):
                return False
            self._end_all()
            self._open.append(Session(len(line.text), len(left), bannered=False))
        session = self._open[-1]
        if not session.width and SECTIONS.get(title) == SUMMARY:
            session.width = len(line.text)
        if not session.is_separator(line.text, title, len(left)) or session.is_output(
            SECTIONS.get(title), _counts(title)
        ):
            return False
        session.inner.clear()  # the outer run continues: the others ran inside of it
        if left[0] == "_":
            session.begin_block(line, title)
        elif not self._read_total(title):
            session.begin_section(SECTIONS.get(title, OTHER), title)
        return True

    def _reopen(self, title: str) -> None:
        """Continue the last run if its summary or its total was output of a test."""
        if not self._open and self._done and self._done[-1].repeats(SECTIONS.get(title), _counts(title)):
            self._open.append(self._done.pop())

    def _is_output(self, text: str, title: str) -> bool:
        """Check whether a run without a banner was only output of a test: pytest's own lines are longer."""
        session = self._open[-1]
        return not session.bannered and title in SECTIONS and len(text) > session.width + TOLERANCE

    def _begin(self, width: int, side: int) -> None:
        session = Session(width, side, bannered=True)
        if self._open and self._open[-1].printing and len(self._open) < DEEPEST:
            if len(self._open[-1].inner) < MOST_RUNS:
                self._open[-1].inner.append(session)
        else:
            self._end_all()
        self._open.append(session)

    def _sugar(self, *, begins: bool) -> bool:
        if begins:
            self._begin(0, 0)
        elif self._open and self._open[-1].width:
            self._open[-1].section = RESULTS
        return begins

    def _read_total(self, text: str) -> bool:
        """Read pytest's last line: its counts."""
        counts = _counts(text)
        if counts is None:
            return False
        session = self._open.pop()
        session.counts = counts
        if not self._open and len(self._done) < MOST_RUNS:
            self._done.append(session)
        return True

    def _end_all(self) -> None:
        # Lines that look like a summary without a total after them may be the output of anything.
        if len(self._done) < MOST_RUNS and self._tail not in self._open:
            self._done.extend(self._open[:1])
        self._open.clear()

    def _begin_lost(self, line: Line, path: str) -> None:
        """Record that the settings of the tests could not be read; no run begins in that case."""
        self._end_all()
        self._lost = Session(0, 0, bannered=False)
        self._lost.section = ERROR
        self._lost.begin_block(line, f"ERROR collecting {path}")
        if len(self._done) < MOST_RUNS:
            self._done.append(self._lost)

    def _read_lost(self, line: Line) -> None:
        error = line.text.startswith("E  ")
        if self._lost and not self._read_separator(line, line.text[:1]):
            self._lost.read(line)
        if self._lost and self._lost.counts and not error:
            self._lost = None
        elif self._lost and error:
            self._lost.counts = {"error": 1}

    def finish(self) -> Iterable[Failure]:
        """Return what failed, each test once."""
        self._end_all()
        found: dict[tuple[str, str], Failure] = {}
        for session in self._sessions():
            failures = session.failures()
            counted = session.total(FAILED) + session.total(ERROR)
            agreed = session.counts is not None and counted == sum(not one.flaky for one in failures) + session.merged
            for one in failures:
                known = found.get((one.place, one.name))
                if known is None or (known.flaky and not one.flaky):
                    found[one.place, one.name] = (
                        one if agreed or one.confidence == "low" else evolve(one, confidence="medium")
                    )
                elif not one.flaky:
                    session.merged += 1
        return found.values()

    def total(self) -> int | None:
        """Return how many tests pytest counts, one with several failures once; call it after `finish`."""
        ended = [session for session in self._sessions() if session.counts is not None]
        return sum(one.total(FAILED) + one.total(ERROR) - one.merged for one in ended) if ended else None

    def _sessions(self) -> Iterable[Session]:
        return (inner for one in self._done for inner in one.sessions())

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return the command with the quoted node ids.

        A failure without one precedes all tests, and needs a whole run.
        """
        return command("pytest", *each_once(one.selector for one in failures))


def _counts(text: str) -> dict[str, int] | None:
    """Parse the counts of pytest's last line; None for any other line."""
    found = COUNTS.match(text)
    parts = [part.split(" ", 1) for part in found[1].split(", ")] if found else []
    return {what: int(number) for number, what in parts if number.isdigit()} if found else None
