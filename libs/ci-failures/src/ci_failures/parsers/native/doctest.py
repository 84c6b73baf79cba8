"""doctest for C++: a block for each case and path of subcases; its end shows whether a failure was expected."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, evolve, field

from ci_failures.model import MOST_FAILURES, Confidence, Failure, Line, Parser
from ci_failures.parsers.native.program_context import DEATH, RUNNING, Surroundings, each_once, source, through
from ci_failures.parsers.text_helpers import join_message

RULE = "=" * 79
PLACE = re.compile(r"((?:[A-Za-z]:[\\/])?[^:()]+)[:(](\d+)\)?:$")
ERROR = re.compile(r"((?:[A-Za-z]:[\\/])?[^:()]+)[:(](\d+)\)?: (?:FATAL )?ERROR: (.*)")
CASES = re.compile(r"\[doctest\] test cases: +\d+ \| +\d+ passed \| +(\d+) failed")
NAMES = ("TEST CASE:  ", "  Scenario: ")
VERDICTS = ("Should have failed but didn't", "Didn't fail exactly ", "Test case exceeded time limit")
EXCUSED = "so marking it as not failed"
LONGEST = 30


@define
class Case:
    """One block of a test case.

    Args:
        name: Its name.
        number: The number of the line in the log.
        header: The file and the line of the case.
        failure: The place and the message of the first failure.
    """

    name: str
    number: int
    header: tuple[str, int | None]
    place: tuple[str, int | None] | None = None
    lines: list[str] = field(factory=list)
    subcases: list[str] = field(factory=list)
    ended: bool = False
    died: bool = False

    def read(self, text: str, number: int) -> None:
        """Read a line of the block."""
        self.died = self.died or DEATH.search(text) is not None
        if self.place is None and not self.ended and not self.lines and text.startswith("  "):
            self.subcases.append(text.strip())
        elif not text.strip() and self.place is None:
            self.ended = True
        elif self.place is None and (found := ERROR.match(text)):
            self.place, self.number = (source(found[1]), int(found[2]) or None), number
            self.lines.append(found[3])
        elif text.startswith(VERDICTS) and self.place is None:
            self.place = self.header
            self.lines.append(text)
        elif self.place is not None and len(self.lines) < LONGEST and "" not in self.lines:
            self.lines.append(text.rstrip())


class Doctest(Parser):
    """Parser of doctest 2, also under ctest."""

    tool: ClassVar[str] = "doctest"
    wakes: ClassVar[tuple[str, ...]] = (f"{RULE}\n", "[doctest] test cases:", *RUNNING)

    def __init__(self) -> None:
        self._around = Surroundings()
        self._header: tuple[str, int | None] | None = None
        self._rule = False
        self._case: Case | None = None
        self._failures: dict[tuple[str, str, tuple[str, int | None]], Failure] = {}
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Read a line; awake from a rule until the end of a block."""
        text = self._around.inside(line.text)
        if text is None:
            self._close()
            return False
        after, self._rule = self._rule, text.endswith(RULE)
        if self._rule:
            self._close()
        elif after:
            self._begin(text)
        elif self._header and not self._case:
            self._name(text, line.number)
        elif self._case and text.startswith("[doctest] Status: "):
            self._close()
        elif self._case and EXCUSED in text:
            self._case = None
        elif self._case:
            self._case.read(text, line.number)
        return bool(self._rule or self._header or self._case)

    def _begin(self, text: str) -> None:
        """Read the line below a rule: the place of a case, or the totals at the end."""
        if place := PLACE.match(text):
            self._header = source(place[1]), int(place[2]) or None
        elif found := CASES.match(text):
            self._counted = (self._counted or 0) + int(found[1])

    def _name(self, text: str, number: int) -> None:
        if text.startswith(NAMES) and self._header:
            name = text.strip() if text.startswith("  ") else text.removeprefix(NAMES[0]).strip()
            self._case = Case(name, number, self._header)
        elif not text.startswith(("TEST SUITE: ", "DESCRIPTION: ", "  ")):
            self._header = None

    def _close(self) -> None:
        case, self._case, self._header = self._case, None, None
        if not case or case.place is None or len(self._failures) >= MOST_FAILURES:
            return
        file, line = case.place
        path = [" / ".join(case.subcases)] if case.subcases else []
        failure = Failure(
            tool="doctest",
            name=case.name,
            message=join_message([*path, *case.lines]),
            file=file,
            line=line,
            selector=re.sub(r'[,\\"*]', "?", case.name),
            place=self._around.place,
            log_line=case.number,
        )
        self._failures.setdefault((failure.place, case.name, case.header), failure)

    def finish(self) -> Iterable[Failure]:
        """Return each case once, however many of its subcases failed; one that may still be expected is dropped."""
        if self._case and self._case.died:
            self._close()
        confidence: Confidence = "medium" if self._counted is None else "high"
        return each_once(evolve(one, confidence=confidence) for one in self._failures.values())

    def total(self) -> int | None:
        """Return the sum of the programs' totals."""
        return self._counted

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a call with a filter: a name is a pattern, in which ? replaces the separator of patterns."""
        names = ",".join(dict.fromkeys(f"*{one.selector}" for one in failures))
        return through(failures[0].place, f"--test-case={names}")
