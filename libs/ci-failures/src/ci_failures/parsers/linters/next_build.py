"""Builds of Next.js, whose errors are below the file in which they are.

Error: Turbopack build failed with 2 errors:
./app/page.js:1:1
Module not found: Can't resolve './nowhere'
> 1 | import { missing } from './nowhere';
    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

Failed to compile.

./app/cart/page.js
Error:   x Unexpected token `=`. Expected yield, an identifier, [ or {
   ,-[/home/runner/work/app/app/app/cart/page.js:3:1]
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from ci_failures.model import Failure, Line
from ci_failures.parsers.scripting.linting import RepeatingLinter
from ci_failures.parsers.text_helpers import join_message, parse_count

HEAD = re.compile(r"(?P<file>(?:\./|\[[a-z-]{1,20}\]/)\S[^:]{0,400}?)(?::(?P<line>\d{1,7}):(?P<column>\d{1,7}))?$")
"""The file of an error; Next.js has its own code and that of projects in brackets."""
WORD = re.compile(r"(?:Error: +)?(?:[x\u00d7\u2a2f] )?(?P<text>\S.*)$")
UNRESOLVED = re.compile(r"Module not found: (?:Error: )?Can't resolve ('[^']{1,300}')")
FRAME = re.compile(r"\s*+(?:[`╰]-|╰─|>?\s*+\d*+\s*+[|│:·](?:\s|$))")
"""Lines of source, and marks below them."""
PLACE = re.compile(r"\s*(?:,-|╭─)\[.{1,500}:(\d{1,7}):\d{1,7}\]$")
SAID = re.compile(r"Import trace|Generated code of |Debug info:|Stack backtrace:|https://nextjs\.org/docs/messages/")
"""What follows the message of an error."""
MOST_SAID, LONGEST_RULE = 8, 120
PATIENCE = 400
"""Lines behind the file of an error in which another one may begin."""


class NextBuild(RepeatingLinter):
    """Base of the parsers of builds: an entry for each file and error."""

    begins: ClassVar[re.Pattern[str]]
    """The line before the errors; its group is their number, if it has one."""

    ends: ClassVar[re.Pattern[str]]
    accepts: ClassVar[re.Pattern[str]]
    """The line right below a file with which an error begins."""

    def __init__(self) -> None:
        super().__init__()
        self._left = self._number = 0
        self._previous = ""
        self._head: re.Match[str] | None = None
        self._line = 0
        self._said: list[str] = []
        self._is_said = False

    def read(self, line: Line) -> bool:
        """Read the beginning or the end of the errors, or a line of one."""
        text = line.text.rstrip()
        if begun := self.begins.match(text):
            self._close()
            self._left, self._previous = PATIENCE, ""
            if begun.lastindex:
                self.add_total(parse_count(begun[1]))
        elif self._left and self.ends.match(text):
            self._close()
            self._left = 0
        elif self._left:
            self._left -= 1
            self._read_error(text, line.number)
            self._previous = text
        return self._left > 0

    def _read_error(self, text: str, number: int) -> None:
        head = HEAD.match(text)
        if head and not (self._previous.endswith(":") or HEAD.match(self._previous)):  # otherwise it is of a trace
            self._close()
            self._head, self._number, self._left = head, number, PATIENCE
            self._line = int(head["line"] or 0)
        elif self._head and not self._said:
            self._head = self._head if self.accepts.match(text) else None
            self._add(text)
        elif self._head:
            self._is_said |= (not text and not self._previous) or SAID.match(text) is not None
            if place := PLACE.match(text):
                self._line = self._line or int(place[1])
            elif not self._is_said and not FRAME.match(text):
                self._add(text)

    def _add(self, text: str) -> None:
        """Add a line to the message of the open error."""
        found = WORD.match(text.strip())
        if self._head and found and len(self._said) < MOST_SAID:
            self._said.append(found["text"])

    def _close(self) -> None:
        """Record the open error."""
        if self._head and self._said:
            unresolved = UNRESOLVED.match(self._said[0])
            rule = f"cannot resolve {unresolved[1]}" if unresolved else self._said[0].partition(". ")[0][:LONGEST_RULE]
            said, column = join_message(self._said), int(self._head["column"] or 0)
            self.find(rule, self._head["file"], self._line, said, self._number, column=column, kind="compile")
            self.printed += 1
        self._head, self._said, self._is_said = None, [], False

    def finish(self) -> Iterable[Failure]:
        """Return the errors, each once."""
        self._close()
        return super().finish()

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:  # noqa: ARG003 -- a build has no choice of files
        """Return nothing, since the log does not show with which options the project is built."""
        return ""


class Turbopack(NextBuild):
    """Parser of errors of Turbopack, which counts one in the code for browsers and for servers twice."""

    tool: ClassVar[str] = "turbopack"
    counts_printed: ClassVar[bool] = True
    wakes: ClassVar[tuple[str, ...]] = ("Turbopack build failed with ",)
    begins: ClassVar[re.Pattern[str]] = re.compile(r".{0,100}Turbopack build failed with (\d{1,20}) errors?:?$")
    ends: ClassVar[re.Pattern[str]] = re.compile(r" {4}at |> Build |npm |##\[")
    accepts: ClassVar[re.Pattern[str]] = re.compile(r"\S")


class NextWebpack(NextBuild):
    """Parser of errors of webpack in a build of Next.js or Create React App.

    Errors of types and of ESLint are below the same line; their own parsers read them.
    """

    tool: ClassVar[str] = "webpack"
    wakes: ClassVar[tuple[str, ...]] = ("\nFailed to compile",)
    first_line: ClassVar[str] = r"Failed to compile\.?$"
    begins: ClassVar[re.Pattern[str]] = re.compile(r"Failed to compile\.?$")
    ends: ClassVar[re.Pattern[str]] = re.compile(r"> Build |npm |##\[")
    accepts: ClassVar[re.Pattern[str]] = re.compile(
        r"Error: |(?:Module (?:not found|parse failed|build failed)|Syntax ?Error|Syntax error|CssSyntaxError)\b"
    )
