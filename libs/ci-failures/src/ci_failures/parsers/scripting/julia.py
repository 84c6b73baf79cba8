r"""Julia's Test: a block for each `@test` that fails, and the total of the outermost set.

subtracts: Test Failed at /home/runner/work/Till.jl/Till.jl/test/runtests.jl:10
  Expression: 5 - 1 == 3
   Evaluated: 4 == 3
Stacktrace:
 [1] macro expansion

ERROR: LoadError: Some tests did not pass: 3 passed, 1 failed, 1 errored, 0 broken.
"""

import re
from collections.abc import Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import Failure, Line
from ci_failures.parsers.javascript.failed import CountedParser
from ci_failures.parsers.text_helpers import MOST_LINES, command, join_message, parse_count, relative

BEGUN = re.compile(
    r"(?:(\S.{0,300}?): )?(Test Failed|Error During Test|Unexpected Pass) at (\S.{0,400}?\.jl):(\d{1,7})$"
)
TOTAL = re.compile(
    r".{0,200}Some tests did not pass: \d{1,9} passed, (\d{1,9}) failed, (\d{1,9}) errored, \d{1,9} broken"
)


class Julia(CountedParser):
    """Parser of the blocks and of the total."""

    tool: ClassVar[str] = "julia"
    wakes: ClassVar[tuple[str, ...]] = (
        *("Test Failed at ", "Error During Test at ", "Unexpected Pass at "),
        "Some tests did not pass: ",
    )

    def __init__(self) -> None:
        super().__init__()
        self._open: Failure | None = None
        self._said: list[str] = []

    def read(self, line: Line) -> bool:
        """Read the beginning of a block, a line of it, or the total."""
        text = line.text.rstrip()
        if begun := BEGUN.match(text.lstrip()):
            self._end()
            self._begin(begun, line.number)
        elif total := TOTAL.match(text):
            self._end()
            self._counted = (self._counted or 0) + parse_count(total[1]) + parse_count(total[2])
        elif text.startswith("  ") and text.strip() != "Stacktrace:" and len(self._said) < MOST_LINES:
            self._said.append(text)
        else:
            self._end()
        return self._open is not None

    def _begin(self, found: re.Match[str], number: int) -> None:
        title, what, path, line = found.groups()
        place = f"{relative(path)}:{line}"
        self._open = Failure(
            tool=self.tool,
            name=f"{title} {place}" if title else place,
            message=what,
            file=relative(path),
            line=int(line),
            log_line=number,
        )

    def _end(self) -> None:
        """Record the open block."""
        if self._open:
            message = join_message(self._said)
            self._failed.add(evolve(self._open, message=message or self._open.message))
        self._open, self._said = None, []

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:  # noqa: ARG003 -- no part of a package's tests has a command
        """Return the command that runs the tests of the package."""
        return command("julia", "--project", "-e", "using Pkg; Pkg.test()")
