"""Elixir's compiler: the file that does not compile, and since 1.15 before it each error with its place.

== Compilation error in file lib/account.ex ==
** (CompileError) lib/account.ex:2: undefined function missing/0 (expected Account to define such a function …)

error: undefined variable "missing"
    │
  2 │   def add(a, b), do: a + missing
    │                          ^^^^^^^
    │
    └─ lib/account.ex:2:26: Account.add/2

With `--warnings-as-errors` each warning is one.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.text_helpers import command, relative

FILE = re.compile(r"^== Compilation error in file (\S{1,400}) ==$")
RAISED = re.compile(r"^\*\* \(([\w.]+)\) (?:(\S{1,400}?\.(?:exs?|l?eex|heex))(?::(\d{1,7}))?(?::\d+)?: )?(.*)$")
FOUND_ON = re.compile(r" on (\S{1,400}?\.(?:exs?|l?eex|heex)):(\d{1,7})(?::\d{1,7})?:$")
"""The end of a syntax error in newer versions, with more below."""
ERROR = re.compile(r"^ {0,4}error: (.+)$")
WARNING = re.compile(r"^ {0,4}warning: (.+)$")
FATAL = "due to warnings while using the --warnings-as-errors option"
PATIENCE = 12
"""Lines below a warning that may contain its place."""
PLACE = re.compile(r"^ *└─ (\S{1,400}?):(\d{1,7})(?::\d{1,7})?(?::|$)")
OLD_PLACE = re.compile(r"^  (\S{1,400}?\.exs?):(\d{1,7})(?::\d{1,7})?: \S")


class Elixir(Parser):
    """Parser of the compiler's output."""

    tool: ClassVar[str] = "elixir"
    wakes: ClassVar[tuple[str, ...]] = ("== Compilation error in file ", "\nwarning: ", "\n    warning: ", FATAL)
    before: ClassVar[int] = 50

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._logged: list[Failure] = []
        self._warned: list[Failure] = []
        self._error = self._warning = ""
        self._waiting = 0
        self._file = ""

    def read(self, line: Line) -> bool:
        """Read a line: the file, below it the exception, and before it the logged errors."""
        text = line.text.rstrip()
        if found := FILE.match(text):
            self._file = found[1]
            return True
        if self._file and (raised := RAISED.match(text)):
            self._raise(raised, line.number)
        elif FATAL in text:
            for one in self._warned:
                self._found.setdefault(one.name, one)
            self._warned = []
        elif warning := WARNING.match(text):
            self._error, self._warning, self._waiting = "", warning[1], PATIENCE
        elif error := ERROR.match(text):
            self._error, self._warning = error[1], ""
        elif (self._error or self._warning) and (place := PLACE.match(text) or OLD_PLACE.match(text)):
            self._log(place, line.number)
        self._waiting = max(0, self._waiting - 1) if text.strip() else 0
        return bool(self._file or self._waiting)

    def _log(self, place: re.Match[str], number: int) -> None:
        """Record an error or a warning with its place."""
        kind, text, kept = (
            ("CompileError", self._error, self._logged) if self._error else ("Warning", self._warning, self._warned)
        )
        if len(kept) < MOST_FAILURES:
            kept.append(_failure(kind, place[1], int(place[2]), text, number))
        self._error, self._warning, self._waiting = "", "", 0

    def _raise(self, raised: re.Match[str], number: int) -> None:
        on = FOUND_ON.search(raised[4])
        file, said = (on[1], on[2]) if on else (raised[2] or self._file, raised[3])
        line = int(said) if said else None
        one = _failure(raised[1].rpartition(".")[2], file, line, raised[4], number)
        if not on and not raised[2]:  # the line may be cut
            one = evolve(one, confidence="medium")
        for failure in self._logged if line is None and self._logged else [one]:
            if len(self._found) < MOST_FAILURES:
                self._found.setdefault(failure.name, failure)
        self._file, self._logged = "", []

    def finish(self) -> Iterable[Failure]:
        """Return what could not be compiled."""
        return self._found.values()

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that compiles again; tests are compiled when they are run."""
        if all(one.file.startswith("test/") for one in failures):
            return command("mix", "test", *dict.fromkeys(one.file for one in failures))
        fatal = ("--force", "--warnings-as-errors") if all(one.name.startswith("Warning ") for one in failures) else ()
        return command("mix", "compile", *fatal)


def _failure(error: str, file: str, line: int | None, message: str, number: int) -> Failure:
    path = relative(file)
    where = f"{path}:{line}" if line else path
    return Failure(
        tool="elixir", kind="compile", name=f"{error} {where}", message=message, file=path, line=line, log_line=number
    )
