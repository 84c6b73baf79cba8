"""What parsers of compilers for the JVM share: errors with a place, their repetitions, and the lines below them."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from attrs import define, evolve, field

from ci_failures.model import MOST_FAILURES, Failure, Parser
from ci_failures.parsers.text_helpers import each_once, join_message, relative

TEMPORARY = re.compile(r"[\\/]junit-?\d{6,}[\\/]")
BELOW = 14
"""Lines below an error that may belong to it, or count it."""


class Place(NamedTuple):
    """The place of an error.

    Args:
        path: The source, as it is printed.
        line: The line in it; 0 for an error of the whole file.
        column: The column; 0 where only the caret below shows it.
        indent: Spaces before the error, and so before the source below it: Gradle indents what it repeats.
    """

    path: str
    line: int
    column: int
    indent: int = 0


@define
class Error:
    """An error whose lines are being read."""

    place: Place
    number: int
    rerun: str
    said: list[str] = field(factory=list)
    source: str = ""
    mark: int = 0

    @property
    def identity(self) -> tuple[object, ...]:
        """What stays the same if the error is repeated with another indentation; empty without a mark below its source.

        The mark is counted from the first sign of the source, the last line before it.
        """
        found = self.source.strip()
        begins = len(self.source) - len(self.source.lstrip())
        return (self.place.path, self.place.line, *self.said, found, self.mark - begins) if found else ()


class Errors:
    """The errors of one log.

    Args:
        tool: The compiler.
        after: Prefixes of lines that belong to an error, behind the source and the caret.
    """

    def __init__(self, tool: str, after: tuple[str, ...] = ()) -> None:
        self._tool = tool
        self._after = after
        self._found: dict[str, Failure] = {}
        self._seen: set[tuple[object, ...]] = set()
        self._error: Error | None = None
        self._below = 0
        self._fresh: list[str] = []
        self.counted: int | None = None

    def begin(self, place: Place, message: str, number: int, rerun: str = "") -> bool:
        """Begin an error; one in a folder that a JUnit test created belongs to what that test compiles."""
        self._close()
        if TEMPORARY.search(place.path):
            return False
        self._error = Error(place._replace(path=relative(place.path)), number, rerun, [message])
        self._below = 0
        return True

    def nowhere(self, message: str, number: int, rerun: str = "") -> bool:
        """Record an error without a source."""
        self._close()
        name = f"error: {message.strip()}"
        self._keep(Failure(tool=self._tool, kind="compile", name=name, message=name, selector=rerun, log_line=number))
        return True

    def take(self, text: str) -> bool:
        """Read a line below an error, and return whether more may follow."""
        self._below += 1
        bare = text.strip()
        if self._error is None:
            return self._below <= BELOW
        if bare == "^" or (bare.startswith("^") and not bare.strip("^~")):
            self._error.mark = text.index("^")
            if not self._error.place.column:
                column = len(text[self._error.place.indent : self._error.mark].expandtabs(8)) + 1
                self._error.place = self._error.place._replace(column=column)
        elif bare.startswith(self._after or "\0"):
            self._error.said.append(bare)
        elif not self._error.mark:
            self._error.source = text
        if self._below > BELOW:
            self._close()
        return self._below <= BELOW

    def end(self) -> None:
        """End the open error: what follows belongs to something else."""
        self._close()

    def count(self, number: int) -> None:
        """Read the compiler's total; a repeated list is not counted again."""
        self._close()
        if self._fresh:
            self.counted = (self.counted or 0) + number
        self._fresh.clear()

    def warn(self) -> None:
        """Forget what was read since the last total of errors: a tool that counts only warnings means no more by it."""
        self._close()
        for name in self._fresh:
            del self._found[name]
        self._fresh.clear()

    def rerun(self, command: str) -> None:
        """Set the command for the errors that have none yet."""
        self._close()
        for name, one in self._found.items():
            if not one.selector:
                self._found[name] = evolve(one, selector=command)

    def failures(self) -> Iterable[Failure]:
        """Return all errors."""
        self._close()
        return self._found.values()

    def _close(self) -> None:
        error, self._error = self._error, None
        if error is None or error.identity in self._seen:
            return
        if error.mark and error.identity and len(self._seen) < MOST_FAILURES:
            self._seen.add(error.identity)
        path, line, column, _ = error.place
        name = f"{path}:{line}:{column}" if column else f"{path}:{line}" if line else path
        self._keep(Failure(
            tool=self._tool, kind="compile", name=name, message=join_message(error.said), file=path, line=line or None,
            selector=error.rerun, log_line=error.number,
        ))  # fmt: skip

    def _keep(self, failure: Failure) -> None:
        if failure.name not in self._found and len(self._found) < MOST_FAILURES:
            self._found[failure.name] = failure
            self._fresh.append(failure.name)


class Compiler(Parser):
    """Base of parsers of compilers; `Failure.selector` is a command that compiles the source again."""

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that compiles them again, if the log shows which tool called the compiler."""
        return " && ".join(each_once(one.selector for one in failures))
