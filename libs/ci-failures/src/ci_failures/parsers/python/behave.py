"""behave: the list of scenarios that failed, and the error below a step of each.

  Scenario: Adding         # features/cart.feature:5
    Then there are 2 items # features/steps/s.py:6
      ASSERT FAILED: 1 != 2

Failing scenarios:
  features/cart.feature:5  Adding
2 scenarios passed, 1 failed, 0 skipped
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.text_helpers import MOST_LINES, command, each_once, join_message

SCENARIO = re.compile(r" *Scenario(?: Outline)?: .*?# (\S{1,500}\.feature:\d+)$")
ENTRY = re.compile(r"  (\S{1,500}\.feature):(\d+)  (.*)$")
SECTION = re.compile(r"(?:Failing|Errored|Hook errors?|.* failing) scenarios:$", re.IGNORECASE)
TOTAL = re.compile(r"\d+ scenarios? passed, \d+ failed\b")
NOT_PASSED = re.compile(r", (\d+) (?:failed|error(?:ed)?|hook_error|cleanup_error)\b")
ERROR = re.compile(r" +(?:ASSERT FAILED: |Assertion Failed: |Traceback \(most recent call last\):$)")
CODE = ("File ", "~", "^")


class Behave(Parser):
    """Parser of the list, of the errors of the formats `pretty` and `plain`, and of the total."""

    tool: ClassVar[str] = "behave"
    wakes: ClassVar[tuple[str, ...]] = (
        "ing scenarios:\n",
        "rrored scenarios:\n",
        " scenarios passed, ",
        " scenario passed, ",
        ".feature:",
    )

    def __init__(self) -> None:
        self._failed: dict[str, Failure] = {}
        self._listed: dict[str, Failure] = {}
        """The lists above a total, which is still to come."""
        self._headings: set[str] = set()
        self._messages: dict[str, str] = {}
        self._counted: int | None = None
        self._listing = False
        self._scenario = ""
        self._error: list[str] | None = None

    def read(self, line: Line) -> bool:
        """Read a line of a scenario that is run, or of the list."""
        text = line.text.rstrip()
        if scenario := SCENARIO.match(text) if ".feature:" in text else None:
            self._close()
            self._scenario = scenario[1]
        elif SECTION.match(text):
            self._close()
            self._scenario, self._listing = "", True
            self._read_heading(text)
        elif TOTAL.match(text):
            self._counted = (self._counted or 0) + sum(map(int, NOT_PASSED.findall(text)))
            self._keep()
        elif self._listing and (entry := ENTRY.match(text)):
            self._add(entry, line.number)
        elif self._listing:
            self._listing = False
        elif self._scenario:
            self._read_scenario(text)
        return self._listing or bool(self._scenario)

    def _read_heading(self, text: str) -> None:
        """Read the heading of a list: the second one of its kind shows that a test printed what was read before."""
        if text in self._headings:
            self._listed, self._headings = {}, set()
        self._headings.add(text)

    def _keep(self) -> None:
        for place, one in self._listed.items():
            if len(self._failed) < MOST_FAILURES:
                self._failed.setdefault(place, one)
        self._listed, self._headings = {}, set()

    def _read_scenario(self, text: str) -> None:
        if self._error is None:
            self._error = [text] if ERROR.match(text) else None
        elif not text:
            self._close()
            self._scenario = ""
        elif len(self._error) < MOST_LINES:
            self._error.append(text)

    def _close(self) -> None:
        """Keep the error of the scenario that was read: of a traceback the last lines."""
        lines, self._error = self._error, None
        if lines is None or len(self._messages) >= MOST_FAILURES:
            return
        if "Traceback" in lines[0]:
            last = max(at for at, text in enumerate(lines) if at == 0 or text.lstrip().startswith(CODE))
            rest = [text for text in lines[last + 1 :] if not text.startswith(" " * 10)]
            lines = rest or lines[-1:]
        self._messages.setdefault(self._scenario, join_message(lines).removeprefix("ASSERT FAILED: "))

    def _add(self, entry: re.Match[str], number: int) -> None:
        place = f"{entry[1]}:{entry[2]}"
        if len(self._listed) < MOST_FAILURES:
            one = Failure(
                tool=self.tool, name=f"{place} {entry[3].strip()}", file=entry[1], line=int(entry[2]), selector=place,
                title=entry[3].strip(), log_line=number,
            )  # fmt: skip
            self._listed.setdefault(place, one)

    def finish(self) -> Iterable[Failure]:
        """Return what failed."""
        self._keep()
        return [evolve(one, message=self._messages.get(place, "")) for place, one in self._failed.items()]

    def total(self) -> int | None:
        """Return how many scenarios failed, or had an error."""
        return self._counted

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command with the places of the scenarios."""
        return command("behave", *each_once(one.selector for one in failures))
