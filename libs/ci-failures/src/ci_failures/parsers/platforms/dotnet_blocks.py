"""What is told of one failed .NET test: its lines, in the form of whoever tells it."""

import re

from attrs import define, field

from ci_failures.model import Failure
from ci_failures.parsers.common import cut
from ci_failures.parsers.platforms.frames import BUILT, elsewhere, frame, full_name

PREFIX = re.compile(r"^\[xUnit\.net [\d:.]+\] ?")
STACK = re.compile(r"^\s*Stack Trace:\s*(.*)$")
INNER = re.compile(r"^\s*(?:---> |-{3,} (?:End of|Inner)|from \S.*\.dll\b)")
INDENTED = 6
"""Blanks before what the terminal logger and xUnit.net's runners tell of a test."""
BANNERED = " " * 3
"""Blanks that VSTest puts before the first line of a message, and before no other."""
MOST_LINES = 60
LONGEST_BLOCK = 300


@define
class Block:
    """What went wrong in one test.

    Args:
        form: How it is told: one test is told in several forms by one run.
        origin: Where the build says that it is: it begins each line of MSBuild's form.
        named: Whether its name is a sentence, which may be anybody's line until a summary is told.
    """

    name: str
    number: int
    form: str
    lines: list[str] = field(factory=list)
    place: tuple[str, int] | None = None
    origin: str = ""
    methods: list[str] = field(factory=list)
    told: bool = False
    stacked: bool = False
    built: bool = False
    named: bool = False
    prefixed: bool = False
    read: int = 0

    def take(self, text: str) -> bool:
        """Take a line of it, and say whether there may be more."""
        self.read += 1
        if self.read > LONGEST_BLOCK:
            return False
        if self.form == "xunit":
            return self._said(text)
        if self.form == "terminal":
            if text[:INDENTED].strip():
                return False
            self._take(text[INDENTED:])
        elif not text.startswith("[xUnit.net "):
            self._take(text)
        return True

    def _said(self, text: str) -> bool:
        """Take a line of xUnit.net's runners; under VSTest each has a prefix, and others stand between."""
        bare = PREFIX.sub("", text)
        if bare == text and self.prefixed:
            return True
        if bare[:INDENTED].strip():
            return False
        self._take(bare)
        return True

    def _take(self, text: str) -> None:
        found = frame(text)
        stack = STACK.match(text)
        if text.strip() == "Error Message:":
            self.told, self.lines = True, []
        elif found or stack:
            self.told = self.stacked = True
            self._frame(found or (frame(stack[1]) if stack else None))
        elif not self.stacked and len(self.lines) < MOST_LINES and not INNER.match(text):
            first = self.form == "vstest" and not self.lines
            self.lines.append(text.removeprefix(BANNERED) if first else text)

    def _frame(self, found: tuple[str, str, int] | None) -> None:
        """Keep a frame: what was built elsewhere, as most libraries are, only until there is a better one."""
        if found is None:
            return
        method, file, line = found
        self.methods.append(method)
        if self.place is None or (self.built and not elsewhere(file)):
            self.built = elsewhere(file)
            self.place = file, line

    def _of_library(self, name: str) -> bool:
        """Say whether all that is known lies in code that was built elsewhere, under another name than the test."""
        root = name.partition(".")[0]
        return self.built and "." in name.partition("(")[0] and not self.methods[0].startswith(f"{root}.")

    def failure(self) -> Failure:
        """Make a failure of it."""
        name = full_name(self.name, self.methods)
        file, line = self.place if self.place and not self._of_library(name) else ("", None)
        return Failure(
            tool="dotnet", name=name, message=cut(self.lines).strip(), file=file.removeprefix(BUILT), line=line,
            selector=name, log_line=self.number,
        )  # fmt: skip
