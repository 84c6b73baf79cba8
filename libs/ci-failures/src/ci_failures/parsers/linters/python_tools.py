"""Black, isort, Pylint and Pyright, each finding on a line.

would reformat src/cart.py
ERROR: /repo/src/cart.py Imports are incorrectly sorted and/or formatted.
src/cart.py:1:0: C0114: Missing module docstring (missing-module-docstring)
  /repo/src/cart.py:13:21 - error: "price" is not defined (reportUndefinedVariable)
"""

import re
from typing import ClassVar

from ci_failures.model import Kind, Line
from ci_failures.parsers.python.findings import PLACES
from ci_failures.parsers.scripting.linting import Linter

REFORMAT = re.compile(r"would reformat (\S.{0,400})$")
PARSE = re.compile(r"error: (cannot parse): (\S.{0,400}?):(\d{1,7}):\d{1,7}$")
UNPARSED = re.compile(r"error: cannot format (\S.{0,400}?): (Cannot (?:parse|fail).{0,1000}?:? ?(\d+)?:?.*)$")
REFORMATTED = re.compile(r"(?:(\d+) files? would be reformatted)?(?:, )?(?:\d+ files? would be left unchanged)?"
                         r"(?:, )?(?:(\d+) files? would fail to reformat)?\.$")  # fmt: skip
UNSORTED = re.compile(r"ERROR: (\S.{0,400}\.pyi?) Imports are incorrectly sorted and/or formatted\.$")
PYLINT = re.compile(r"(\S[^:]{0,400}\.pyi?):(\d{1,7}):(\d{1,7}): ([CRWEF]\d{4}): (.*?)(?: \(([a-z][\w-]{1,80})\))?$")
PYLINT_BRACKETS = re.compile(
    r"(\S[^:(]{0,400}\.pyi?)(?::|\()(\d{1,7})\)?: \[([CRWEF]\d{4})\([a-z][\w-]{1,80}\)[^\]]{0,200}\] (.*)$"
)
"""The forms `parseable` and `msvs`."""
SYNTAX_ERROR = "E0001"
PYRIGHT = re.compile(r" *(\S.{0,400}?\.(?:pyi?|ipynb)):(\d{1,7}):(\d{1,7}) - error: (.*?)(?: \((report\w{1,80})\))?$")
RULE = re.compile(r"[ \xa0]{4,}(.*?)(?: \((report\w{1,80})\))?$")
COUNTS = re.compile(r"(\d+) errors?, \d+ warnings?, \d+ (?:informations?|notes?) ?$")


class Black(Linter):
    """Parser of the files that Black would reformat, or cannot read."""

    tool: ClassVar[str] = "black"
    again: ClassVar[tuple[str, ...]] = ("black", "--check", "--diff")
    wakes: ClassVar[tuple[str, ...]] = (
        "\nwould reformat ", "error: cannot ", " would be reformatted", " would fail to reformat",
    )  # fmt: skip

    def read(self, line: Line) -> bool:
        """Read a line with a file, or the total."""
        text = line.text.rstrip()
        if found := REFORMAT.match(text):
            self.find("would reformat", found[1], 0, "would be reformatted", line.number)
        elif found := UNPARSED.match(text):
            self.find("cannot format", found[1], int(found[3] or 0), found[2], line.number, kind="compile")
        elif found := PARSE.match(text):
            self.find("cannot format", found[2], int(found[3]), found[1], line.number, kind="compile")
        elif (found := REFORMATTED.match(text)) and found.lastindex:
            self.add_total(int(found[1] or 0) + int(found[2] or 0))
        return False


class Isort(Linter):
    """Parser of the files whose imports are not sorted."""

    tool: ClassVar[str] = "isort"
    again: ClassVar[tuple[str, ...]] = ("isort", "--check", "--diff")
    wakes: ClassVar[tuple[str, ...]] = (" Imports are incorrectly sorted and/or formatted.",)

    def read(self, line: Line) -> bool:
        """Read a line with a file."""
        if found := UNSORTED.match(line.text.rstrip()):
            self.find("imports", found[1], 0, "imports are incorrectly sorted and/or formatted", line.number)
        return False


class Pylint(Linter):
    """Parser of Pylint's messages in its forms for people and editors."""

    tool: ClassVar[str] = "pylint"
    again: ClassVar[tuple[str, ...]] = ("pylint",)
    wakes: ClassVar[tuple[str, ...]] = (*PLACES, *(f"): [{letter}" for letter in "CRWEF"))
    first_line: ClassVar[str] = r".*\.pyi?(?::\d+:\d+: [CRWEF]\d{4}: |[:(]\d+\)?: \[[CRWEF]\d{4}\()"

    def read(self, line: Line) -> bool:
        """Read a line with a message."""
        if ": " in line.text and (found := PYLINT.match(line.text.rstrip())):
            kind: Kind = "compile" if found[4] == SYNTAX_ERROR else "lint"
            self.find(
                found[4], found[1], int(found[2]), found[5], line.number, column=int(found[3]),
                kind=kind,
            )  # fmt: skip
        elif "[" in line.text and (found := PYLINT_BRACKETS.match(line.text.rstrip())):
            kind = "compile" if found[3] == SYNTAX_ERROR else "lint"
            self.find(found[3], found[1], int(found[2]), found[4], line.number, kind=kind)
        return False


class Pyright(Linter):
    """Parser of the errors of Pyright and basedpyright; the rule of a long one is at the end of its last line."""

    tool: ClassVar[str] = "pyright"
    again: ClassVar[tuple[str, ...]] = ("pyright",)
    wakes: ClassVar[tuple[str, ...]] = (" - error: ", " informations", " notes")

    def __init__(self) -> None:
        super().__init__()
        self._open: tuple[re.Match[str], int, list[str]] | None = None

    def read(self, line: Line) -> bool:
        """Read a line with an error, the rest of one, or the total."""
        text = line.text.rstrip()
        if found := PYRIGHT.match(text):
            self._end("error")
            if found[5]:
                self._keep(found, line.number, [found[4]], found[5])
            else:
                self._open = found, line.number, [found[4]]
        elif self._open and (more := RULE.match(text)):
            self._open[2].append(more[1].strip())
            if more[2]:
                self._end(more[2])
        else:
            self._end("error")
            if counts := COUNTS.match(text):
                self.add_total(int(counts[1]))
        return self._open is not None

    def _end(self, rule: str) -> None:
        """Record the open error."""
        if self._open:
            self._keep(*self._open, rule)
        self._open = None

    def _keep(self, found: re.Match[str], number: int, texts: list[str], rule: str) -> None:
        self.find(rule, found[1], int(found[2]), "\n".join(texts), number, column=int(found[3]))
