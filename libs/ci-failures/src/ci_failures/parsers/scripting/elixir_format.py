"""`mix format --check-formatted`: the files that are not formatted, below its error."""

import re
from typing import ClassVar

from ci_failures.model import Line
from ci_failures.parsers.scripting.linting import Linter

ERROR = "** (Mix) mix format failed due to --check-formatted"
FILE = re.compile(r"^ +\* (\S{1,400}\.(?:exs?|l?eex|heex))$")
MOST_LINES = 5_000
"""Lines that are read at most: newer versions print the changes of each file."""


class MixFormat(Linter):
    """Parser of the list of files."""

    tool: ClassVar[str] = "mix-format"
    again: ClassVar[tuple[str, ...]] = ("mix", "format", "--check-formatted")
    wakes: ClassVar[tuple[str, ...]] = (ERROR,)

    def __init__(self) -> None:
        super().__init__()
        self._left = 0

    def read(self, line: Line) -> bool:
        """Read a line of the list, which ends with a line that is not indented."""
        text = line.text.rstrip()
        self._left = MOST_LINES if text.startswith(ERROR) else max(0, self._left - 1)
        if found := FILE.match(text):
            self.find("format", found[1], 0, "it is not formatted", line.number)
        elif text and not text.startswith((" ", "The following files", ERROR)):
            self._left = 0
        return self._left > 0
