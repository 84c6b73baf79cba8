"""RuboCop 1, the formatters progress, clang, emacs and simple.

app/cart.rb:1:7: C: Style/Documentation: Missing top-level documentation comment for class Cart.
class Cart
^^^^
3 files inspected, 1 offense detected, 1 offense autocorrectable
"""

import re
from collections.abc import Sequence
from typing import ClassVar

from ci_failures.model import Line
from ci_failures.parsers.scripting.linting import Linter

COP = r"(?:\[Correct(able|ed)\] )?(?:([A-Z]\w*(?:/[A-Z]\w*)+): )?(.*)$"
"""Whether the offense was corrected, the cop, which RuboCop leaves out if it is asked to, and the message."""
OFFENCE = re.compile(rf"^(\S.{{0,400}}?):(\d{{1,7}}):(\d{{1,7}}): [CRWEFI]: {COP}")
LISTED = re.compile(rf"^[CRWEFI]: {{0,4}}(\d{{1,7}}): {{0,4}}(\d{{1,7}}): {COP}")
RUBY = re.compile(r"(?:\.(?:rb|rake|ru|rbi|gemspec|jbuilder|podspec|thor)|(?:^|/)[A-Z][a-z]+file)$")
"""A file of Ruby: without a cop nothing else distinguishes an offense from what Credo prints of Elixir's files."""
FILE = re.compile(r"^== (\S.{0,400}) ==$")
COUNTS = re.compile(r"^\d+ files? inspected, (\d+|no) offenses? detected")


class Rubocop(Linter):
    """Parser of offenses and their total; corrected ones are not reported."""

    tool: ClassVar[str] = "rubocop"
    again: ClassVar[tuple[str, ...]] = ("bundle", "exec", "rubocop")
    wakes: ClassVar[tuple[str, ...]] = (
        *(f": {severity}: " for severity in "CRWEF"), *(f"\n{severity}: " for severity in "CRWEF"),
        " inspected, ",
    )  # fmt: skip
    before: ClassVar[int] = 1

    def __init__(self) -> None:
        super().__init__()
        self._file = ""

    def read(self, line: Line) -> bool:
        """Read a line with an offense, a file, or the total."""
        text = line.text.rstrip()
        if found := OFFENCE.match(text):
            self._keep(found[1], found.groups()[1:], line.number)
        elif found := FILE.match(text):
            self._file = found[1]
        elif self._file and (found := LISTED.match(text)):
            self._keep(self._file, found.groups(), line.number)
        elif found := COUNTS.match(text):
            self.add_total(int(found[1].replace("no", "0")))
        return False

    def _keep(self, file: str, parts: Sequence[str | None], number: int) -> None:
        """Record an offense that was not corrected: line and column, the end of that mark, the cop and the message."""
        row, column, corrected, cop, said = (part or "" for part in parts)
        if corrected != "ed" and (cop or RUBY.search(file)):
            self.find(cop or said, file, int(row), said, number, column=int(column))
