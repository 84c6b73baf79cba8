"""What pytest says while tests run: a line for each with -v, else dots and letters after the file."""

import re
from collections import defaultdict

from ci_failures.model import MOST_FAILURES, Line
from ci_failures.parsers.python.pytest_names import Told, as_given

FAILED, ERROR, RERUN = "FAILED", "ERROR", "RERUN"
VERBOSE = re.compile(r"([^\s:][^:]*::.*?)(?: <- \S+)? (FAILED|ERROR|RERUN|[a-zA-Z]+)(?: \([^)]*\))?(?: +\[[^\]]*\])?$")
DISTRIBUTED = re.compile(r"\[gw\d+\] (?:\[[^\]]*\] )?([A-Z]+) (\S[^:]*::.*?)(?: <- \S+)?$")
DOTS = re.compile(r"(?:(\S+\.\w+) )?([.FEsxXRpu,-]+) *(?:\[[^\]]*\])?$")
LETTERS = {"F": FAILED, "E": ERROR}
PATIENCE = 20


class Progress:
    """Names and files of what failed, in the order in which it was tried; and lines at which a test was tried again."""

    def __init__(self) -> None:
        self.names: dict[str, list[Told]] = defaultdict(list)
        self.tries: dict[str, list[int]] = defaultdict(list)
        self.files: dict[str, list[str]] = defaultdict(list)
        self.started = ""
        self._file = ""
        self._others = 0

    @property
    def over(self) -> bool:
        """Whether what is read now is what tests print, so that lines are asked for by literals only."""
        return self._others > PATIENCE

    @property
    def failed(self) -> int:
        """How many failures and errors were seen."""
        return sum(max(len(self.names[kind]), len(self.files[kind])) for kind in (FAILED, ERROR))

    def read(self, line: Line) -> None:
        """Take a line."""
        text = line.text
        if text.startswith("[gw"):
            found = DISTRIBUTED.match(text.rstrip())
            self._named(line.number, found[2], found[1]) if found else self._other()
        elif "::" in text:
            found = VERBOSE.match(text)
            self._named(line.number, found[1], found[2]) if found else self._other()
            self.started = "" if found else text.strip()
        elif text and (found := DOTS.match(text)):
            self._file = found[1] or self._file
            for letter in found[2]:
                if letter in LETTERS and len(self.files[LETTERS[letter]]) < MOST_FAILURES:
                    self.files[LETTERS[letter]].append(self._file)
        else:
            self._other()

    def _named(self, number: int, name: str, outcome: str) -> None:
        if outcome in {FAILED, ERROR, RERUN}:
            self.tell(outcome, Told(number, name))

    def tell(self, outcome: str, told: Told) -> None:
        """Keep a name."""
        if outcome == RERUN:
            name = as_given(told.rest)
            if len(self.tries) < MOST_FAILURES or name in self.tries:
                self.tries[name].append(told.number)
        elif len(self.names[outcome]) < MOST_FAILURES:
            self.names[outcome].append(told)

    def _other(self) -> None:
        self._others += 1
