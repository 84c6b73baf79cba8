"""The block of one failed .NET test: its lines, in the form of the program that prints them."""

import re

from attrs import define, field

from ci_failures.model import Failure
from ci_failures.parsers.platforms.dotnet_frames import BUILT, bare_method, elsewhere, frame, full_name
from ci_failures.parsers.text_helpers import join_message

PREFIX = re.compile(r"^\[xUnit\.net [\d:.]+\] ?")
STACK = re.compile(r"^\s*Stack Trace:\s*(.*)$")
INNER = re.compile(r"^\s*(?:---> |-{3,} (?:End of|Inner)|from \S.*\.dll\b)")
INDENTED = 6
"""Blanks before the details that the terminal logger and xUnit.net's runners print."""
BANNERED = " " * 3
"""Blanks that VSTest prints before the first line of a message, and before no other."""
MOST_LINES = 60
LONGEST_BLOCK = 300


@define
class DotnetBlock:
    """The message and the place of one failed test.

    Args:
        form: The form of its output: one run prints a test in several forms.
        origin: The place of the build, which is the prefix of each line of MSBuild's form.
        named: Whether its name is a sentence, which may be any output until a summary is read.
    """

    name: str
    number: int
    form: str
    lines: list[str] = field(factory=list)
    place: tuple[str, int] | None = None
    origin: str = ""
    methods: list[str] = field(factory=list)
    unplaced: list[str] = field(factory=list)
    told: bool = False
    stacked: bool = False
    built: bool = False
    named: bool = False
    prefixed: bool = False
    read: int = 0

    def take(self, text: str) -> bool:
        """Read a line, and return whether there may be more."""
        self.read += 1
        if self.read > LONGEST_BLOCK:
            return False
        if self.form == "xunit":
            return self._read_xunit(text)
        if self.form == "terminal":
            if text[:INDENTED].strip():
                return False
            self._take(text[INDENTED:])
        elif not text.startswith("[xUnit.net "):
            self._take(text)
        return True

    def _read_xunit(self, text: str) -> bool:
        """Read a line of xUnit.net's runners; under VSTest each has a prefix, and others are interleaved."""
        bare = PREFIX.sub("", text)
        if bare == text and self.prefixed:
            return True
        if bare[:INDENTED].strip():
            return False
        self._take(bare)
        return True

    def _take(self, text: str) -> None:
        found = frame(text)
        if not found and (method := bare_method(text)):
            self.unplaced.append(method)
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
        """Record a frame: code that was built elsewhere, as most libraries are, only until there is a better one."""
        if found is None:
            return
        method, file, line = found
        self.methods.append(method)
        if self.place is None or (self.built and not elsewhere(file)):
            self.built = elsewhere(file)
            self.place = file, line

    def _of_library(self, name: str) -> bool:
        """Check whether all known places are in code that was built elsewhere, under another name than the test."""
        root = name.partition(".")[0]
        return self.built and "." in name.partition("(")[0] and not self.methods[0].startswith(f"{root}.")

    def failure(self) -> Failure:
        """Create a failure of the block."""
        name = full_name(self.name, [*self.methods, *self.unplaced])
        file, line = self.place if self.place and not self._of_library(name) else ("", None)
        return Failure(
            tool="dotnet",
            name=name,
            message=join_message(self.lines).strip(),
            file=file.removeprefix(BUILT),
            line=line,
            selector=name,
            log_line=self.number,
        )
