"""revive, in its forms for people; only `friendly` tells errors from warnings, which fail nothing by default.

  ✘  https://revive.run/r#var-naming  don't use underscores in Go names; var API_key should be APIKey
  till/till.go:5:5

✘ 1 problem (1 error, 0 warnings)

till/till.go
  (5, 5)  https://revive.run/r#var-naming  don't use underscores in Go names; var API_key should be APIKey

 ✖ 1 problem (1 error) (0 warnings)

till/till.go:5:5: don't use underscores in Go names; var API_key should be APIKey https://revive.run/r#var-naming

till/till.go:5:5: [var-naming] don't use underscores in Go names; var API_key should be APIKey
"""

import re
from collections.abc import Iterable
from typing import ClassVar

from attrs import evolve

from ci_failures.model import Failure, Line
from ci_failures.parsers.linters.block_linters import BelowFile, PlacedBelow
from ci_failures.parsers.linters.line_linters import AT, LineLinter

RULE = r"https://revive\.run/r#(?P<rule>[\w-]{1,80})"
FILE = r"(?P<file>[^\s:][^:]{0,400}\.go)"
LINK = "https://revive.run/r#"


class Revive(PlacedBelow):
    """Parser of the form `friendly`."""

    tool: ClassVar[str] = "revive"
    again: ClassVar[tuple[str, ...]] = ("revive",)
    counts_printed: ClassVar[bool] = True
    wakes: ClassVar[tuple[str, ...]] = (f" {LINK}", " error, ", " errors, ")
    first_line: ClassVar[str] = r" +\S+ +https://revive\.run/r#|[✘⚠] \d+ problem"
    heading: ClassVar[re.Pattern[str]] = re.compile(rf" +✘ +{RULE} +(\S.*)$")
    below: ClassVar[re.Pattern[str]] = re.compile(r" +(\S[^:]{0,400}\.go):(\d{1,7}):(\d{1,7})$")
    count: ClassVar[re.Pattern[str]] = re.compile(r"[✘⚠] \d{1,7} problems? \((\d{1,7}) errors?, \d{1,7} warnings?\)$")


class ReviveStylish(BelowFile):
    """Parser of the form `stylish`, whose total tells how many of its findings are errors."""

    tool: ClassVar[str] = "revive"
    again: ClassVar[tuple[str, ...]] = ("revive",)
    wakes: ClassVar[tuple[str, ...]] = (f" {LINK}", " problem (", " problems (")
    first_line: ClassVar[str] = r" +\(\d+, \d+\) +https://revive\.run/r#| ✖ \d+ problem"
    before: ClassVar[int] = 1
    heading: ClassVar[re.Pattern[str]] = re.compile(r"(\S[^:]{0,400}\.go)$")
    row: ClassVar[re.Pattern[str]] = re.compile(
        rf" +\((?P<line>\d{{1,7}}), (?P<column>\d{{1,7}})\) +{RULE} +(?P<text>\S.*)$"
    )
    parts: ClassVar[re.Pattern[str]] = re.compile(r" ✖ (\d{1,7}) problems? \((\d{1,7}) errors?\)")

    def __init__(self) -> None:
        super().__init__()
        self._warnings = 0

    def read(self, line: Line) -> bool:
        """Read the name of a file, a finding or the total, which may be of warnings only."""
        if not (total := self.parts.match(line.text)):
            return super().read(line)
        count, errors = int(total[1]), int(total[2])
        if errors:
            self.add_total(count)
            self._warnings += count - errors
        else:
            self.found.clear()
            self.add_total(0)
        return False

    def finish(self) -> Iterable[Failure]:
        """Return the findings, with less confidence if some of them are warnings, or if the total is not in the log."""
        sure = self.reported is not None and not self._warnings
        return [one if sure else evolve(one, confidence="medium") for one in super().finish()]

    def total(self) -> int | None:
        """Return how many problems revive counts, warnings included if there are errors."""
        return self.reported


class Levelless(LineLinter):
    """Base of the parsers of forms without levels and without a total."""

    tool: ClassVar[str] = "revive"
    again: ClassVar[tuple[str, ...]] = ("revive",)

    def finish(self) -> Iterable[Failure]:
        """Return the findings, any of which may be a warning."""
        return [evolve(one, confidence="medium") for one in super().finish()]


class RevivePlain(Levelless):
    """Parser of the form `plain`."""

    wakes: ClassVar[tuple[str, ...]] = (f" {LINK}",)
    first_line: ClassVar[str] = r"[^\s:][^:]*\.go:\d+:\d+: .*https://revive\.run/r#"
    form: ClassVar[re.Pattern[str]] = re.compile(rf"{FILE}{AT}: (?P<text>\S.*) {RULE}$")


class ReviveUnix(Levelless):
    """Parser of the form `unix`."""

    wakes: ClassVar[tuple[str, ...]] = (": [",)
    first_line: ClassVar[str] = r"[^\s:][^:]*\.go:\d+:\d+: \[[a-z]"
    form: ClassVar[re.Pattern[str]] = re.compile(rf"{FILE}{AT}: \[(?P<rule>[a-z][a-z\d-]{{2,80}})\] (?P<text>\S.*)$")
