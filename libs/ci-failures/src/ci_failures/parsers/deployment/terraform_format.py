"""`terraform fmt -check` and `tofu fmt -check`: names of files, and the exit code 3, which shows what they mean.

main.tf
modules/net/variables.tf
Error: Terraform exited with code 3.

With `-diff`, a difference stands below each name.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.text_helpers import command, each_once

FILE = re.compile(r"(?:\./)?([^\s:]{1,400}\.(?:tf|tfvars|tofu|tftest\.hcl|tfmock\.hcl))$")
OLD, NEW = "--- old/", "+++ new/"
EXITED = re.compile(r"(?:.{0,40}[ :])?(?:exit(?:ed with)? code|exit status) 3\b")
NOT_NAMES = ("+", "-", " ", "@", "##[", "::")
"""The beginnings of lines that may stand between the last name and the exit code."""


class TerraformFormat(Parser):
    """Parser of the names that stand above the exit code 3, and of differences."""

    tool: ClassVar[str] = "terraform-fmt"
    wakes: ClassVar[tuple[str, ...]] = (f"\n{OLD}", "exit code 3", "exited with code 3")
    before: ClassVar[int] = 50

    def __init__(self) -> None:
        self._above: list[Line] = []
        self._old = ""
        self._found: dict[str, Failure] = {}

    def look_back(self, lines: Sequence[Line]) -> None:
        """Keep the lines above a waking one; only `read` knows what it is."""
        self._above = list(lines)

    def read(self, line: Line) -> bool:
        """Read an exit code, or the two lines at the beginning of a difference."""
        text, above = line.text, self._above
        self._above = []
        if text.startswith(OLD):
            self._old = text[len(OLD) :]
            return True
        if self._old and text == f"{NEW}{self._old}" and FILE.match(self._old):
            self._add(self._old, line.number)
        elif EXITED.match(text):
            self._read_names(above)
        self._old = ""
        return False

    def _read_names(self, lines: Sequence[Line]) -> None:
        """Read the names directly above an exit code; differences and empty lines may stand between them."""
        names = []
        for number, text in reversed(lines):
            if found := FILE.match(text):
                names.append((found[1], number))
            elif text.strip() and not text.startswith(NOT_NAMES):
                break
        for name, number in reversed(names):
            self._add(name, number)

    def _add(self, file: str, number: int) -> None:
        if len(self._found) < MOST_FAILURES:
            self._found.setdefault(
                file,
                Failure(
                    tool=self.tool,
                    kind="lint",
                    name=f"fmt {file}",
                    message="is not formatted",
                    file=file,
                    log_line=number,
                    confidence="medium",
                    suggested_fix=command("terraform", "fmt", file),
                ),
            )

    def finish(self) -> Iterable[Failure]:
        """Return the files that are not formatted."""
        return self._found.values()

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return the command that checks these files again."""
        return command("terraform", "fmt", "-check", *each_once(one.file for one in failures))
