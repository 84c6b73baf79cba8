r"""Erlang's EUnit, as rebar3 and EUnit itself print it, and Common Test under rebar3.

Failures:                                            till_tests: subtracts_test...*failed*
                                                 in function till_tests:subtracts_test/0 (test/till_tests.erl, line 4)
  1) till_tests:subtracts_test/0                 **error:{assertEqual,[{module,till_tests},
     Failure/Error: ?assertEqual(3, 5 - 1)                      {line,4},
       expected: 3                                 output:<<"">>
            got: 4
12 tests, 4 failures, 6 cancelled                  Failed: 4.  Skipped: 0.  Passed: 2.

%%% till_SUITE ==> subtracts: FAILED
%%% till_SUITE ==> {{badmatch,4},
 [{till_SUITE,subtracts,1,[{file,"test/till_SUITE.erl"},{line,10}]}]}
Failed 3 tests. Skipped 1 (1, 0) tests. Passed 1 tests.
"""

import re
from collections.abc import Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import Failure, Kind, Line
from ci_failures.parsers.javascript.failed import CountedParser
from ci_failures.parsers.text_helpers import MOST_LINES, command, each_once, join_message, parse_count, relative

LISTED = re.compile(r" {2}\d{1,7}\) (\w{1,200}:\S{1,300}?)/\d{1,3}(?::\d{1,7})?(?:: (.{1,300}))?$")
"""The heading of a failure: module, function, arity, and of a generated test its line and description."""
SHOWN = re.compile(r" {0,40}(\w{1,200}):(?:\d{1,7}:)? (\S.{0,300}?)\.\.\.\*(failed|timed out)\*$")
PLACE = re.compile(r"in function (\w{1,200}):.{1,200} \((\S.{0,400}\.erl), line (\d{1,7})\)$")
TOTAL = re.compile(
    r"\d{1,9} tests?, (\d{1,9}) failures?(?:, (\d{1,9}) cancelled)?$"
    r"| *Failed: (\d{1,9})\. {2}Skipped: \d{1,9}\. {2}Passed: \d{1,9}\.$"
)
CANCELLED = "One or more tests were cancelled"
CASE = re.compile(r"%%% (\w{1,200}) ==> (\S{1,300}): FAILED$")
REASON = re.compile(r"%%% \w{1,200} ==> (.*)$")
CASES = re.compile(r"Failed (\d{1,9}) tests?\. ")
OTHERS = ("in ", "output:", "Output:", "%% ", "=====")
"""Beginnings of lines below a failure that are not its message."""
FILE = re.compile(r'\{file,\s*"([^"]{1,400}\.erl)"\},\s*\{line,(\d{1,7})\}')


class EUnit(CountedParser):
    """Parser of the tests that failed, and of the total; tests that were cancelled are counted and not all named."""

    tool: ClassVar[str] = "eunit"
    wakes: ClassVar[tuple[str, ...]] = (
        *("...*failed*\n", "...*timed out*\n", "     Failure/Error: ?", "     Failure/Error: {"),
        *(" failures\n", " failure\n", " cancelled\n", ".  Skipped: ", f"\n{CANCELLED}"),
    )
    first_line: ClassVar[str] = r".*\.\.\.\*(?:failed|timed out)\*$| {5}Failure/Error: [?{]"
    before: ClassVar[int] = 1

    def __init__(self) -> None:
        super().__init__()
        self._open: Failure | None = None
        self._said: list[str] = []
        self._listed: re.Match[str] | None = None
        self._cancelled = self._late = 0

    def look_back(self, lines: Sequence[Line]) -> None:
        """Read the heading above a failure."""
        self._listed = LISTED.match(lines[-1].text.rstrip()) if lines else None

    def read(self, line: Line) -> bool:
        """Read the beginning of a failure, a line of it, or a total."""
        text = line.text.rstrip()
        listed, self._listed = self._listed or LISTED.match(text), None
        if shown := SHOWN.match(text):
            self._end()
            self._begin(f"{shown[1]}:{shown[2]}", line.number, is_late=shown[3] == "timed out")
        elif text.startswith("     Failure/Error: ") and listed:
            self._end()
            self._begin(f"{listed[1]} ({listed[2]})" if listed[2] else listed[1], line.number - 1)
            self._said = [text]
        elif total := TOTAL.match(text):
            self._end()
            self._counted = (self._counted or 0) + parse_count(total[1] or total[3]) + self._late
            self._cancelled += parse_count(total[2] or "")
            self._late = 0
        elif text.startswith(CANCELLED):
            self._end()
            self._cancelled += 1
        elif listed and listed.string == text:
            self._end()
            self._listed = listed
        elif self._open and (text or not self._said) and not text.startswith(("Pending:", "##[")):
            if len(self._said) < MOST_LINES:
                self._said.append(text)
        else:
            self._end()
        return self._open is not None or self._listed is not None

    def _begin(self, name: str, number: int, *, is_late: bool = False) -> None:
        kind: Kind = "timeout" if is_late else "test"
        self._late += is_late  # EUnit does not count it as failed
        self._open = Failure(tool=self.tool, kind=kind, name=name, log_line=number)

    def _end(self) -> None:
        """Record the open failure, with the first place of its module."""
        if one := self._open:
            places = [found for text in self._said if (found := PLACE.match(text)) and one.name.startswith(found[1])]
            said = [text for text in self._said if not text.lstrip().startswith(OTHERS)]
            file = FILE.search("\n".join(self._said))
            place = (places[0][2], places[0][3]) if places else (file[1], file[2]) if file else None
            self._failed.add(_with_place(evolve(one, message=join_message(said)), place))
        self._open, self._said = None, []

    def gap(self) -> str:
        """Return that tests were cancelled."""
        return "eunit cancelled tests, not all of which it names" if self._cancelled else ""

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command for the modules of these tests: generated ones have no name."""
        modules = each_once(one.name.partition(":")[0] for one in failures)
        return command("rebar3", "eunit", f"--module={','.join(modules)}")


class CommonTest(CountedParser):
    """Parser of the cases that failed, and of the total."""

    tool: ClassVar[str] = "common_test"
    wakes: ClassVar[tuple[str, ...]] = (": FAILED\n", "\nFailed ")
    first_line: ClassVar[str] = r"%%% \w+ ==> \S+: FAILED$"

    def __init__(self) -> None:
        super().__init__()
        self._open: Failure | None = None
        self._said: list[str] = []

    def read(self, line: Line) -> bool:
        """Read the beginning of a failure, a line of its reason, or a total."""
        text = line.text.rstrip()
        if case := CASE.match(text):
            self._end()
            name = f"{case[1]}:{case[2].replace('.', ':')}"
            self._open = Failure(tool=self.tool, name=name, selector=case[1], log_line=line.number)
        elif total := CASES.match(text):
            self._end()
            self._counted = (self._counted or 0) + parse_count(total[1])
        elif not text:
            self._end()
        elif len(self._said) < MOST_LINES:
            reason = REASON.match(text)
            self._said.append(reason[1] if reason else text)
        return self._open is not None

    def _end(self) -> None:
        """Record the open failure, with the place of its suite."""
        if self._open:
            message = join_message(self._said)
            suite = f"{self._open.selector}.erl"
            places = (found.groups() for found in FILE.finditer(message))
            place = next((one for one in places if one[0].endswith(suite)), None)
            self._failed.add(_with_place(evolve(self._open, message=message), place))
        self._open, self._said = None, []

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command for the suites of these cases."""
        return command("rebar3", "ct", f"--suite={','.join(each_once(one.selector for one in failures))}")


def _with_place(one: Failure, place: Sequence[str] | None) -> Failure:
    """Return a failure with a file and a line."""
    if place is None:
        return one
    file, line = place
    return evolve(one, file=relative(file), line=int(line))
