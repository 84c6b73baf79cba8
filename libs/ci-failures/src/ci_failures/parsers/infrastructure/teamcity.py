"""TeamCity's service messages, which many runners print below it, unless another parser tells what failed.

##teamcity[testFailed name='tests.test_cart.test_adds' message='assert 1 == 2' details='…' flowId='1']
"""

import re
from collections.abc import Iterable, Mapping
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, MOST_TEXT, Failure, Line, Parser

MESSAGE = re.compile(r"##teamcity\[(testFailed|testSuiteStarted|testSuiteFinished) (.*)\]$")
PAIR = re.compile(r"(\w{1,40})='((?:[^'|]|\|.){0,4000})'")
ESCAPED = re.compile(r"\|(?:0x([0-9A-Fa-f]{4})|(.))")
SIGNS = {"n": "\n", "r": "", "x": "\x85", "l": "\u2028", "p": "\u2029"}
DEEPEST = 50
END = 1 << 62


def _unescape(text: str) -> str:
    return ESCAPED.sub(lambda found: chr(int(found[1], 16)) if found[1] else SIGNS.get(found[2], found[2]), text)


class TeamCity(Parser):
    """Parser of failed tests, with the suites that are open in their flow."""

    tool: ClassVar[str] = "teamcity"
    wakes: ClassVar[tuple[str, ...]] = ("##teamcity[test",)

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._suites: dict[str, list[str]] = {}

    def read(self, line: Line) -> bool:
        """Read a message."""
        found = MESSAGE.search(line.text)
        if not found:
            return False
        told = {key: _unescape(text) for key, text in PAIR.findall(found[2])}
        suites = self._suites.setdefault(told.get("flowId", "") if len(self._suites) < DEEPEST else "", [])
        if found[1] == "testSuiteStarted" and len(suites) < DEEPEST:
            suites.append(told.get("name", ""))
        elif found[1] == "testSuiteFinished" and suites:
            suites.pop()
        elif found[1] == "testFailed" and len(self._found) < MOST_FAILURES:
            own = told.get("name", "")
            name = " > ".join(part for part in (*suites, own) if part)
            message = "\n".join(part for part in (told.get("message"), told.get("details")) if part)
            self._found.setdefault(
                name, Failure(tool=self.tool, name=name, message=message[:MOST_TEXT], log_line=line.number)
            )
        return False

    def finish(self) -> Iterable[Failure]:
        """Return what failed."""
        return self._found.values()

    def covers(self) -> Mapping[str, tuple[int, int]]:
        """Return the whole log: a tool's own output tells more."""
        return dict.fromkeys(self._found, (0, END))
