"""Avocado: a line for each result, and the totals.

 (2/4) tests/cart.py:Cart.test_adds:  FAIL: no (0.11 s)
RESULTS    : PASS 1 | ERROR 1 | FAIL 1 | SKIP 0 | WARN 0 | INTERRUPT 0 | CANCEL 1
"""

import re
from collections.abc import Sequence
from typing import ClassVar

from ci_failures.model import Failure, Line
from ci_failures.parsers.javascript.failed import CountedParser
from ci_failures.parsers.text_helpers import command, each_once, relative

RESULT = re.compile(r" \(\d+/\d+\) (\S.*?): +(?:FAIL|ERROR|INTERRUPTED)(?:: (.*?))?(?: \([\d.]+ s\))?$")
TOTAL = re.compile(r"RESULTS +: PASS \d+ \| ERROR (\d+) \| FAIL (\d+) \| SKIP \d+ \| WARN \d+ \| INTERRUPT (\d+)\b")


class Avocado(CountedParser):
    """Parser of the results and the totals; each is one line."""

    tool: ClassVar[str] = "avocado"
    wakes: ClassVar[tuple[str, ...]] = (":  FAIL", ":  ERROR", ":  INTERRUPTED", "\nRESULTS ")
    first_line: ClassVar[str] = r" \(\d+/\d+\) |RESULTS +: PASS "

    def read(self, line: Line) -> bool:
        """Read a line."""
        if result := RESULT.match(line.text):
            name = result[1]
            self._failed.add(
                Failure(
                    tool=self.tool,
                    name=name,
                    message=result[2] or "",
                    file=relative(name.partition(":")[0]),
                    selector=name,
                    log_line=line.number,
                )
            )
        elif total := TOTAL.match(line.text):
            self._counted = (self._counted or 0) + sum(map(int, total.groups()))
        return False

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return the command with the references of these."""
        return command("avocado", "run", *each_once(one.selector for one in failures))
