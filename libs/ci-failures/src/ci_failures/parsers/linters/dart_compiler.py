"""Dart's compiler, as `flutter build`, `flutter test`, `dart run` and `dart compile` print it; it follows their logs.

lib/cart.dart:18:1: Error: Expected a declaration, but got '}'.
lib/cart.dart:18:1:
Error: Expected a declaration, but got '}'.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Line
from ci_failures.parsers.scripting.linting import Linter

WHOLE = re.compile(r"(\S[^:]{0,400}\.dart):(\d{1,7}):(\d{1,7}): Error: (\S.*)$")
PLACE = re.compile(r"(\S[^:]{0,400}\.dart):(\d{1,7}):(\d{1,7}):$")
NEAR = 12
ERROR = re.compile(r"Error: (\S.*)$")


class DartCompiler(Linter):
    """Parser of errors on one line or on two."""

    tool: ClassVar[str] = "dart-compiler"
    wakes: ClassVar[tuple[str, ...]] = tuple(f".dart:{digit}" for digit in "123456789")

    def __init__(self) -> None:
        super().__init__()
        self._place: re.Match[str] | None = None
        self._number = 0
        self._numbers: set[int] = set()

    def read(self, line: Line) -> bool:
        """Read an error, or a place whose error is on the next line."""
        text = line.text.rstrip()
        place, self._place = self._place, None
        if found := WHOLE.match(text):
            self._keep(found, found[4], line.number)
        elif place and (error := ERROR.match(text)):
            self._keep(place, error[1], self._number)
        elif found := PLACE.match(text):
            self._place, self._number = found, line.number
        return self._place is not None

    def _keep(self, found: re.Match[str], text: str, number: int) -> None:
        if len(self._numbers) < MOST_FAILURES:
            self._numbers.add(number)
        self.find("error", found[1], int(found[2]), text, number, column=int(found[3]), kind="compile")

    def covers(self) -> Mapping[str, tuple[int, int]]:
        """Return the lines around each error that is alone there: a test that cannot be loaded tells it itself."""
        numbers = sorted(self._numbers)
        alone = {
            at
            for before, at, after in zip([-NEAR, *numbers], numbers, [*numbers[1:], math.inf], strict=False)
            if at - before > NEAR and after - at > NEAR
        }
        return {
            one.name: (one.log_line - NEAR, one.log_line + NEAR) for one in self.found.values() if one.log_line in alone
        }

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:  # noqa: ARG003 -- the log does not tell what was built
        """Return no command."""
        return ""
