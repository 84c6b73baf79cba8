"""Boost.Test: `file(line): error: in "suite/case": …`, once for each assertion; a case is reported once."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, evolve, field

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.native.program_context import RUNNING, Surroundings, each_once, source, through
from ci_failures.parsers.text_helpers import command, join_message

ERROR = re.compile(
    r'^(?:unknown location|((?:[A-Za-z]:[\\/])?[^\s():][^():]*))[:(](\d+)\)?: (?:fatal )?error: in "([^"]+)": (.*)$'
)
CHECKPOINT = re.compile(r"^((?:[A-Za-z]:[\\/])?[^():]+)[:(](\d+)\)?: last checkpoint")
CONTEXT = ("Failure occurred in a following context:", "    ")
END = re.compile(r"^\*\*\* (?:(\d+) failures? (?:is|are) detected|No errors detected)")
LONGEST = 30


@define
class Case:
    """A failed test case, at its first assertion.

    Args:
        failure: The data of the failure so far.
        lines: Its message.
        whole: Whether another message was printed since.
    """

    failure: Failure
    lines: list[str] = field(factory=list)
    whole: bool = False


class BoostTest(Parser):
    """Parser of Boost.Test's log for people, also under ctest."""

    tool: ClassVar[str] = "boost"
    wakes: ClassVar[tuple[str, ...]] = ('error: in "', ' in the test module "', *RUNNING)

    def __init__(self) -> None:
        self._around = Surroundings()
        self._cases: dict[tuple[str, str], Case] = {}
        self._open: Case | None = None
        self._ended = False

    def read(self, line: Line) -> bool:
        """Read a line; awake below a failed assertion, for its context and for the last checkpoint."""
        text = self._around.inside(line.text)
        if text is None:
            self._open = None
        elif found := ERROR.match(text):
            self._read_assertion(line.number, found)
        elif END.match(text):
            self._ended, self._open = True, None
        elif self._open and (place := CHECKPOINT.match(text)):
            one = self._open.failure
            if not one.line:
                self._open.failure = evolve(one, file=source(place[1]), line=int(place[2]))
            self._open = None
        elif self._open and text.startswith(CONTEXT) and len(self._open.lines) < LONGEST:
            self._open.lines.append(text)
        elif self._open and not self._open.whole and self._open.lines[-1:] != [text]:
            self._open = self._open if self._open.failure.line is None and not text.strip() else None
        return self._open is not None

    def _read_assertion(self, number: int, found: re.Match[str]) -> None:
        key = self._around.place, found[3]
        if known := self._cases.get(key):
            self._open = known if known.failure.line is None else None
            return
        if len(self._cases) >= MOST_FAILURES:
            return
        failure = Failure(
            tool=self.tool,
            name=found[3],
            file=source(found[1]) if found[1] else "",
            line=int(found[2]) if found[1] else None,
            selector=found[3],
            place=key[0],
            log_line=number,
        )
        self._open = self._cases[key] = Case(failure, [found[4]])

    def finish(self) -> Iterable[Failure]:
        """Return each case once; without the end of a program it is less certain."""
        found = [evolve(case.failure, message=join_message(case.lines)) for case in self._cases.values()]
        return each_once(found if self._ended else [evolve(one, confidence="medium") for one in found])

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a call of the program with the paths of the cases; through ctest if only its test is known."""
        if "#" in failures[0].place:
            chosen = ":".join(one.selector for one in failures)
            return f"BOOST_TEST_RUN_FILTERS={command(chosen)} {through(failures[0].place)}"
        return through(failures[0].place, *(f"--run_test={one.selector}" for one in failures))
