r"""GCC's Fortran: the place, the source with numbered carets, and the error below them.

    src/sums.f90:3:6:

        3 |   x = "a"
          |      1
    Error: Cannot convert CHARACTER(1) to INTEGER(4) at (1)

An error about two places has both sources, with `......` between them if they are apart, and the first place above.
"""

import re
from collections.abc import Iterable
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, MOST_TEXT, Failure, Line, Parser
from ci_failures.parsers.native.program_context import source, strip_prefix

ENDINGS = tuple(
    f".{one}" for ending in ("f", "for", "ftn", "fpp", "f90", "f95", "f03", "f08") for one in (ending, ending.upper())
)
"""Endings of sources; those in upper case are preprocessed."""
PLACE = re.compile(r"((?:[A-Za-z]:[\\/])?[^\s:][^:]{0,400}\.\w{1,3}):(\d{1,7})[:.](\d{1,7}):$")
ERROR = re.compile(r"(?:Fatal |Internal )?Error: (.*?)(?: \[(-W[\w=-]+)\])?$")
MOST_BETWEEN = 24
"""Lines between a place and its error at most: two sources with carets, and what separates them."""


class Fortran(Parser):
    """Parser of the errors; each has its place above it."""

    tool: ClassVar[str] = "gfortran"
    wakes: ClassVar[tuple[str, ...]] = tuple(f"{ending}:" for ending in ENDINGS)

    def __init__(self) -> None:
        self._failures: dict[str, Failure] = {}
        self._place: tuple[str, int, str] | None = None
        self._wait = 0

    def read(self, line: Line) -> bool:
        """Read a place, or the error below it."""
        text = strip_prefix(line.text).rstrip()
        self._wait -= 1
        if text.endswith(":") and (found := PLACE.match(text)) and found[1].endswith(ENDINGS):
            self._place, self._wait = (source(found[1]), int(found[2]), found[3]), MOST_BETWEEN
        elif self._place and (found := ERROR.match(text)):
            self._keep(found, self._place, line.number)
            self._place = None
        elif text.startswith("Warning: ") or self._wait <= 0:
            self._place = None
        return self._place is not None

    def _keep(self, found: re.Match[str], place: tuple[str, int, str], number: int) -> None:
        """Record an error; a warning that is one is named by its option."""
        file, line, column = place
        rule = found[2].replace("-Werror=", "-W") if found[2] else "error"
        name = f"{rule} {file}:{line}:{column}"
        if name not in self._failures and len(self._failures) < MOST_FAILURES:
            self._failures[name] = Failure(
                tool=self.tool,
                kind="compile",
                name=name,
                message=found[1][:MOST_TEXT],
                file=file,
                line=line,
                confidence="medium",
                log_line=number,
            )

    def finish(self) -> Iterable[Failure]:
        """Return each error once."""
        return self._failures.values()
