"""TeamCity's service messages, which many runners print below it, unless another parser tells what failed.

##teamcity[testFailed name='tests.test_cart.test_adds' message='assert 1 == 2' details='…' flowId='1']
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, MOST_TEXT, Failure, Line, Parser
from ci_failures.parsers.scripting.php import canonical, place
from ci_failures.parsers.text_helpers import relative

MESSAGE = re.compile(r"##teamcity\[(testStarted|testFailed|testSuiteStarted|testSuiteFinished) (.*?)\]?$")
"""A long line is cut within its details, which come last."""
PHP = re.compile(r"php_qn://(?P<file>.{1,500}?\.php)::\\(?P<name>[\w\\]{1,300}::.{1,500})$")
"""Where PHPUnit's test is, and how it is named."""
NO_TEST = "PHPUnit\\Framework\\ErrorTestCase::"
"""The class of what PHPUnit reports of a provider that fails: the suite around it names the test."""
PAIR = re.compile(r"(\w{1,40})='((?:[^'|]|\|.){0,4000})'")
ESCAPED = re.compile(r"\|(?:0x([0-9A-Fa-f]{4})|(.))")
SIGNS = {"n": "\n", "r": "", "x": "\x85", "l": "\u2028", "p": "\u2029"}
RISKY = ("This test did not perform any assertions", "This test printed output", "Test code or tested code ")
"""What PHPUnit tells of tests that are risky: these have not failed."""
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
        self._hint = self._suite_hint = ""

    def read(self, line: Line) -> bool:
        """Read a message."""
        found = MESSAGE.search(line.text)
        if not found:
            return False
        told = {key: _unescape(text) for key, text in PAIR.findall(found[2])}
        suites = self._suites.setdefault(told.get("flowId", "") if len(self._suites) < DEEPEST else "", [])
        if found[1] == "testStarted":
            self._hint = told.get("locationHint", "")
        elif found[1] == "testSuiteStarted":
            self._suite_hint = told.get("locationHint", "")
        if found[1] == "testSuiteStarted" and len(suites) < DEEPEST:
            suites.append(told.get("name", ""))
        elif found[1] == "testSuiteFinished" and suites:
            suites.pop()
        elif found[1] == "testFailed" and len(self._found) < MOST_FAILURES:
            self._fail(told, suites, line.number)
        return False

    def _fail(self, told: Mapping[str, str], suites: Sequence[str], number: int) -> None:
        """Record a failed test, by PHPUnit's own name if it is PHPUnit's."""
        message = "\n".join(part for part in (told.get("message"), told.get("details")) if part)[:MOST_TEXT]
        hint = self._suite_hint if NO_TEST in self._hint else self._hint
        php = PHP.match(hint)
        if php and message.startswith(RISKY):
            return
        if php:
            name, file = canonical(php["name"]), relative(php["file"])
            places = (found for text in message.split("\n") if (found := place(text)))
            line = next((row for path, row in places if path == file), None)
            failure = Failure(tool="phpunit", name=name, message=message, file=file, line=line, log_line=number)
        else:
            name = " > ".join(part for part in (*suites, told.get("name", "")) if part)
            failure = Failure(tool=self.tool, name=name, message=message, log_line=number)
        self._found.setdefault(name, failure)

    def finish(self) -> Iterable[Failure]:
        """Return what failed."""
        return self._found.values()

    def covers(self) -> Mapping[str, tuple[int, int]]:
        """Return the whole log: a tool's own output tells more."""
        return dict.fromkeys(self._found, (1, END))
