"""What Karma's parsers share: names of browsers, paths that Karma serves, and a failure with its stack."""

import re

from ci_failures.model import Failure
from ci_failures.parsers.javascript.stacks import frame
from ci_failures.parsers.text_helpers import MOST_LINES, join_message

BROWSER = r"(?:[A-Z][A-Za-z]*|jsdom)(?: [A-Z][A-Za-z]*){0,3} \d[\w.]{0,40} \((?:[^()\n]|\([^()\n]*\)){1,80}\)"
SERVED = re.compile(r"https?://[^/]+/(?:base/|_karma_webpack_/(?:webpack:/+)?|absolute/)?(?:\./)?")
"""What a browser has before the path of a file that Karma serves."""


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
