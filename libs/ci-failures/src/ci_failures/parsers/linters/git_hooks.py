"""pre-commit and prek: each failing hook, unless another parser reports what is wrong in its output.

trim trailing whitespace.................................................Failed
- hook id: trailing-whitespace
- exit code: 1
- files were modified by this hook

Fixing src/cart.py
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.text_helpers import MOST_LINES, command, each_once, join_message

RESULT = re.compile(r"\S.{0,200}?\.{3,}+(?:\(.{1,80}\))?(Passed|Failed|Skipped)$")
ID = re.compile(r"- hook id: (\S.{0,200})$")
DETAIL = re.compile(r"- (?:duration|exit code|files were modified)\b")
PLACE = re.compile(r" {2,4}in \"(\S.{0,400})\", line (\d{1,7}), column (\d{1,7})$")
"""A place in the output of `check-yaml`, below what is wrong there."""
ENDS = ("##[", "::", "pre-commit hook(s) made changes", "All changes made by hooks:", "diff --git ")
LONGEST = 2_000
"""Lines of the output of a hook."""


class PreCommit(Parser):
    """Parser of failing hooks and their output."""

    tool: ClassVar[str] = "pre-commit"
    wakes: ClassVar[tuple[str, ...]] = ("- hook id: ",)
    before: ClassVar[int] = 1

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._covered: dict[str, tuple[int, int]] = {}
        self._failed = self._number = self._last = 0
        self._id = ""
        self._lines: list[str] = []

    def read(self, line: Line) -> bool:
        """Read the result of a hook, or a line of the output below it."""
        text = line.text.rstrip()
        result = RESULT.match(text)
        if result or text.startswith(ENDS):
            self._end()
            self._failed = line.number if result and result[1] == "Failed" else 0
        elif self._failed and (found := ID.match(text)):
            self._id, self._number, self._failed = found[1], self._failed, 0
        elif self._id:
            self._output(text)
        self._last = line.number
        return bool(self._id or self._failed)

    def _output(self, text: str) -> None:
        if self._last - self._number > LONGEST:
            self._end()
        elif len(self._lines) < MOST_LINES and (text.startswith("- files were modified") or not DETAIL.match(text)):
            self._lines.append(text.removeprefix("- "))

    def _end(self) -> None:
        """Record the hook whose output was read."""
        if self._id and len(self._found) < MOST_FAILURES:
            message = join_message(line for line in self._lines if line) or "failed"
            one = Failure(
                tool=self.tool, kind="lint", name=self._id, message=message, selector=self._id, log_line=self._number
            )
            places = [(said, place) for said, text in pairwise(self._lines) if (place := PLACE.match(text))]
            for said, place in places[: MOST_FAILURES - len(self._found)]:
                file, line, column = place.groups()
                name = f"{self._id} {file}:{line}:{column}"
                self._found.setdefault(name, evolve(one, name=name, message=said, file=file, line=int(line)))
            if not places:
                self._found.setdefault(self._id, one)
                self._covered[self._id] = self._number, self._last
        self._id, self._lines = "", []

    def finish(self) -> Iterable[Failure]:
        """Return the hooks."""
        self._end()
        return [evolve(one, confidence="high") for one in self._found.values()]

    def covers(self) -> Mapping[str, tuple[int, int]]:
        """Return the lines of the output of each hook."""
        return self._covered

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return commands that run these hooks again, one each."""
        hooks = each_once(one.selector for one in failures)
        return "; ".join(command("pre-commit", "run", hook, "--all-files") for hook in hooks)
