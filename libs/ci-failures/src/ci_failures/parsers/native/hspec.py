r"""Hspec, the test framework of Haskell, with its outputs for people, also under cabal and Stack.

  test/CartSpec.hs:12:31:
  2) Cart, when empty, throws
       uncaught exception: ErrorCall

  To rerun use: --match "/Cart/when empty/throws/"

9 examples, 7 failures, 1 pending
"""

import re
from collections.abc import Sequence
from typing import ClassVar

from ci_failures.model import Failure, Line
from ci_failures.parsers.javascript.failed import CountedParser
from ci_failures.parsers.native.program_context import source, strip_package, strip_prefix
from ci_failures.parsers.text_helpers import command, each_once, join_message, parse_count

RERUN = re.compile(r" {2}To rerun use: --match \"(.{1,1000})\"")
HEADING = re.compile(r" {2}(\d{1,7})\) (\S.{0,1000})$")
PLACE = re.compile(r" {2}(\S.{0,300}):(\d{1,7}):\d{1,7}: ?$")
TOTAL = re.compile(r"\d{1,9} examples?, (\d{1,9}) failures?(?:, \d{1,9} pending)?$")
ESCAPE = re.compile(r"\\(?:(\d{1,7})(?:\\&)?|(.))")
"""An escape of Haskell's strings; `\\&` ends a number before a digit."""


class Hspec(CountedParser):
    """Parser of the list of failures, each of which ends with its filter, and of the total below."""

    tool: ClassVar[str] = "hspec"
    wakes: ClassVar[tuple[str, ...]] = ("  To rerun use: --match ", " examples, ", " example, ")
    first_line: ClassVar[str] = r".{0,120}  To rerun use: --match "
    before: ClassVar[int] = 50

    def __init__(self) -> None:
        super().__init__()
        self._above: list[str] = []
        self._summed = 0

    def look_back(self, lines: Sequence[Line]) -> None:
        """Keep the lines of the failure above its filter."""
        self._above = [strip_package(line.text).rstrip() for line in lines]

    def read(self, line: Line) -> bool:
        """Read a filter, or the total."""
        text = strip_package(strip_prefix(line.text)).rstrip()
        if rerun := RERUN.match(text):
            self._add(_unescape(rerun[1]), line.number)
        elif (total := TOTAL.match(text)) and len(self._failed) > self._summed:
            self._counted = (self._counted or 0) + parse_count(total[1])
            self._summed = len(self._failed)
        self._above = []
        return False

    def _add(self, path: str, number: int) -> None:
        """Record the failure above its filter; the heading of a long one is too far above, and the filter names it."""
        name, file, line = path.strip("/").replace("/", ", "), "", None
        said: list[str] = []
        for at in range(len(self._above) - 1, -1, -1):
            if heading := HEADING.match(self._above[at]):
                name, said = heading[2], self._above[at + 1 :]
                place = PLACE.match(self._above[at - 1]) if at else None
                file, line = (source(place[1]), int(place[2])) if place else ("", None)
                number -= len(self._above) - at
                break
        self._failed.add(
            Failure(
                tool=self.tool,
                name=name,
                message=join_message(said),
                file=file,
                line=line,
                selector=path,
                log_line=number,
            )
        )

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command of cabal with a filter for each example."""
        filters = each_once(one.selector for one in failures)
        return command("cabal", "test", *(f"--test-option=--match={one}" for one in filters))


def _unescape(text: str) -> str:
    """Return what a string of Haskell stands for."""
    return ESCAPE.sub(lambda found: chr(min(int(found[1]), 0x10FFFF)) if found[1] else found[2], text)
