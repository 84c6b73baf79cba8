r"""uvu: dots for each file, a block for each failure, and totals.

math.js
 Sum ✘ •   (1 / 2)

   FAIL  Sum "adds"
    Expected values to be strictly equal:  (is)

        ++3    (Expected)
        --2    (Actual)

    at Object.handler (/home/runner/work/app/app/tests/math.js:3:26)

  Total:     2
  Passed:    1
  Skipped:   0
"""

import re
from typing import ClassVar

from ci_failures.model import Failure, Line
from ci_failures.parsers.javascript.failed import CountedParser
from ci_failures.parsers.javascript.stacks import frame
from ci_failures.parsers.text_helpers import MOST_LINES, join_message

FILE = re.compile(r"(\S.{0,300}\.[cm]?[jt]sx?)$")
FAILS = re.compile(r' {3}FAIL {1,2}(?:(\S.{0,300}?) {1,2})?"(.*)"$', re.DOTALL)
COUNT = re.compile(r" {2}(Total|Passed|Skipped): {2,5}(\d{1,9})$")
SUITE_ENDS = re.compile(r"(?: (\S.{0,300}?) {1,2}(?=[ \u2022\u2718]))?.*\(\d+ / \d+\)(?: {2}\(\d+ skipped\))?$")
OPEN = re.compile(r' {3}FAIL {1,2}(?:(\S.{0,300}?) {1,2})?"([^"]*)$')
"""A title with line breaks begins."""
MOST_OF_A_TITLE = 5


class Uvu(CountedParser):
    """Parser of the blocks, and of the totals."""

    tool: ClassVar[str] = "uvu"
    wakes: ClassVar[tuple[str, ...]] = ("\n   FAIL  ", "\n  Total:     ")
    before: ClassVar[int] = 20

    def __init__(self) -> None:
        super().__init__()
        self._file = self._suite = ""
        self._title: list[str] = []
        self._open: Failure | None = None
        self._message: list[str] = []
        self._place: tuple[str, int] | None = None
        self._sum: dict[str, int] = {}

    def read(self, line: Line) -> bool:
        """Read a line of a block, its beginning, a file's name, or a total."""
        text = self._join_title(line.text.rstrip())
        if begun := FAILS.match(text):
            self._end()
            suite, title = (begun[1] or "").strip(), begun[2]
            if self._suite and (
                own := re.match(rf' {{3}}FAIL {{1,2}}{re.escape(self._suite)} {{1,2}}"(.*)"$', text, re.DOTALL)
            ):
                suite, title = self._suite, own[1]  # its name may have quotation marks
            name = " > ".join(filter(None, (self._file, suite, title)))
            self._open = Failure(tool=self.tool, name=name, log_line=line.number)
        elif (count := COUNT.match(text)) and (count[1] == "Total" or self._sum):
            return self._read_count(count[1], int(count[2]))
        elif ended := SUITE_ENDS.match(text):
            self._end()
            self._suite = (ended[1] or "").strip()
        elif found := FILE.match(text):
            self._end()
            self._file = found[1]
        else:
            self._sum = {}
            self._read_block(text)
        return bool(self._open or self._title or len(self._failed))

    def _join_title(self, text: str) -> str:
        """Return the line, or the whole of a heading whose title has line breaks; empty up to its last line."""
        if not self._title and "FAIL" in text and not FAILS.match(text) and OPEN.match(text):
            self._title = [text]
            return ""
        if not self._title:
            return text
        self._title.append(text)
        if text.endswith('"') or len(self._title) > MOST_OF_A_TITLE:
            whole, self._title = "\n".join(self._title), []
            return whole
        return ""

    def _read_count(self, word: str, count: int) -> bool:
        """Read a line of the totals; the three together are one total."""
        self._sum = {"Total": count} if word == "Total" else self._sum | {word: count}
        if word == "Passed":  # a message may have a line like the first one
            self._end()
        if len(self._sum) == len(("Total", "Passed", "Skipped")):
            failed = self._sum["Total"] - self._sum["Passed"] - self._sum["Skipped"]
            self._counted = (self._counted or 0) + max(0, failed)
            self._sum = {}
            return False
        return True

    def _read_block(self, text: str) -> None:
        if self._open is None:
            return
        if text.lstrip().startswith("at "):
            self._place = self._place or frame(text)
        elif not self._place and len(self._message) < MOST_LINES:
            self._message.append(text)

    def _end(self) -> None:
        """Record the open block."""
        if self._open:
            file, number = self._place or ("", None)
            one = self._open
            self._failed.add(
                Failure(
                    tool=self.tool,
                    name=one.name,
                    message=join_message(self._message),
                    file=file,
                    line=number,
                    log_line=one.log_line,
                )
            )
        self._open, self._message, self._place = None, [], None
