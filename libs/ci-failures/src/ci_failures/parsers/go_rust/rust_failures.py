"""Failures around rustc: build scripts, linkers, and what `cargo fmt --check` would change."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.go_rust.panics import parse_panic
from ci_failures.parsers.text_helpers import command, join_message, relative, strip_mark

DIFF = re.compile(r"^Diff in (\S.*?)(?: at line |:)(\d+):$")
CHANGED = ("+", "-", " ")
LINKER = re.compile(
    r"\b(?:ld|lld|mold|link)\b.*(?:: error: |: cannot find )|undefined reference to |undefined symbol: |LNK\d+"
)
MOST_LINES = 40
LAST_WORDS = 3
"""Lines of the standard output of a build script that are told, if it prints no error."""

INTERNAL_PLACE = re.compile(r" +--> (\S.{0,400}?):(\d{1,7}):\d{1,7}:\d{1,7}$")


def after_banner(failure: Failure, lines: Sequence[str]) -> Failure:
    """Add the text below its banner to a failure of a build script or a linker."""
    said = [line.removeprefix("  ") for line in lines]
    if any(line.startswith("--- stderr") for line in said):
        errors = said[next(at for at, line in enumerate(said) if line.startswith("--- stderr")) + 1 :]
        message, file, line = parse_panic(errors, "main")
        return evolve(failure, message=f"{failure.message}\n{message}".strip(), file=file, line=line)
    linked = [line.strip().removeprefix("= note: ") for line in said if LINKER.search(line)]
    printed = [
        line for line in said if line.strip() and not line.startswith(("cargo:", "Caused by", "---", "process "))
    ]
    if not linked and any(line.startswith("--- stdout") for line in said):  # a build script may tell it there
        linked = printed[-LAST_WORDS:]
    return evolve(failure, message=join_message([failure.message, *linked[:MOST_LINES]]))


class Rustfmt(Parser):
    """Parser of `cargo fmt --check`: a file with differences is one failure, at its first one; lines beyond its rules.

    error[internal]: line formatted, but exceeded maximum width (maximum: 80 (see `max_width` option), found: 87)
      --> src/tree.rs:89:89:81
    """

    tool: ClassVar[str] = "rustfmt"
    wakes: ClassVar[tuple[str, ...]] = ("Diff in ", "error[internal]: ")

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._lines: dict[str, list[str]] = {}
        self._open = self._internal = ""
        self._unformatted: dict[str, Failure] = {}

    def read(self, line: Line) -> bool:
        """Read a line; awake within a difference, and below an error."""
        text = strip_mark(line.text)
        if self._internal and (place := INTERNAL_PLACE.match(text)):
            self._add_unformatted(relative(place[1]), int(place[2]), line.number)
        self._internal = text if text.startswith("error[internal]: ") else ""
        if found := DIFF.match(text):
            self._open = relative(found[1].removeprefix("\\\\?\\"))
            if self._open not in self._found and len(self._found) < MOST_FAILURES:
                at = int(found[2])
                name = f"rustfmt {self._open}"
                self._found[self._open] = Failure(
                    tool=self.tool, kind="lint", name=name, file=self._open, line=at, log_line=line.number
                )
        elif self._open and text.startswith(CHANGED):
            lines = self._lines.setdefault(self._open, [])
            if len(lines) < MOST_LINES:
                lines.append(text)
        else:
            self._open = ""
        return bool(self._open or self._internal)

    def _add_unformatted(self, file: str, at: int, number: int) -> None:
        """Record a line that cannot be formatted."""
        name = f"rustfmt {file}:{at}"
        message = self._internal.removeprefix("error[internal]: ")
        if len(self._unformatted) < MOST_FAILURES:
            self._unformatted.setdefault(
                name,
                Failure(tool=self.tool, kind="lint", name=name, message=message, file=file, line=at, log_line=number),
            )

    def finish(self) -> Iterable[Failure]:
        """Return each file that would change and each error; `Diff in` without a difference may be any output."""
        return [
            *self._unformatted.values(),
            *(
                evolve(one, message=join_message(self._lines[file]), suggested_fix="cargo fmt --all")
                for file, one in self._found.items()
                if any(line[:1] in {"+", "-"} for line in self._lines.get(file, ()))
            ),
        ]

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that checks every file: only cargo knows the edition of each."""
        return command("cargo", "fmt", "--all", "--", "--check") if failures else ""
