"""Android's lint, as Gradle's plugin prints its errors; by default only the first of them.

    > Task :app:lintDebug FAILED
    Lint found 2 errors, 17 warnings. First failure:

    /home/runner/work/app/app/app/src/main/AndroidManifest.xml:8: Error: Permission exists without … [RuleId]

Gradle repeats it below what went wrong, and in the trace; older plugins print further ones below `Errors found:`.
"""

import re
from collections.abc import Sequence
from typing import ClassVar

from ci_failures.model import Failure, Line
from ci_failures.parsers.scripting.linting import Linter

FOUND = re.compile(
    r"(?:##\[error\])?\s{0,8}(?P<file>(?:/|[A-Za-z]:[\\/]|[\w.])[^:]{1,400}?)(?::(?P<line>\d{1,7}))?: (?:Error|Fatal): "
    r"(?P<text>\S.*) \[(?P<rule>[A-Z][A-Za-z\d]{2,80})(?: from [^\]]{1,120})?\]$"
)
TOTAL = re.compile(r"[\s>]{0,8}Lint found (\d{1,7}) errors?\b")


class AndroidLint(Linter):
    """Parser of errors; its total counts also those that are only in the report."""

    tool: ClassVar[str] = "android-lint"
    wakes: ClassVar[tuple[str, ...]] = (": Error: ", ": Fatal: ", "Lint found ")
    first_line: ClassVar[str] = (
        r"(?:##\[error\])?\s{0,8}(?:[A-Za-z]:)?[^:]{1,410}(?::\d{1,7})?: (?:Error|Fatal): \S|[\s>]*Lint found \d"
    )

    def __init__(self) -> None:
        super().__init__()
        self._pending = 0
        """A total below which no error was read yet."""

    def read(self, line: Line) -> bool:
        """Read an error, or a total; one whose first error is known was read before."""
        text = line.text.rstrip()
        if total := TOTAL.match(text):
            self._pending = int(total[1])
        elif found := FOUND.match(text):
            known = len(self.found)
            self.find(found["rule"], found["file"], int(found["line"] or 0), found["text"], line.number)
            if self._pending and len(self.found) > known:
                self.add_total(self._pending)
            self._pending = 0
        return False

    def total(self) -> int | None:
        """Return how many errors the tool counts."""
        return self.reported or self._pending or None

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return Gradle's command, which checks whole modules."""
        return "./gradlew lint" if failures else ""
