"""Tests that end the whole process of pytest: a crash of Python, or a timeout without an exception."""

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
    """A frame that belongs neither to Python nor to an installed package.

    Args:
        path: The path as it is printed.
        line: The line in the file.
        function: The name of the function.
    """

    path: str
    line: int
    function: str


class Death:
    """The stack that is printed when the process dies.

    Args:
        number: The number of the line that reports it.
        before: The text before it on that line: the test with -v, otherwise its file and dots.
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
        """Whether it needs no more lines."""
        return not self._left

    def read(self, text: str) -> None:
        """Read a line; only the stack of one thread counts."""
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
        """The innermost frame, which a crash of Python prints first."""
        frame = self._frames[-1 if self.what == "Timeout" else 0] if self._frames else None
        return (frame.path, frame.line) if frame else None

    def name(self, started: str) -> tuple[str, bool]:
        """Return the name of the test, and whether it was printed; otherwise it is built from the outermost frame.

        Args:
            started: The test that was reported last as running; empty if none was.
        """
        printed = self._before.strip() or started
        if "::" in printed:
            return printed, True
        frame = self._frames[0 if self.what == "Timeout" else -1] if self._frames else None
        file = FILE.match(self._before)
        return f"{file[1]}::{frame.function}" if file and frame else "", False
