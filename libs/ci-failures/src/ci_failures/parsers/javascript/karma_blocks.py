r"""What Karma's parsers share, and the list that karma-spec-reporter prints below Karma's own total.

TOTAL: 1 FAILED, 1 SUCCESS
1) throws
     Cart when empty
     TypeError: no items
    at UserContext.<anonymous> (test/cart.spec.js:9:31)
"""

import re

from ci_failures.model import Failure, Line
from ci_failures.parsers.javascript.failed import Failed
from ci_failures.parsers.javascript.stacks import frame
from ci_failures.parsers.text_helpers import MOST_LINES, join_message

BROWSER = r"(?:[A-Z][A-Za-z]*|jsdom)(?: [A-Z][A-Za-z]*){0,3} \d[\w.]{0,40} \((?:[^()\n]|\([^()\n]*\)){1,80}\)"
SERVED = re.compile(r"https?://[^/]+/(?:base/|_karma_webpack_/(?:webpack:/+)?|absolute/)?(?:\./)?")
"""What a browser has before the path of a file that Karma serves."""
TOTAL = re.compile(r"TOTAL: (?:\d+ FAILED, )?\d+ SUCCESS|TOTAL: \d+ FAILED")
ENTRY = re.compile(r"\d+\) (.*)$")
SUITES = " " * 5


class Block:
    """A failure of which the message and the stack are read."""

    def __init__(self, name: str, number: int) -> None:
        self.name, self._number = name, number
        self._message: list[str] = []
        self._place: tuple[str, int] | None = None

    def read(self, text: str) -> None:
        """Read a line of the message or of the stack."""
        if text.lstrip().startswith("at "):
            self._place = self._place or frame(SERVED.sub("", text))
        elif not self._place and len(self._message) < MOST_LINES:
            self._message.append(text)

    def failure(self) -> Failure:
        """Return what was read."""
        file, line = self._place or ("", None)
        message = join_message(self._message)
        return Failure(tool="karma", name=self.name, message=message, file=file, line=line, log_line=self._number)


class SpecList:
    """The list of karma-spec-reporter; other reporters print only the total above it.

    Args:
        failed: The failures, to which those of the list are added.
    """

    def __init__(self, failed: Failed) -> None:
        self._failed = failed
        self._listing = False
        self._open: Block | None = None
        self._title: list[str] = []
        self._number = 0

    def read(self, line: Line) -> bool:
        """Read the total, or a line of the list below it; return whether the line belongs to the list."""
        text = line.text.rstrip()
        if TOTAL.match(text):
            self.end()
            self._listing = True
        elif not self._listing:
            return False
        elif entry := ENTRY.match(text):
            self._close()
            self._title, self._number = [entry[1]], line.number
        elif self._open:
            self._open.read(text)
        elif self._title and text.startswith(SUITES):
            self._open = Block(" ".join((text.strip(), "\n".join(self._title))), self._number)
        elif self._title and len(self._title) < MOST_LINES:
            self._title.append(text)
        elif text:
            self.end()
        return self._listing

    def end(self) -> None:
        """Record the last failure of the list."""
        self._close()
        self._listing = False

    def _close(self) -> None:
        if self._open:
            self._failed.add(self._open.failure())
        self._open, self._title = None, []
