"""bats 1.2 to 1.13, TAP and pretty: only the comment below a failure names the file of a test.

not ok 1 adds two
# (in test file adds.bats, line 7)
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from ci_failures.model import Failure, Line, Parser
from ci_failures.parsers.javascript.failed import Failed
from ci_failures.parsers.javascript.patterns import any_of, escape_pattern
from ci_failures.parsers.text_helpers import command, each_once, join_message, relative

BAD = re.compile(
    r"^(?:not ok \d+ |(?:.{0,200}\d{1,5}/\d{1,5})? ✗ )"
    r"(.*?)(?: in \d+ ?m?s(?:ec)?| \[\d+\])?(?: # timeout after \d+s| \[timeout: \d+s\])?$"
)
PLACE = re.compile(r"in test file (\S.{0,400}), line (\d+)\)$")
NOTE = re.compile(r"^(?:#(?= |$) {0,2}| {2,6})(.*)$")
QUOTED = re.compile(r'"|`|\\\$')
"""Characters that a file may escape by a backslash: bats compares with the title as the file has it."""
SAID = re.compile(r"' failed(?: |$)")
"""The comment that bats adds to every failure, and that tests do not print."""
OUTSIDE = frozenset({"setup_file failed", "teardown_file failed"})
"""Failures of a file, which only the file selects."""
NOISE = re.compile(r"bats warning: |\.\.\.$")
MOST = 40


class Bats(Parser):
    """Parser of bats' output."""

    tool: ClassVar[str] = "bats"
    wakes: ClassVar[tuple[str, ...]] = ("not ok ", " ✗ ")
    first_line: ClassVar[str] = r"not ok \d|(?:.*\d)? ✗ "

    def __init__(self) -> None:
        self._failed = Failed()
        self._title = ""
        self._begun = 0
        self._place: tuple[str, int] | None = None
        self._notes: list[str] = []
        self._is_cut = False

    def read(self, line: Line) -> bool:
        """Read a line; those below a failure are wanted as long as they are comments."""
        text = line.text
        if ("✗ " in text or text.startswith("not ok ")) and (bad := BAD.match(text)):
            self._end()
            self._title, self._begun = bad[1], line.number
        elif self._title and (note := NOTE.match(text)) and len(self._notes) < MOST:
            self._note(note[1])
        else:
            self._end()
        return self._title != ""

    def _note(self, text: str) -> None:
        if NOISE.match(text):
            return
        if self._place:
            self._notes.append(text)
        elif place := PLACE.search(text):
            self._place = relative(place[1]), int(place[2])

    def _end(self) -> None:
        """Record a failure if bats says where it is; other tools print TAP as well."""
        if self._title and self._place and any(map(SAID.search, self._notes)):
            file, number = self._place
            self._failed.add(
                Failure(
                    tool="bats",
                    name=f"{file} > {self._title}",
                    message=join_message(self._notes),
                    file=file,
                    line=number,
                    selector=""
                    if self._title in OUTSIDE
                    else QUOTED.sub(r"\\\\?\g<0>", escape_pattern(self._title)) + "$",
                    log_line=self._begun,
                )
            )
        self._title, self._place, self._notes = "", None, []

    def finish(self) -> Iterable[Failure]:
        """Return what failed."""
        self._is_cut = self._place is not None and not any(map(SAID.search, self._notes))
        self._end()
        return self._failed.with_confidence(len(self._failed))

    def gap(self) -> str:
        """Return that the log ends within a failure, which is left out."""
        return "the output of bats breaks off within a failure" if self._is_cut else ""

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that runs these: bats takes one pattern, an extended one, and files."""
        files = each_once(one.file for one in failures)
        if not all(one.selector for one in failures):
            return command("bats", *files)
        return command("bats", "-f", any_of(one.selector for one in failures), *files)
