r"""Zig: its compiler, and tests under `zig test` and `zig build test`.

2/7 till.test.subtracts...expected 3, found 4     error: 'till.test.subtracts' failed:
FAIL (TestExpectedEqual)                                 expected 3, found 4
src/till.zig:5:20: 0x1253222 in test.subtracts           src/till.zig:5:20: 0x1253382 in test.subtracts
3 passed; 1 skipped; 3 failed.                    Build Summary: 3/5 steps succeeded (1 failed); 7/11 tests …

src/till.zig:4:18: error: use of undeclared identifier 'z'
"""

import re
from collections.abc import Iterable
from itertools import takewhile
from typing import ClassVar

from attrs import evolve

from ci_failures.model import Failure, Line
from ci_failures.parsers.javascript.failed import CountedParser, Failed
from ci_failures.parsers.native.program_context import strip_prefix
from ci_failures.parsers.text_helpers import MOST_LINES, join_message, parse_count, relative

BEGUN = re.compile(r"(?:Test \[)?(\d{1,7})/(\d{1,7})\]? (\S.{0,300}?)\.\.\. ?(.*)$")
"""The beginning of a test, with brackets before Zig 0.12."""
RESULT = re.compile(r"(?:FAIL \((\w{1,200})\)|(OK|SKIP))$")
LEAK = re.compile(r"\[\w{1,60}\] \(err\): .{0,200}\bleaked\b")
BUILT = re.compile(r"error: '(\S.{0,300}?)' (failed|leaked|timed out|crashed)\b[^:]{0,100}:?(?: (.*))?$")
ENDS = ("error: ", "failed command: ", "Build Summary: ")
FRAME = re.compile(r"(\S.{0,400}\.zig):(\d{1,7}):\d{1,7}: 0x[0-9a-f]+ in ")
LIBRARY = re.compile(r"[\\/]lib[\\/](?:.{1,300}[\\/])?(?:std|compiler)[\\/]")
ERROR = re.compile(r"(\S.{0,400}\.zig):(\d{1,7}):(\d{1,7}): error: (.*)$")
TOTAL = re.compile(
    r"\d{1,9} passed; \d{1,9} skipped; (\d{1,9}) failed\.$|Build Summary: .{0,200}tests passed(.{0,200})"
)
FAILED = re.compile(r"\b(\d{1,9}) (?:failed|crashed|timed out)\b")


class Zig(CountedParser):
    """Parser of the compiler's errors and of tests; a test that leaks memory fails."""

    tool: ClassVar[str] = "zig"
    wakes: ClassVar[tuple[str, ...]] = (
        *("\nTest [", ".test.", ".test_", ".decltest.", "\nFAIL (", "\nOK\n", "\nSKIP\n", "] (err): "),
        *(" passed; ", "error: '", "Build Summary: ", ".zig:"),
    )
    first_line: ClassVar[str] = (
        r".{0,120}(?:Test \[\d+/\d+\] |\d/\d+ \S+\.(?:decl)?test[._]|error: '\S+\.(?:decl)?test[._]"
        r"|\.zig:\d+:\d+: error: )"
    )

    def __init__(self) -> None:
        super().__init__()
        self._errors = Failed()
        self._last = 0, 0
        self._current = ""
        self._open: Failure | None = None
        self._said: list[str] = []
        self._leaks = 0

    def read(self, line: Line) -> bool:
        """Read the beginning of a test, its result, a line of its message, an error of the compiler or a total."""
        text = strip_prefix(line.text).rstrip()
        if (begun := BEGUN.match(text)) and self._is_next(int(begun[1]), int(begun[2])):
            self._end()
            self._last, self._current = (int(begun[1]), int(begun[2])), begun[3]
            self._read_result(begun[4], line.number)
        elif total := TOTAL.match(text):
            self._end_run(total)
        elif built := BUILT.match(text):
            self._end()
            self._begin(built[1], "" if built[2] == "failed" else built[2], line.number)
            self._leaks += built[2] == "leaked"
            self._said = [built[3] or ""]
        elif error := ERROR.match(text):
            self._end()
            self._add_error(error, line.number)
        elif self._open and text.startswith(ENDS):
            self._end()
        else:
            self._read_output(text, line.number)
        return bool(self._current or self._open)

    def _is_next(self, number: int, count: int) -> bool:
        """Check whether a test follows the last one: a test may print what looks like the result of another."""
        last, of = self._last
        return number == 1 or (number == last + 1 and count == of) or not last

    def _read_output(self, text: str, number: int) -> None:
        """Read a line that a test prints, or its result."""
        if self._current and RESULT.match(text):
            self._read_result(text, number)
        elif self._current and LEAK.match(text) and not self._open:
            self._begin(self._current, "leaked", number)
            self._leaks += 1
        elif len(self._said) < MOST_LINES:
            self._said.append(text)

    def _read_result(self, text: str, number: int) -> None:
        """Read what stands behind the name of a test, which is its result unless it prints something first."""
        result = RESULT.match(text)
        if not result:
            self._said.append(text)
        elif result[1] and not self._open:
            self._begin(self._current, result[1], number)
        elif result[2]:
            self._open = None  # what looked like a result before was printed by the test
            self._said.clear()

    def _begin(self, name: str, message: str, number: int) -> None:
        self._open = Failure(tool=self.tool, name=name, message=message, log_line=number)

    def _end(self) -> None:
        """Record the open test, with the first place of the project that its trace has."""
        if one := self._open:
            frames = [FRAME.match(text.strip()) for text in self._said]
            own = next((found for found in frames if found and not LIBRARY.search(found[1])), None)
            said = [text for text, _ in takewhile(lambda pair: not pair[1], zip(self._said, frames, strict=True))]
            self._failed.add(
                evolve(
                    one,
                    message=join_message([one.message, *said] if one.message else said),
                    file=relative(own[1]) if own else "",
                    line=int(own[2]) if own else None,
                )
            )
        self._open, self._said = None, []

    def _end_run(self, total: re.Match[str]) -> None:
        """Read the total of a run, which counts leaks apart."""
        self._end()
        failed = total[1] or "".join(found[1] for found in FAILED.finditer(total[2] or ""))
        self._counted = (self._counted or 0) + parse_count(failed or "0") + self._leaks
        self._last, self._current, self._leaks = (0, 0), "", 0

    def _add_error(self, found: re.Match[str], number: int) -> None:
        file, line, column, message = found.groups()
        name = f"error {relative(file)}:{line}:{column}"
        self._errors.add(
            Failure(
                tool=self.tool,
                kind="compile",
                name=name,
                message=message,
                file=relative(file),
                line=int(line),
                log_line=number,
            )
        )

    def finish(self) -> Iterable[Failure]:
        """Return errors of the compiler, and tests that failed."""
        both = [*self._errors.with_confidence(len(self._errors)), *super().finish()]
        return sorted(both, key=lambda one: one.log_line)

    def total(self) -> int | None:
        """Return the total of tests, and the errors of the compiler."""
        counted = super().total()
        return counted if counted is None else counted + len(self._errors)
