"""tsc 4 to 7, and compilers with the same output (vue-tsc, Angular's compiler).

    src/t.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.
    src/t.ts:1:7 - error TS2322: Type 'string' is not assignable to type 'number'.

A problem matcher of GitHub's adds a mark before the line. Webpack and Angular's newer builds print two lines:

    ERROR in src/t.ts:1:7
    TS2322: Type 'string' is not assignable to type 'number'.

    ✘ [ERROR] TS2322: Type 'string' is not assignable to type 'number'. [plugin angular-compiler]
        src/t.ts:1:7:

So does Next.js, without a code:

    ./src/t.ts:1:7
    Type error: Type 'string' is not assignable to type 'number'.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import Failure, Line, Parser
from ci_failures.parsers.javascript.failed import Failed
from ci_failures.parsers.javascript.packages import packages
from ci_failures.parsers.text_helpers import join_message, relative

MARK = re.compile(r"^(?:##\[error\]|Error: )?(?=\S)")
PLACED = re.compile(
    r"([^\s(:][^(:]{0,400}(?::[\\/][^(:]{1,400})?)(?:\((\d+),(\d+)\): |:(\d+):(\d+) - )error (TS\d{3,6}): (.*)$"
)
UNPLACED = re.compile(r"error (TS\d{3,6}): (.*)$")
WEBPACK = re.compile(r"^(?:\[tsl\] )?ERROR in (\S[^(:]{0,400})(?:\((\d+),(\d+)\)|:(\d+):(\d+))$")
NEXT = re.compile(r"^\./(\S[^:]{0,400}\.[cm]?[jt]sx?):(\d+):(\d+)$")
UNCODED = re.compile(r"^(Type error): (.*)$")
CODE = re.compile(r"^\s{0,8}(TS\d{3,6}): (.*)$")
ANGULAR = re.compile(r"^(?:✘|X) \[ERROR\] (TS\d{3,6}): (.*?)(?: \[plugin [^\]]*\])?$")
BELOW = re.compile(r"^ {4}(\S[^:]{0,400}):(\d+):(\d+):$")
FIRST = {WEBPACK: CODE, NEXT: UNCODED}
"""First lines that name the place, and what kind of line follows."""
NEAR = 4
FOUND = re.compile(r"^Found (\d+) errors?(?:( in )(?!.*\((?:checked|errors) )|\.)")
"""tsc's total, which mypy prints with the number of checked files; without a file, ruff and Biome print the same."""


class Tsc(Parser):
    """Parser of tsc's errors."""

    tool: ClassVar[str] = "tsc"
    wakes: ClassVar[tuple[str, ...]] = ("error TS", "Found ", "ERROR in ", "[ERROR] TS", "Type error: ")
    first_line: ClassVar[str] = r".*error TS\d|.*ERROR in \S|.*\[ERROR\] TS|Type error: "
    before: ClassVar[int] = 1

    def __init__(self) -> None:
        self._failed = Failed()
        self._open: Failure | None = None
        self._counted: int | None = None
        self._pretty = False
        """Whether a pretty error was read since the last total."""
        self._since = self._plain = 0
        """How many errors were read since the last total, and how many plain ones at all, which tsc does not count."""
        self._half: re.Match[str] | None = None
        self._half_at = 0

    def read(self, line: Line) -> bool:
        """Read a line; those below an error are wanted as long as they are indented as its message."""
        text = line.text
        if "error TS" in text and (failure := _failure(text, line.number)):
            self._end()
            self._open = failure
            self._pretty |= " - error TS" in text
            self._plain += "): error TS" in text
            self._since += "): error TS" not in text
        elif self._read_two_lines(text, line.number):
            self._end()
        elif self._open and text.startswith("  ") and not text.lstrip().startswith(("at ", "~")):
            self._open = evolve(self._open, message=f"{self._open.message}\n{text}")
        else:
            self._end()
            self._count(text)
        return self._open is not None or self._half is not None

    def _read_two_lines(self, text: str, number: int) -> bool:
        """Read the two lines of compilers that print the place and the error separately."""
        if half := WEBPACK.match(text) or ANGULAR.match(text) or NEXT.match(text):
            self._half, self._half_at = half, number
            return True
        if not self._half:
            return False
        first = FIRST.get(self._half.re)
        if whole := (first or BELOW).match(text):
            place, code = (self._half, whole) if first else (whole, self._half)
            told = [group for group in place.groups() if group]
            rule = code[1].lower().replace(" ", "-") if code.re is UNCODED else code[1]
            self._failed.add(_error_at((told[0], told[1], told[2]), rule, code[2], self._half_at))
            self._since += 1
        elif number - self._half_at < NEAR:
            return False
        self._half = None
        return bool(whole)

    def _count(self, text: str) -> None:
        """Read a total, if it ends tsc's output: not a repeated one, nor that of a linter that ran after tsc."""
        if not (self._since and (found := FOUND.match(text))):
            return
        if found[2] or self._pretty or int(found[1]) == self._since:
            self._counted = (self._counted or 0) + int(found[1])
            self._since, self._pretty = 0, False

    def _end(self) -> None:
        if self._open:
            first, _, rest = self._open.message.partition("\n")
            self._failed.add(evolve(self._open, message=join_message([first, *rest.split("\n")]) if rest else first))
            self._open = None

    def finish(self) -> Iterable[Failure]:
        """Return the errors."""
        self._end()
        counted = self._count_all()
        return self._failed.with_confidence(len(self._failed) if counted is None else counted)

    def total(self) -> int | None:
        """Return the total at the end of a pretty run."""
        return self._failed.adjust_total(self._count_all())

    def _count_all(self) -> int | None:
        """Return the totals of pretty runs and the number of plain errors; None without a total."""
        return None if self._counted is None else self._counted + self._plain

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that finds these: tsc takes its files from the project, and checks all of them."""
        return "npx tsc --noEmit" if failures else ""


def _failure(text: str, number: int) -> Failure | None:
    mark = MARK.match(text)
    start = mark.end() if mark else 0
    if found := PLACED.match(text, start):
        place = found[1], found[2] or found[4], found[3] or found[5]
        return _error_at(place, found[6], found[7], number)
    if found := UNPLACED.match(text, start):
        return Failure(tool="tsc", kind="compile", name=found[1], message=found[2], log_line=number)
    return None


def _error_at(place: tuple[str, str, str], code: str, message: str, number: int) -> Failure:
    file, line, column = relative(place[0]), int(place[1]), place[2]
    name = f"{code} {file}:{line}:{column}"
    return Failure(tool="tsc", kind="compile", name=name, message=message, file=file, line=line, log_line=number)


TscInPackages = packages(Tsc)
