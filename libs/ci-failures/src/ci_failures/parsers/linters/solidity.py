"""Solidity's compiler, and Foundry's tests; Forge follows its published outputs.

Error (3656): Contract "Cart" should be marked as abstract.
 --> contracts/Cart.sol:6:1:

[FAIL: assertion failed: 1 != 2] test_Adds() (gas: 12345)
Suite result: FAILED. 1 passed; 1 failed; 0 skipped; finished in 1.2ms (300µs CPU time)
Encountered 1 failing test in test/Cart.t.sol:CartTest
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, MOST_TEXT, Confidence, Failure, Line, Parser
from ci_failures.parsers.scripting.linting import Linter
from ci_failures.parsers.text_helpers import command, relative

ERROR = re.compile(r"(?:Error|\w+Error) ?(?:\((\d{1,5})\))?: (\S.*)$")
ARROW = re.compile(r" *--> (\S[^:]{0,400}\.sol):(\d{1,7}):(\d{1,7}):?$")
SUITE = re.compile(r"(?:Ran|Running) \d+ tests? for (\S+\.sol:\w+)$")
LISTED = re.compile(r"Encountered \d+ failing tests? in (\S+\.sol:\w+)$")
RESULT = re.compile(r"\[FAIL(?:(?::|\. Reason:|\.) ?(.*?))?\] (\w+\(.{0,400}?\)) \((?:gas|runs|μ)\W.*\)$")
END = re.compile(r"(?:Suite|Test) result: (?:ok|FAILED)\. \d+ passed; (\d+) failed;")
BEGUN = "[FAIL"


class SolidityCompiler(Linter):
    """Parser of errors whose place is on the line below."""

    tool: ClassVar[str] = "solc"
    again: ClassVar[tuple[str, ...]] = ("forge", "build")
    wakes: ClassVar[tuple[str, ...]] = ("Error (", ".sol:")
    first_line: ClassVar[str] = r"\w*Error|.*\.sol:"
    before: ClassVar[int] = 1

    def __init__(self) -> None:
        super().__init__()
        self._error: tuple[str, str, int] | None = None

    def read(self, line: Line) -> bool:
        """Read an error, or the place below it."""
        if found := ERROR.match(line.text.rstrip()):
            self._error = found[1] or "error", found[2], line.number
            return True
        if self._error and (place := ARROW.match(line.text)):
            rule, text, number = self._error
            self.find(rule, place[1], int(place[2]), text, number, column=int(place[3]), kind="compile")
        self._error = None
        return False

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:  # noqa: ARG003 -- it builds all files
        """Return the command that compiles the project."""
        return command(*cls.again)


class Forge(Parser):
    """Parser of Foundry's test results, which are listed again at the end."""

    tool: ClassVar[str] = "forge"
    wakes: ClassVar[tuple[str, ...]] = (BEGUN, ".sol:", "uite result: ", "est result: ")
    first_line: ClassVar[str] = r".*\.sol:|\[FAIL|(?:Suite|Test) result: "

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._suite = ""
        self._open: list[str] = []
        self._number = 0
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Read the name of a suite, a result, or a total; the reason of a result may have several lines."""
        text = line.text.rstrip()
        if suite := SUITE.match(text) or LISTED.match(text):
            self._suite = suite[1]
        elif end := END.match(text):
            self._counted = (self._counted or 0) + int(end[1])
        elif text.startswith(BEGUN):
            self._open, self._number = [text], line.number
            return not self._result(text)
        elif self._open and len(self._open) < MOST_LINES:
            self._open.append(text)
            return not self._result("\n".join(self._open))
        self._open = []
        return False

    def _result(self, text: str) -> bool:
        found = RESULT.match(text.replace("\n", " "))
        if found and self._suite and len(self._found) < MOST_FAILURES:
            file = relative(self._suite.partition(":")[0])
            name = f"{self._suite}.{found[2]}"
            one = Failure(
                tool=self.tool, name=name, message=(found[1] or "failed")[:MOST_TEXT], file=file,
                selector=found[2].partition("(")[0], place=file, log_line=self._number,
            )  # fmt: skip
            self._found.setdefault(name, one)
        if found:
            self._open = []
        return found is not None

    def finish(self) -> Iterable[Failure]:
        """Return what failed."""
        sure: Confidence = "high" if self._counted == len(self._found) else "medium"
        return [evolve(one, place="", confidence=sure) for one in self._found.values()]

    def total(self) -> int | None:
        """Return the sum of the totals of the suites."""
        return self._counted

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that runs these tests again, in all files that have such."""
        names = "|".join(dict.fromkeys(one.selector for one in failures))
        return command("forge", "test", "--match-test", f"^({names})$")


MOST_LINES = 12
"""Lines of a reason."""
