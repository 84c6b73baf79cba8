"""The output of unittest's own runner."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from ci_failures.model import Failure, Line, Parser
from ci_failures.parsers.python.unittest_names import Frame, Name, parse_title
from ci_failures.parsers.python.unittest_runs import Reports, Run
from ci_failures.parsers.text_helpers import command, each_once

FIRST = "Creating test database for alias"
LAST = ("Destroying test database for alias", "Preserving test database for alias")
EITHER = "System check identified "
FOUND = re.compile(r"Found \d+ test\(s\)\.$")
DJANGOS = frozenset("CDPSF")
"""What Django prints around a run, and the first characters of that; it may come late, through the other stream."""
BEGINNINGS = ("\nFAIL: ", "\nERROR: ", "\nFAIL [", "\nERROR [", " ... unexpected success", "\nUNEXPECTED SUCCESS: ")
RESULTS = (" ... FAIL\n", " ... ERROR\n", "\nFAIL\n", "\nERROR\n")
OF_TRIAL = "-" * 79
"""The separator above the total of Twisted's trial; that of unittest has 70 characters."""
ENDS = (" tests in ", " test in ")


class Runs(Parser):
    """Base of the parsers of one runner of unittest's kind, which drop the runs of the others."""

    wakes = (*BEGINNINGS, *RESULTS, *ENDS, FIRST, *LAST, EITHER, " test(s).")
    first_line: ClassVar[str] = (
        r"(?:FAIL|ERROR|UNEXPECTED SUCCESS)\b|.* \.\.\. (?:unexpected success|FAIL|ERROR)$|Ran \d+ tests? in "
        r"|Found \d+ test\(s\)|(?:Creating|Destroying|Preserving) test database|System check"
    )
    before = 20

    def __init__(self) -> None:
        self._reports = Reports()
        self._django: list[Line] = []
        self._foreign = False
        self._mine: list[Run] = []

    def read(self, line: Line) -> bool:
        """Read a line; what Django prints around its runs distinguishes them."""
        if self._foreign and line.text.startswith("Ran "):
            self._foreign = False
            return False
        if line.text[:1] in DJANGOS and (line.text.startswith((FIRST, *LAST, EITHER)) or FOUND.match(line.text)):
            self._django.append(line)
        return self._reports.read(line)

    def look_back(self, lines: Sequence[Line]) -> None:
        """Read tests that began, and the line before a title if it may be the separator above it or that of trial."""
        for line in lines:
            self._reports.read_title(line.text)
        for line in lines[-1:]:
            self._foreign = line.text == OF_TRIAL
            if line.text[-1:] == "=":
                self.read(line)

    def naming(self, title: str, frames: Sequence[Frame]) -> Name | None:
        """Parse the title of a failure."""
        return parse_title(title, frames)

    def runs(self) -> Iterable[tuple[Run, str]]:
        """Return all runs with their runner: unittest, django or nose."""
        runs = self._reports.finish()
        for at, run in enumerate(runs):
            following = runs[at + 1].starts if at + 1 < len(runs) else None
            around = any(_around(line, run, following) for line in self._django)
            yield run, "django" if around else "nose" if run.of_nose else "unittest"

    def finish(self) -> Iterable[Failure]:
        """Return what failed, each test once."""
        found: dict[tuple[str, str], Failure] = {}
        self._mine = [run for run, tool in self.runs() if tool == self.tool]
        for run in self._mine:
            for one in run.failures(self.tool, self.naming):
                if found.setdefault((one.place, one.name), one) is not one:
                    run.merged += 1
        return found.values()

    def total(self) -> int | None:
        """Return how many tests the runner counts, one with several failures once; call it after `finish`."""
        counts = [count for run in self._mine if (count := run.total()) is not None]
        return sum(counts) if counts else None


def _around(line: Line, run: Run, following: int | None) -> bool:
    """Check whether Django's output belongs to a run: the last run takes what is printed after it."""
    if run.begins <= line.number < run.starts:
        return not line.text.startswith(LAST)
    after = run.ends and line.number > run.ends
    if not after:
        return run.starts <= line.number
    return following is None or (line.number < following and line.text.startswith(LAST))


class Unittest(Runs):
    """Parser of `python -m unittest`, of `unittest.main` and of runners with the same output."""

    tool = "unittest"

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return the command that runs unittest's names; a file that was run as a script is run again."""
        main = [one for one in failures if one.selector.startswith("__main__.") and one.file]
        rest = each_once(one.selector for one in failures if one not in main)
        commands = [command("python", "-m", "unittest", *rest)] if rest else []
        for file in each_once(one.file for one in main):
            names = each_once(one.selector.removeprefix("__main__.") for one in main if one.file == file)
            commands.append(command("python", file, *names))
        return "; ".join(commands)
