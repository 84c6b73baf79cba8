"""R's testthat 3: a block for each expectation that failed; `R CMD check` tells them again at its end.

    ── Failure (test-account.R:3:3): it adds ──────────────
    add(1, 1) not equal to 3.

    [ FAIL 1 | WARN 0 | SKIP 0 | PASS 3 ]

A test fails once, however many of its expectations do. No log of testthat was to be had: this follows its sources.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from stithy_ci.parsers.common import command, cut, each_once
from stithy_ci.spi import MOST_FAILURES, Failure, Line, LogParser

BLOCK = re.compile(
    r"^── (?:\d+\. )?(?:Failure|Error) \('?([\w./-]{1,300}\.[Rr]):(\d{1,7})(?::\d{1,7})?'?\): (.{1,500}?) ─*$"
)
TOTAL = re.compile(r"^\[ FAIL (\d+) \| WARN \d+ \| SKIP \d+ \| PASS \d+ \]$")
FOLDER = "tests/testthat/"
"""Where packages of R have the files that testthat names without their folder."""
MOST_LINES = 60


class TestThat(LogParser):
    """Reads the blocks, and whether there is a total."""

    __test__ = False
    tool: ClassVar[str] = "testthat"
    wakes: ClassVar[tuple[str, ...]] = ("── Failure (", "── Error (", ". Failure (", ". Error (", "[ FAIL ")

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._name = ""
        self._lines: list[str] = []
        self._totalled = False

    def read(self, line: Line) -> bool:
        """Take a line of a block, or see one begin."""
        text = line.text.strip()
        if found := BLOCK.match(text):
            self._end()
            name = f"{found[1].rpartition('/')[2]}: {found[3]}"
            if name not in self._found and len(self._found) < MOST_FAILURES:
                file = found[1] if "/" in found[1] else FOLDER + found[1]
                self._name = name
                self._found[name] = Failure(
                    tool=self.tool, name=name, file=file, line=int(found[2]), selector=found[1], log_line=line.number
                )
        elif TOTAL.match(text):
            self._end()
            self._totalled = True
        elif text.startswith("──") or len(self._lines) >= MOST_LINES:
            self._end()
        elif self._name:
            self._lines.append(line.text)
        return bool(self._name)

    def _end(self) -> None:
        if self._name:
            self._found[self._name] = evolve(self._found[self._name], message=cut(self._lines))
        self._name, self._lines = "", []

    def finish(self) -> Iterable[Failure]:
        """Give what failed; with less confidence where the log ends before the total."""
        self._end()
        return [one if self._totalled else evolve(one, confidence="medium") for one in self._found.values()]

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Give a command that runs the files of these: testthat selects files."""
        names = each_once(one.selector.rpartition("/")[2].removeprefix("test-")[:-2] for one in failures)
        pattern = "^(" + "|".join(re.sub(r"([.+*?^$()\[\]{}|])", r"[\1]", name) for name in names) + ")$"
        return command("Rscript", "-e", f'devtools::test(filter = "{pattern}")')
