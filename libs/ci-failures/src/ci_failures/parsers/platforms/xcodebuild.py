r"""The commands with which a build of xcodebuild failed, where no compiler tells what is wrong.

** ARCHIVE FAILED **

The following build commands failed:
    CompileSwift normal arm64 (in target 'Shop' from project 'Shop')
    PhaseScriptExecution [CP]\ Check\ Pods /Users/a/Script-4A.sh (in target 'Shop' from project 'Shop')
(2 failures)

xcpretty, xcbeautify and fastlane print it as it is. xcodebuild was run nowhere by us.
"""

import re
from collections.abc import Iterable, Mapping
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.text_helpers import parse_count, relative

LIST = "The following build commands failed:"
VERDICT = re.compile(r"\*\* ((?:(?!TEST (?:EXECUTE )?FAILED)[A-Z]+ ){1,4}FAILED) \*\*$")
COMMAND = re.compile(r"(?:\t| {4,}+)\s*+([A-Z]\S.*)$")
COUNT = re.compile(r"\((\d{1,7}) failures?\)$")
ERROR = re.compile(r"(?:❌ |\[x\] )?\s*(?:error: |\S.{0,400}?\.(?:xcodeproj|xcworkspace): error: )(\S.*)$")
"""An error without a line: of signing, of packages."""
SOURCE = re.compile(r"(?<!\\) (/(?:\\.|[^\s\\]){1,400}\.(?:swift|mm?|c|cc|cpp))(?= |$)")
BEGINS = ("Command line invocation:", "xcodebuild -")
"""What precedes the output of a run: its own line, or the command that fastlane or a shell prints."""
MOST_NAME = 200
MOST_AFTER = 200
"""Lines behind a list in which its causes may be: fastlane shows the end of the output again."""


class Xcodebuild(Parser):
    """Parser of the list; without one, the verdict alone is an entry, as it may be of a build that was tried again."""

    tool: ClassVar[str] = "xcodebuild"
    wakes: ClassVar[tuple[str, ...]] = (LIST, " FAILED **", *BEGINS)
    before: ClassVar[int] = 20

    def __init__(self) -> None:
        self._found: list[Failure] = []
        self._counted: int | None = None
        self._verdict: Failure | None = None
        self._error = ""
        self._is_list = False
        self._begin = 0
        self._covers: dict[str, tuple[int, int]] = {}

    def look_back(self, lines: Iterable[Line]) -> None:
        """Read errors before a verdict."""
        for line in lines:
            if found := ERROR.match(line.text.rstrip()):
                self._error = found[1]

    def read(self, line: Line) -> bool:
        """Read a verdict, or a line of the list, which its number of commands ends."""
        text = line.text.rstrip()
        if text.strip() == LIST:
            self._is_list = True
        elif verdict := VERDICT.match(text.strip()):
            self._verdict = self._verdict or self._create(verdict[1], self._error or verdict[1], line.number)
        elif self._is_list and (command := COMMAND.match(text)):
            self._add(command[1], line.number)
        elif self._is_list and (count := COUNT.match(text.strip())):
            self._counted = (self._counted or 0) + parse_count(count[1])
            self._is_list = False
        elif text.strip():
            self._is_list = False
            if any(begin in text for begin in BEGINS):
                self._begin, self._error = line.number, ""
        return self._is_list

    def finish(self) -> Iterable[Failure]:
        """Return the commands, or else the verdict."""
        return self._found or ([self._verdict] if self._verdict else [])

    def total(self) -> int | None:
        """Return how many commands the lists count."""
        return self._counted

    def covers(self) -> Mapping[str, tuple[int, int]]:
        """Return the run of each: what another parser reads of it is why a command failed."""
        return self._covers

    def _add(self, command: str, number: int) -> None:
        if len(self._found) < MOST_FAILURES:
            self._found.append(self._create(command, command, number))

    def _create(self, command: str, message: str, number: int) -> Failure:
        sources, name = SOURCE.findall(command), command[:MOST_NAME]
        first, _ = self._covers.get(name, (self._begin, 0))
        self._covers[name] = first, number + MOST_AFTER
        return Failure(
            tool=self.tool, kind="compile", name=name, message=message, confidence="medium",
            file=relative(sources[0].replace("\\", "")) if len(sources) == 1 else "", log_line=number,
        )  # fmt: skip
