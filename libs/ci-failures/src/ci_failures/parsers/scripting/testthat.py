"""R's testthat 3: a block for each failed expectation; `R CMD check` repeats them at its end.

    ── Failure (test-account.R:3:3): it adds ──────────────      ✖ | 1       3 | account [0.1s]
    add(1, 1) not equal to 3.                                    ──────────────────────────────
                                                                 Failure (test-account.R:3:3): it adds
    [ FAIL 1 | WARN 0 | SKIP 0 | PASS 3 ]                        add(1, 1) not equal to 3.

Without UTF-8, the rules are of ASCII: `-- Failure (test-account.R:3:3): it adds ----`, `== Failed tests ==`. A test
is one failure, however many of its expectations fail. An error may have no place: `── Error (???): it adds ──`.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.text_helpers import command, each_once, join_message, parse_count

BLOCK = re.compile(
    r"^(?:(?:──|--) (?:\d+\. )?)?(?P<kind>Failure|Error) "
    r"\((?:\?\?\?|'?(?P<file>[\w./-]{1,300}\.[Rr]):(?P<line>\d{1,7})(?::\d{1,7})?'?)\): "
    r"(?P<title>.{1,500}?)(?: (?:─+|-{2,}))?$"
)
OVER = re.compile(
    r"^(?:──|══|(?:--|==) \S|[✔✖⠏⠋⠙⠹⠸⠼⠴⠦⠧⠇] \||(?:Warning|Skip) \((?:\?\?\?|'?\S+\.[Rr]:\d)|Error: Test failures$)"
)
TOTAL = re.compile(r"^\[ FAIL (\d+) \| WARN \d+ \| SKIP \d+ \| PASS \d+ \]$")
FOLDER = "tests/testthat/"
"""The folder of the files in packages of R; testthat prints only their names."""
MOST_LINES = 60


class TestThat(Parser):
    """Parser of the blocks, and of the total."""

    __test__ = False
    tool: ClassVar[str] = "testthat"
    wakes: ClassVar[tuple[str, ...]] = (
        "── Failure (", "── Error (", "-- Failure (", "-- Error (", ". Failure (", ". Error (",
        "\nFailure (", "\nError (", "[ FAIL ",
    )  # fmt: skip

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._open: Failure | None = None
        self._lines: list[str] = []
        self._totalled = False
        self._blocks = self._counted = 0

    def read(self, line: Line) -> bool:
        """Read a line of a block, or its beginning."""
        text = line.text.strip()
        if found := BLOCK.match(text):
            self._end()
            self._begin(found, line.number)
        elif total := TOTAL.match(text):
            self._end()
            self._totalled, self._counted = True, parse_count(total[1])
        elif OVER.match(text) or len(self._lines) >= MOST_LINES:
            self._end()
        elif self._open:
            self._lines.append(line.text)
        return self._open is not None

    def _begin(self, found: re.Match[str], number: int) -> None:
        """Begin a block; files are printed without their folder, and an error at the top of a test has none."""
        self._blocks += 1
        own = found["file"]
        if own is None:
            self._open = Failure(tool=self.tool, name=found["title"], log_line=number)
            return
        file = own if "/" in own else FOLDER + own
        self._open = Failure(
            tool=self.tool, name=f"{own.rpartition('/')[2]}: {found['title']}", file=file, line=int(found["line"]),
            selector=own, log_line=number,
        )  # fmt: skip

    def _end(self) -> None:
        """Record the open block; of several blocks of a test, the first is reported."""
        one, message = self._open, join_message(self._lines)
        self._open, self._lines = None, []
        if one and message.strip() and len(self._found) < MOST_FAILURES:
            self._found.setdefault(one.name, evolve(one, message=message))

    def finish(self) -> Iterable[Failure]:
        """Return what failed; with less confidence if the log ends before the total."""
        self._end()
        return [one if self._totalled else evolve(one, confidence="medium") for one in self._found.values()]

    def gap(self) -> str:
        """Return that the last total counts more failed expectations than blocks were read."""
        if self._blocks >= self._counted:
            return ""
        return f"testthat counts {self._counted} failed expectations, and {self._blocks} were read"

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that runs the files of these: testthat selects files only."""
        names = each_once(one.selector.rpartition("/")[2].removeprefix("test-")[:-2] for one in failures)
        if not names:
            return ""
        pattern = "^(" + "|".join(re.sub(r"([.+*?^$()\[\]{}|])", r"[\1]", name) for name in names) + ")$"
        return command("Rscript", "-e", f'devtools::test(filter = "{pattern}")')
