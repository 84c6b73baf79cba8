"""Swift's compiler: `/a/Sources/F.swift:3:5: error: cannot find 'x' in scope`. It was run nowhere by us."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.platforms.swift_names import add_place
from ci_failures.parsers.text_helpers import relative, strip_mark

FORM = re.compile(r"^(?:❌ |\[x\] )?\s*(\S.{0,400}?\.swift):(\d{1,7}):(\d{1,7}):(?: error:)? (.*)$")
ANNOTATED = re.compile(r"^::error file=(\S[^,]{0,400}\.swift),line=(\d{1,7}),col(?:umn)?=(\d{1,7})::(.*)$")
"""What xcbeautify prints in a job of GitHub."""
VIOLATION = re.compile(r" Violation: .*\(\w+\)$")
"""What SwiftLint reports in the compiler's form."""
PRETTY = ("❌ ", "[x] ")
"""The beginning of an error in the output of xcpretty and xcbeautify."""


class SwiftCompiler(Parser):
    """Parser of the compiler's errors, each once: a build prints them for each target, and again at its end."""

    tool: ClassVar[str] = "swiftc"
    wakes: ClassVar[tuple[str, ...]] = (".swift:", ".swift,line=")

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}

    def read(self, line: Line) -> bool:
        """Read a line with an error."""
        text = strip_mark(line.text.rstrip())
        is_error = ": error: " in text or text.startswith(PRETTY)
        found = FORM.match(text) if is_error else ANNOTATED.match(text)
        if found and not VIOLATION.search(found[4]) and len(self._found) < MOST_FAILURES:
            name = f"error {relative(found[1])}:{found[2]}:{found[3]}"
            one = Failure(tool=self.tool, kind="compile", name=name, message=found[4], log_line=line.number)
            self._found.setdefault(name, add_place(one, found[1], found[2]))
        return False

    def finish(self) -> Iterable[Failure]:
        """Return the errors."""
        return self._found.values()

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:  # noqa: ARG003 -- all are compiled again
        """Return a command that compiles again."""
        return "swift build --build-tests"
