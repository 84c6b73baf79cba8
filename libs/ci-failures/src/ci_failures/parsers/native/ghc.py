r"""GHC, by itself or under cabal and Stack: a place, and the message indented below it.

    src/Cart.hs:5:7: error: [GHC-83865]
        • Couldn't match expected type '[Char]' with actual type 'Int'
        • In the first argument of '(++)', namely 'x'
      |
    5 | total x = x ++ "a"
      |           ^
    src/Cart.hs:9:1: error: [-Wmissing-signatures, -Werror=missing-signatures]

Before GHC 9.6 errors have no codes; a place of several lines is `(5,1)-(6,3)`; a short message may follow on its line.
"""

import re
from collections.abc import Iterable
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.native.program_context import source, strip_prefix
from ci_failures.parsers.text_helpers import MOST_LINES, join_message

ERROR = re.compile(
    r"(?:[\w.-]{1,100}> {1,20})?((?:[A-Za-z]:[\\/])?[^\s:][^:]{0,400}\.l?hs(?:-boot|c)?):"
    r"(?:(\d{1,7}):(\d{1,7})(?:-\d{1,7})?|\((\d{1,7}),(\d{1,7})\)-\(\d{1,7},\d{1,7}\)): (?:fatal )?error:(.*)$"
)
"""A place; Stack puts the name of the package before it."""
RULE = re.compile(r" \[(GHC-\d{1,6}|-W[\w-]{1,60})(?:, -Werror(?:=[\w-]{1,60})?)?\]")


class Ghc(Parser):
    """Parser of the errors of GHC."""

    tool: ClassVar[str] = "ghc"
    wakes: ClassVar[tuple[str, ...]] = (".hs:", ".lhs:", ".hsc:", ".hs-boot:")

    def __init__(self) -> None:
        self._failures: dict[str, Failure] = {}
        self._open: Failure | None = None
        self._lines: list[str] = []

    def read(self, line: Line) -> bool:
        """Read the place of an error, or a line of its message."""
        text = strip_prefix(line.text).rstrip()
        if "error:" in text and (found := ERROR.match(text)):
            self._end()
            self._begin(found, line.number)
        elif self._open and text.startswith("    ") and len(self._lines) < MOST_LINES:
            self._lines.append(text)
        else:
            self._end()
        return self._open is not None

    def _begin(self, found: re.Match[str], number: int) -> None:
        file, line, column = source(found[1]), found[2] or found[4], found[3] or found[5]
        rule = RULE.match(found[6])
        rest = found[6][rule.end() :] if rule else found[6]
        self._open = Failure(
            tool=self.tool,
            kind="compile",
            name=f"{rule[1] if rule else 'error'} {file}:{line}:{column}",
            file=file,
            line=int(line),
            confidence="medium",
            log_line=number,
        )
        self._lines = [f"    {rest.strip()}"] if rest.strip() else []

    def _end(self) -> None:
        """Record the open error; of several at one place, the first is reported."""
        one, self._open = self._open, None
        if one and len(self._failures) < MOST_FAILURES:
            self._failures.setdefault(one.name, evolve(one, message=join_message(self._lines)))

    def finish(self) -> Iterable[Failure]:
        """Return each error once."""
        self._end()
        return self._failures.values()
