"""ward: a block for each failed test, and the totals.

───────────────────────────── doubles 2 ──────────────────────────────

  Failed at tests/test_cart.py:14

    ❱ 14     assert n * 2 == m

╭──────────── Results ────────────╮
│  3  Failures           (50.0%)  │
╰─────────────────────────────────╯
"""

import re
from collections.abc import Sequence
from typing import ClassVar

from attrs import define, field

from ci_failures.model import Failure, Line
from ci_failures.parsers.javascript.failed import CountedParser
from ci_failures.parsers.text_helpers import join_message, relative

HEADING = re.compile(r"─{2,} (\S.*?) ─{2,}$")
FAILED = re.compile(r"  Failed at (\S+?\.py)(?::(\d{1,7}))?$")
MARKED = re.compile(r" *❱ \d{1,7} (?: │)? *(\S.*)$")
FRAME = re.compile(r" *│ (\S+\.py):(\d{1,7}) in ")
RAISED = re.compile(r" {1,4}((?:\w+\.)*\w*(?:Error|Exception|Exit|Interrupt|Warning)\b(?::.*)?)$")
BOXED = re.compile(r" *│ {1,4}(\S.*?) *│$")
COUNT = re.compile(r"│ +(\d{1,9}) +Failures? +\([\d.]+%\) +│$")
RULE = re.compile(r"─{20,}$|╭─+ Results ─+╮$")
"""What follows the last block."""
END = re.compile(r"─{2,} (?:FAILED|SUCCESS) in [\d.]+ sec")
MOST_LINES = 400


@define
class WardBlock:
    """A failed test whose lines are being read.

    Args:
        title: The description of the test.
        file: Its file.
        line: The line of the assertion, or of the last frame in the file.
        number: The number of the line of the log.
        said: The assertion with the two values, if they are shown, or the exception.
        lines: How many lines were read.
    """

    title: str
    file: str
    line: int | None
    number: int
    said: list[str] = field(factory=list)
    lines: int = 0


class Ward(CountedParser):
    """Parser of the blocks and the totals."""

    tool: ClassVar[str] = "ward"
    before: ClassVar[int] = 3
    wakes: ClassVar[tuple[str, ...]] = ("\n  Failed at ", "  Failures  ", "  Failure  ", "─ SUCCESS in ")
    first_line: ClassVar[str] = r"  Failed at |│ +\d+ +Failures? |─+ SUCCESS in "

    def __init__(self) -> None:
        super().__init__()
        self._title = ""
        self._block: WardBlock | None = None

    def look_back(self, lines: Sequence[Line]) -> None:
        """Keep the title of the test, which is above the place."""
        for line in lines:
            if heading := HEADING.match(line.text.rstrip()):
                self._title = heading[1]

    def read(self, line: Line) -> bool:
        """Read a line."""
        text = line.text.rstrip()
        if failed := FAILED.match(text):
            self._end()
            file, row = relative(failed[1]), int(failed[2]) if failed[2] else None
            self._block = WardBlock(self._title, file, row, line.number)
        elif count := COUNT.match(text):
            self._end()
            self._counted = (self._counted or 0) + int(count[1])
        elif END.match(text):
            self._end()
            self._counted = self._counted or 0
        elif RULE.match(text):
            self._end()
        elif heading := HEADING.match(text):
            self._end()
            self._title = heading[1]
        elif self._block and self._block.lines < MOST_LINES:
            self._read_inner(text, self._block)
        return self._block is not None

    def _read_inner(self, text: str, block: WardBlock) -> None:
        """Read a line of a block; boxes hold values, and frames with their source."""
        block.lines += 1
        if raised := RAISED.match(text):
            block.said = [raised[1]]
        elif frame := FRAME.match(text):
            if relative(frame[1]).endswith(block.file):
                block.line = int(frame[2])
            block.said = []
        elif marked := MARKED.match(text):
            block.said = [marked[1].rstrip("│ ")]
        elif (boxed := BOXED.match(text)) and block.said and "│" not in boxed[1]:
            block.said.append(boxed[1])

    def _end(self) -> None:
        """Record the failure of the open block."""
        block, self._block = self._block, None
        if block and block.title:
            self._failed.add(Failure(
                tool=self.tool, name=f"{block.file} > {block.title}", message=join_message(block.said),
                file=block.file, line=block.line, log_line=block.number,
            ))  # fmt: skip
