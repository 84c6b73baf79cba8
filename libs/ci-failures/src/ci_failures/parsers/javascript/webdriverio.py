r"""WebdriverIO's reporter `spec`: a list for each browser and file, with the browser before each line.

[chrome 120.0 linux #0-0] » test/specs/login.spec.ts
[chrome 120.0 linux #0-0] Login
[chrome 120.0 linux #0-0]    ✖ rejects a wrong password
[chrome 120.0 linux #0-0]
[chrome 120.0 linux #0-0] 1 failing (15.1s)
[chrome 120.0 linux #0-0]
[chrome 120.0 linux #0-0] 1) Login rejects a wrong password
[chrome 120.0 linux #0-0] Expect $(`#error`) to be displayed
[chrome 120.0 linux #0-0]     at Context.<anonymous> (/repo/test/specs/login.spec.ts:8:30)

The names of the suites and of the test are joined by spaces.
"""

import re
from collections.abc import Sequence
from typing import ClassVar

from ci_failures.model import Failure, Line
from ci_failures.parsers.javascript.failed import CountedParser
from ci_failures.parsers.javascript.stacks import frame
from ci_failures.parsers.text_helpers import MOST_LINES, command, each_once, join_message, relative

WORKER = re.compile(r"\[[^\]]{1,200} #\d{1,4}-\d{1,4}\](?: |$)")
FAILING = re.compile(r"(\d{1,6}) failing\b")
ENTRY = re.compile(r"\d{1,6}\) (\S.*)$")
FILE = re.compile(r"» (\S.*)$")


class WebdriverIO(CountedParser):
    """Parser of the lists of failed tests; a test that fails in several browsers is one failure."""

    tool: ClassVar[str] = "webdriverio"
    wakes: ClassVar[tuple[str, ...]] = ("] Running: ", " failing")
    first_line: ClassVar[str] = r"\[[^\]]{1,200} #\d{1,4}-\d{1,4}\]"

    def __init__(self) -> None:
        super().__init__()
        self._file = self._name = ""
        self._in_list = False
        self._begun = 0
        self._message: list[str] = []
        self._place: tuple[str, int] | None = None

    def read(self, line: Line) -> bool:
        """Read a line behind the name of a browser; any other line ends a list."""
        prefix = WORKER.match(line.text)
        if not prefix:
            self._end()
            self._in_list = False
            return False
        text = line.text[prefix.end() :]
        if file := FILE.match(text):
            self._file, self._in_list = relative(file[1]), False
        elif failing := FAILING.match(text):
            self._counted, self._in_list = (self._counted or 0) + int(failing[1]), True
        elif self._in_list and (entry := ENTRY.match(text)):
            self._end()
            self._name, self._begun = entry[1].rstrip(), line.number
        elif self._name:
            self._body(text)
        return True

    def _body(self, text: str) -> None:
        """Read a line of a message, or a frame of a stack."""
        if place := frame(text):
            self._place = self._place or place
        elif len(self._message) < MOST_LINES and not text.lstrip().startswith("at "):
            self._message.append(text)

    def _end(self) -> None:
        """Record the failure whose lines were read."""
        if self._name:
            file, number = self._place or (self._file, None)
            failure = Failure(
                tool=self.tool, name=self._name, message=join_message(self._message), file=file, line=number,
                selector=self._file, log_line=self._begun,
            )  # fmt: skip
            self._failed.add(failure)
        self._name, self._message, self._place = "", [], None

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that runs the files of these tests."""
        files = [
            word for file in each_once(one.selector for one in failures if one.selector) for word in ("--spec", file)
        ]
        return command("npx", "wdio", "run", "wdio.conf.js", *files)
