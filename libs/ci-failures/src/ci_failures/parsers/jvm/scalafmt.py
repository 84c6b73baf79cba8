"""scalafmt under sbt: the files that are not formatted; several projects may share one.

[warn] scalafmt: /home/runner/work/till/till/src/main/scala/Till.scala isn't formatted properly!
[error] scalafmt: 1 files must be formatted (/home/runner/work/till/till)
"""

import re
from typing import ClassVar

from ci_failures.model import Line
from ci_failures.parsers.jvm.sbt import level_of
from ci_failures.parsers.scripting.linting import Linter

UNFORMATTED = re.compile(r"scalafmt: (\S.{0,400}\.(?:scala|sbt|sc)) isn't formatted properly!$")


class Scalafmt(Linter):
    """Parser of the files."""

    tool: ClassVar[str] = "scalafmt"
    wakes: ClassVar[tuple[str, ...]] = (" isn't formatted properly!\n",)
    again: ClassVar[tuple[str, ...]] = ("scalafmt", "--test")

    def read(self, line: Line) -> bool:
        """Read a file."""
        text = line.text.rstrip()
        if found := UNFORMATTED.match(text[len(level_of(text)) :]):
            self.find("format", found[1], 0, "is not formatted", line.number)
        return False
