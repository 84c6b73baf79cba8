"""prove, and Perl's Test::More under it, which says what failed on the stream for errors.

#   Failed test 'adds two'
#   at t/adds.t line 5.
#          got: '2'
#     expected: '3'
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from stithy_ci.parsers.common import MOST_LINES, command, cut, each_once, relative
from stithy_ci.parsers.javascript.failed import Failed
from stithy_ci.spi import Failure, Line, LogParser

NAMED = re.compile(r"^#   Failed test '(.*)'$")
NAMELESS = re.compile(r"^#   Failed test at (\S.*) line (\d+)\.$")
AT = re.compile(r"^#   (?:at|in) (\S.*?)(?: at)? line (\d+)\.$")
SAID = "#    "
MARKS = ("Test Summary Report", "Result: FAIL", "# Looks like you failed", "Dubious, test returned")


class Prove(LogParser):
    """Reads what prove prints, and Test::More."""

    tool: ClassVar[str] = "prove"
    wakes: ClassVar[tuple[str, ...]] = ("#   Failed test ", *MARKS)

    def __init__(self) -> None:
        self._failed = Failed()
        self._name: str | None = None
        self._begun = 0
        self._place: tuple[str, int] | None = None
        self._message: list[str] = []
        self._believed = False

    def read(self, line: Line) -> bool:
        """Take a line; those of a failure are wanted while they are comments."""
        text = line.text
        if text.startswith("#   Failed test "):
            self._end()
            self._begun = line.number
            if named := NAMED.match(text):
                self._name = named[1]
            elif nameless := NAMELESS.match(text):
                self._name, self._place = "", (relative(nameless[1]), int(nameless[2]))
        elif text.startswith(MARKS):
            self._end()
            self._believed = True
        elif self._name is not None:
            self._body(text)
        return self._name is not None

    def _body(self, text: str) -> None:
        if self._place is None and (at := AT.match(text)):
            self._place = relative(at[1]), int(at[2])
        elif self._place and text.startswith(SAID) and len(self._message) < MOST_LINES:
            self._message.append(text[1:])
        else:
            self._end()

    def _end(self) -> None:
        if self._name is not None and self._place:
            file, number = self._place
            self._failed.add(
                Failure(
                    tool="prove",
                    name=f"{file} > {self._name or f'line {number}'}",
                    message=cut(self._message),
                    file=file,
                    line=number,
                    selector=file,
                    log_line=self._begun,
                )
            )
        self._name, self._place, self._message = None, None, []

    def finish(self) -> Iterable[Failure]:
        """Give what failed."""
        self._end()
        return self._failed.told(len(self._failed)) if self._believed else ()

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Give a command that runs the files of these: nothing selects less."""
        return command("prove", "-v", *each_once(one.selector for one in failures))
