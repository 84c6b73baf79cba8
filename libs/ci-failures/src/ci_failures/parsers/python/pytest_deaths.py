"""Tests that take all of pytest with them: a crash of Python, or a timeout that no exception ends."""

import re
from typing import NamedTuple

from ci_failures.parsers.python.pytest_blocks import FRAME, NOT_OURS

DEATHS = ("Fatal Python error: ", "+ Timeout +")
DEATH = re.compile(r"(.*?)(Fatal Python error: .+|(?<!\+)\+{5,} Timeout \+{5,})$")
STACK = re.compile(r"Current thread |~+ Stack of MainThread ")
OTHER_STACK = re.compile(r"Thread 0x|~+ Stack of |Extension modules: ")
FUNCTION = re.compile(r".* in (\w+)$")
FILE = re.compile(r"(\S+\.\w+) ")
MOST_LINES = 500


class Frame(NamedTuple):
    """A frame that is none of Python's or of a package.

    Args:
        path: As it is printed.
        line: The line in it.
        function: Its name.
    """

    path: str
    line: int
    function: str


class Death:
    """Reads the stack that is printed then.

    Args:
        number: The number of the line that tells it.
        before: What stands before it on that line: the test with -v, else its file and dots.
        what: What happened.
    """

    def __init__(self, number: int, before: str, what: str) -> None:
        self.number = number
        self.what = what.strip("+ ")
        self._before = before
        self._frames: list[Frame] = []
        self._ours = False
        self._left = MOST_LINES

    @property
    def over(self) -> bool:
        """Whether no more lines are wanted."""
        return not self._left

    def read(self, text: str) -> None:
        """Take a line; the stack of one thread counts."""
        self._left -= 1
        if STACK.match(text):
            self._ours = True
        elif OTHER_STACK.match(text):
            self._ours = False
        elif self._ours and (found := FRAME.match(text)) and not any(mark in found[1] for mark in NOT_OURS):
            function = FUNCTION.match(text)
            self._frames.append(Frame(found[1], int(found[2]), function[1] if function else ""))

    @property
    def place(self) -> tuple[str, int] | None:
        """Where it happened: the innermost frame, which a crash of Python tells first."""
        frame = self._frames[-1 if self.what == "Timeout" else 0] if self._frames else None
        return (frame.path, frame.line) if frame else None

    def name(self, started: str) -> tuple[str, bool]:
        """Give the name of the test, and whether it was told; else it is made of the outermost frame.

        Args:
            started: The test that was said to run last; empty if none was.
        """
        told = self._before.strip() or started
        if "::" in told:
            return told, True
        frame = self._frames[0 if self.what == "Timeout" else -1] if self._frames else None
        file = FILE.match(self._before)
        return f"{file[1]}::{frame.function}" if file and frame else "", False
