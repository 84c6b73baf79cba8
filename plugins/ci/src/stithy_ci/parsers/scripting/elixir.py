"""Elixir's compiler: the file that cannot be compiled, and since 1.15 each error with its place above that.

== Compilation error in file lib/account.ex ==
** (CompileError) lib/account.ex:2: undefined function missing/0 (expected Account to define such a function …)

error: undefined variable "missing"
    │
  2 │   def add(a, b), do: a + missing
    │                          ^^^^^^^
    │
    └─ lib/account.ex:2:26: Account.add/2
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from stithy_ci.parsers.common import command, relative
from stithy_ci.spi import MOST_FAILURES, Failure, Line, LogParser

FILE = re.compile(r"^== Compilation error in file (\S{1,400}) ==$")
RAISED = re.compile(r"^\*\* \(([\w.]+)\) (?:(\S{1,400}?\.(?:exs?|l?eex|heex))(?::(\d{1,7}))?(?::\d+)?: )?(.*)$")
ERROR = re.compile(r"^ {0,4}error: (.+)$")
PLACE = re.compile(r"^ *└─ (\S{1,400}?):(\d{1,7})(?::\d{1,7})?(?::|$)")
OLD_PLACE = re.compile(r"^  (\S{1,400}?\.exs?):(\d{1,7})(?::\d{1,7})?: \S")


class Elixir(LogParser):
    """Reads what the compiler says."""

    tool: ClassVar[str] = "elixir"
    wakes: ClassVar[tuple[str, ...]] = ("== Compilation error in file ",)
    before: ClassVar[int] = 50

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._logged: list[Failure] = []
        self._error = ""
        self._file = ""

    def read(self, line: Line) -> bool:
        """Take a line: the file, and below it what was raised; above it what was logged."""
        text = line.text.rstrip()
        if found := FILE.match(text):
            self._file = found[1]
            return True
        if self._file and (raised := RAISED.match(text)):
            self._raise(raised, line.number)
        elif error := ERROR.match(text):
            self._error = error[1]
        elif self._error and (place := PLACE.match(text) or OLD_PLACE.match(text)):
            self._logged.append(_failure("CompileError", place[1], int(place[2]), self._error, line.number))
            self._error = ""
        return bool(self._file)

    def _raise(self, raised: re.Match[str], number: int) -> None:
        file, line = raised[2] or self._file, int(raised[3]) if raised[3] else None
        one = _failure(raised[1].rpartition(".")[2], file, line, raised[4], number)
        for failure in self._logged if line is None and self._logged else [one]:
            if len(self._found) < MOST_FAILURES:
                self._found.setdefault(failure.name, failure)
        self._file, self._logged = "", []

    def finish(self) -> Iterable[Failure]:
        """Give what could not be compiled."""
        return self._found.values()

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Give a command that compiles again; tests are compiled when they are run."""
        if all(one.file.startswith("test/") for one in failures):
            return command("mix", "test", *dict.fromkeys(one.file for one in failures))
        return command("mix", "compile")


def _failure(error: str, file: str, line: int | None, message: str, number: int) -> Failure:
    path = relative(file)
    where = f"{path}:{line}" if line else path
    return Failure(
        tool="elixir", kind="compile", name=f"{error} {where}", message=message, file=path, line=line, log_line=number
    )
