"""The progress that pytest prints: a line for each test with -v, otherwise dots and letters after the file."""

import re
from collections import defaultdict

from ci_failures.model import MOST_FAILURES, Line
from ci_failures.parsers.python.pytest_names import NamedLine, as_given

FAILED, ERROR, RERUN = "FAILED", "ERROR", "RERUN"
VERBOSE = re.compile(r"([^\s:][^:]*::.*?)(?: <- \S+)? (FAILED|ERROR|RERUN|[a-zA-Z]+)(?: \([^)]*\))?(?: +\[[^\]]*\])?$")
DISTRIBUTED = re.compile(
    r"\[gw\d+\] (?:\[[^\]]*\] )?(?:SUB(?=FAILED))?([A-Z]+)(?:[\[(].{0,300}[\])])? (\S[^:]*::.*?)(?: <- \S+)?$"
)
DOTS = re.compile(r"(?:(\S+\.\w+) )?([.FEsxXRpu,-]+) *(?:\[[^\]]*\])?$")
LETTERS = {"F": FAILED, "E": ERROR, "u": FAILED}
"""A failed subtest is a `u`, and has a block of its own."""
PATIENCE = 20


class Progress:
    """Names and files of failed tests in the order of the run, and the lines at which a test was repeated."""

    def __init__(self) -> None:
        self.names: dict[str, list[NamedLine]] = defaultdict(list)
        self.tries: dict[str, list[int]] = defaultdict(list)
        self.files: dict[str, list[str]] = defaultdict(list)
        self.started = ""
        self._file = ""
        self._others = 0

    @property
    def over(self) -> bool:
        """Whether the following lines are captured output, so that only literals find lines."""
        return self._others > PATIENCE

    @property
    def failed(self) -> int:
        """How many failures and errors were printed."""
        return sum(max(len(self.names[kind]), len(self.files[kind])) for kind in (FAILED, ERROR))

    def read(self, line: Line) -> None:
        """Read a line."""
        text = line.text
        if text.startswith("[gw"):
            found = DISTRIBUTED.match(text.rstrip())
            self._add_named(line.number, found[2], found[1]) if found else self._other()
        elif "::" in text:
            found = VERBOSE.match(text)
            self._add_named(line.number, found[1], found[2]) if found else self._other()
            self.started = "" if found else text.strip()
        elif text and (found := DOTS.match(text)):
            self._file = found[1] or self._file
            for letter in found[2]:
                if letter in LETTERS and len(self.files[LETTERS[letter]]) < MOST_FAILURES:
                    self.files[LETTERS[letter]].append(self._file)
        else:
            self._other()

    def _add_named(self, number: int, name: str, outcome: str) -> None:
        if outcome in {FAILED, ERROR, RERUN}:
            self.add_name(outcome, NamedLine(number, name))

    def add_name(self, outcome: str, told: NamedLine) -> None:
        """Record a name."""
        if outcome == RERUN:
            name = as_given(told.rest)
            if len(self.tries) < MOST_FAILURES or name in self.tries:
                self.tries[name].append(told.number)
        elif len(self.names[outcome]) < MOST_FAILURES:
            self.names[outcome].append(told)

    def _other(self) -> None:
        self._others += 1
