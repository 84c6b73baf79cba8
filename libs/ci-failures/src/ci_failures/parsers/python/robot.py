"""Robot Framework: a line for each test below the name of its suite, and its message below the line.

==============================================================================
Shop.Cart
==============================================================================
Adds                                                                  | FAIL |
1 != 2
------------------------------------------------------------------------------
Shop.Cart                                                             | FAIL |
4 tests, 1 passed, 3 failed

The console `dotted` has `FAIL: Shop.Cart.Adds` and the message between rules.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Confidence, Failure, Line, Parser
from ci_failures.parsers.text_helpers import MOST_LINES, command, join_message

RESULT = re.compile(r"(\S.*?) *\| (PASS|FAIL|SKIP) \|$")
TOTAL = re.compile(r"\d+ tests?, \d+ passed, (\d+) failed")
DOCUMENTED = " :: "
CUT = "..."
RULE = 71
"""Least width of a rule: consoles of CI have 78 characters, and unittest's rules have 70."""
RUNNING = "Running suite '"
"""The beginning of the console `dotted`, which names what failed behind rules."""
DOTTED = re.compile(r"FAIL: (\S.*)$")
GLOB = re.compile(r"[*?\[\]]")


class Robot(Parser):
    """Parser of the results, and of the total of the outermost suite, which is the last one."""

    tool: ClassVar[str] = "robot"
    wakes: ClassVar[tuple[str, ...]] = ("| FAIL |\n", f"\n{'=' * RULE}", " passed, ", f"\n{RUNNING}")
    first_line: ClassVar[str] = rf"={{{RULE}}}|\d+ tests?, \d|Running suite '"

    def __init__(self) -> None:
        self._failed: dict[str, Failure] = {}
        self._suite = ""
        self._ruled = False
        self._above = ""
        self._open: Failure | None = None
        self._message: list[str] = []
        self._counted: int | None = None
        self._width = 0
        self._dotted = self._ruled_off = False

    def read(self, line: Line) -> bool:
        """Read a line of the results."""
        text = line.text.rstrip()
        rule = len(text) >= RULE and not text.strip("=-")
        self._width = len(text) if rule else self._width
        if rule and text[0] == "=" and self._above:
            self._suite = self._above.partition(DOCUMENTED)[0]
        elif total := TOTAL.match(text):
            self._open, self._counted = None, int(total[1])
            self._dotted = False
        elif text.endswith(" |") and len(text) <= self._width and (result := RESULT.match(text)):
            self._end()
            title = result[1].partition(DOCUMENTED)[0]
            if title == self._suite or self._suite.startswith(f"{title}."):
                self._suite = title.rpartition(".")[0]  # the end of the suite, whose tests were told
            elif result[2] == "FAIL" and self._suite:
                self._begin(title, line.number)
        elif self._read_dotted(text, line.number):
            pass
        elif self._open and not rule and len(self._message) < MOST_LINES:
            self._message.append(text)
        if rule:
            self._end()
        self._above = "" if rule or not self._ruled else text
        self._ruled = rule and text[0] == "="
        self._ruled_off = self._dotted and rule and text[0] == "-"
        return self._ruled or self._dotted or bool(self._above or self._open)

    def _read_dotted(self, text: str, number: int) -> bool:
        """Read the beginning of the console `dotted`, or a test that it names behind a rule."""
        if self._ruled_off and (found := DOTTED.match(text)):
            self._open, self._message = Failure(tool=self.tool, name=found[1], log_line=number), []
            return True
        self._dotted |= text.startswith(RUNNING)
        return False

    def _begin(self, title: str, number: int) -> None:
        confidence: Confidence = "medium" if title.endswith(CUT) else "high"
        self._open = Failure(tool=self.tool, name=f"{self._suite}.{title}", log_line=number, confidence=confidence)
        self._message = []

    def _end(self) -> None:
        """Record the test that was read."""
        one, self._open = self._open, None
        if one and len(self._failed) < MOST_FAILURES:
            self._failed.setdefault(one.name, evolve(one, message=join_message(self._message)))

    def finish(self) -> Iterable[Failure]:
        """Return what failed."""
        self._end()
        return self._failed.values()

    def total(self) -> int | None:
        """Return the total of the outermost suite."""
        return self._counted

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command with the long names but for the outermost suite, whose name is that of the folder."""
        names = (one.name.partition(".")[2] for one in failures)
        patterns = (GLOB.sub(r"[\g<0>]", name.removesuffix(CUT)) + "*" * name.endswith(CUT) for name in names)
        return command("robot", *(word for pattern in patterns for word in ("--test", f"*.{pattern}")), ".")
