"""Spotless, under Maven and Gradle: the files that are not formatted, each with a difference."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, evolve, field

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.jvm.maven import without_level
from ci_failures.parsers.text_helpers import each_once, join_message, relative

OPENING = "The following files had format violations:"
FURTHER = "Violations also present in:"
"""The heading of files whose differences are not shown."""
FILE = re.compile(r"( {4,6})(\S.*)")
LEFT_OUT = re.compile(r"\s*\.\.\. \(\d+ more lines? that didn't fit\)")
HUNK = re.compile(r"\s+@@ -(\d+)")
APPLY = re.compile(r"\s*Run '(.+)' to fix")
MOST_LINES = 20_000


@define
class SpotlessBlock:
    """A file whose lines are being read."""

    path: str
    depth: int
    number: int
    row: int | None = None
    said: list[str] = field(factory=list)


class Spotless(Parser):
    """Parser of the list, up to the command that formats the files."""

    tool: ClassVar[str] = "spotless"
    wakes: ClassVar[tuple[str, ...]] = (OPENING,)

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._block: SpotlessBlock | None = None
        self._listing = False
        self._lines = 0

    def read(self, line: Line) -> bool:
        """Read a line of the list, or its beginning."""
        text = without_level(line.text)
        self._lines += 1
        if OPENING in text:
            self._listing, self._lines = True, 0
        elif self._listing and text.startswith(FURTHER):
            self._close()
        elif apply := APPLY.match(text):
            self._close()
            self._read_command(apply[1])
        elif self._listing and text.strip() and not text.startswith(" "):
            self._close()
            self._listing = False
        elif self._listing and not LEFT_OUT.match(text):
            self._take(text, line.number)
        self._listing = self._listing and self._lines < MOST_LINES
        return self._listing

    def finish(self) -> Iterable[Failure]:
        """Return the files."""
        self._close()
        return self._found.values()

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that checks them again."""
        return " && ".join(each_once(one.selector for one in failures))

    def _take(self, text: str, number: int) -> None:
        file, block = FILE.match(text), self._block
        if file and (block is None or len(file[1]) <= block.depth):
            self._close()
            self._block = SpotlessBlock(relative(file[2].replace("\\", "/")), len(file[1]), number)
        elif block is not None:
            hunk = HUNK.match(text)
            block.row = block.row or (int(hunk[1]) if hunk else None)
            block.said.append(text)

    def _read_command(self, command: str) -> None:
        """Read the command that formats all files, with which the list ends."""
        self._listing = False
        check = command.replace(":apply", ":check").replace("Apply", "Check")
        self._found = {
            name: one if one.selector else evolve(one, selector=check, suggested_fix=command)
            for name, one in self._found.items()
        }

    def _close(self) -> None:
        block, self._block = self._block, None
        if block is not None and len(self._found) < MOST_FAILURES:
            name = f"format {block.path}"
            self._found.setdefault(
                name,
                Failure(
                    tool=self.tool,
                    kind="lint",
                    name=name,
                    message=join_message(block.said) or "is not formatted",
                    file=block.path,
                    line=block.row,
                    log_line=block.number,
                ),
            )
