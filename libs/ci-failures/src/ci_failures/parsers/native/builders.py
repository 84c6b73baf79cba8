"""Errors of CMake, make and ninja themselves, other than that a compiler failed."""

import re
from collections.abc import Iterable
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, MOST_TEXT, Failure, Kind, Line, Parser
from ci_failures.parsers.native.program_context import source, strip_prefix
from ci_failures.parsers.text_helpers import join_message

HEAD = re.compile(r"CMake Error(?: \(dev\))?(?:(?: at| in) (.+?)(?::(\d+))?(?: \((\w+)\))?:|: (.*))$")
FRAME = re.compile(r"  (\S.*?):(\d+) \((\w+)\)$")
NO_PACKAGE = ("Could NOT find ", "Could not find a package configuration file", "By not providing ")
NO_RULE = re.compile(
    r"(?:\S*/)?\w*make(?:\[\d+\])?: \*\*\* (No rule to make target [`'\u2018](.+?)['\u2019].*?)\.?(?:  Stop\.)?$"
)
NOTHING = re.compile(r"(?:\S*/)?\w*make(?:\[\d+\])?: \*\*\* (No targets.+?)\.?  Stop\.$")
STOPPED = re.compile(r"([^\s:]+):(\d+): \*\*\* (.+?)\.?  Stop\.$")
NINJA = re.compile(r"ninja: (?:fatal|error): (.+)$")
LONGEST = 30


class CMake(Parser):
    """Parser of CMake's errors during configuration; an error in a library belongs to the line that called it."""

    tool: ClassVar[str] = "cmake"
    wakes: ClassVar[tuple[str, ...]] = ("CMake Error",)

    def __init__(self) -> None:
        self._failures: dict[str, Failure] = {}
        self._lines: list[str] = []
        self._open: Failure | None = None
        self._command = ""
        self._stack = False

    def read(self, line: Line) -> bool:
        """Read a line; the message is indented below the first line of an error, and its callers below that."""
        text = strip_prefix(line.text)
        if text.startswith("CMake Error") and (head := HEAD.match(text)):
            self._close()
            self._begin(head, line.number)
        elif self._open and text.startswith("Call Stack (most recent call first)"):
            self._stack = True
        elif self._open and (not text.strip() or text.startswith("  ")):
            self._more(text)
        else:
            self._close()
        return self._open is not None

    def _begin(self, head: re.Match[str], number: int) -> None:
        file, at, self._command, said = head[1] or "", head[2], head[3] or "error", head[4]
        self._lines = [said] if said else []
        line = int(at) if at else None
        self._open = Failure(tool="cmake", kind="compile", name="", file=source(file), line=line, log_line=number)

    def _more(self, text: str) -> None:
        if not self._stack:
            if len(self._lines) < LONGEST:
                self._lines.append(text)
        elif self._open and self._open.file.startswith("/") and (frame := FRAME.match(text)):
            self._open = evolve(self._open, file=source(frame[1]), line=int(frame[2]))
            self._command = frame[3]

    def _close(self) -> None:
        if self._open:
            message = join_message(self._lines)
            place = f"{self._open.file}:{self._open.line}" if self._open.line else self._open.file
            name = f"{self._command} {place or message.partition(chr(10))[0]}"
            kind: Kind = "dependency" if any(sign in message for sign in NO_PACKAGE) else "compile"
            if len(self._failures) < MOST_FAILURES:
                self._failures.setdefault(name, evolve(self._open, name=name, kind=kind, message=message))
        self._open, self._stack = None, False

    def finish(self) -> Iterable[Failure]:
        """Return each error once; an error without its call stack, in a log that is cut, is dropped."""
        if self._open and not self._open.file.startswith("/"):
            self._close()
        return list(self._failures.values())


class Builders(Parser):
    """Parser of what make and ninja cannot build for lack of a rule."""

    tool: ClassVar[str] = "make"
    wakes: ClassVar[tuple[str, ...]] = (": *** No rule to make target ", ".  Stop.", "ninja: error: ", "ninja: fatal: ")

    def __init__(self) -> None:
        self._failures: dict[str, Failure] = {}

    def read(self, line: Line) -> bool:
        """Read a line; each is complete."""
        text = strip_prefix(line.text)
        failure = None
        if found := NO_RULE.match(text):
            name = f"No rule to make target {found[2]}"
            failure = Failure(tool="make", kind="compile", name=name, message=found[1])
        elif found := NOTHING.match(text):
            failure = Failure(tool="make", kind="compile", name=found[1], message=found[1])
        elif found := STOPPED.match(text):
            place = f"{source(found[1])}:{found[2]}"
            name = f"{found[3]} {place}"[:MOST_TEXT]
            failure = Failure(
                tool="make", kind="compile", name=name, message=found[3], file=source(found[1]), line=int(found[2])
            )
        elif found := NINJA.match(text):
            failure = Failure(tool="ninja", kind="compile", name=found[1][:MOST_TEXT], message=found[1][:MOST_TEXT])
        if failure and len(self._failures) < MOST_FAILURES:
            self._failures.setdefault(failure.name, evolve(failure, log_line=line.number))
        return False

    def finish(self) -> Iterable[Failure]:
        """Return each once."""
        return list(self._failures.values())
