"""Linters whose lines name neither a tool nor a rule: their own total shows whose they are, or an echoed command.

a.js:1:10: Missing semicolon.

1 error

cart/cart.go:7:1: exported function Total should have comment or be unexported
Found 1 lint suggestions; failing.

$ npx prettier --list-different .
src/cart.ts
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import Failure, Line
from ci_failures.parsers.linters.line_linters import AT
from ci_failures.parsers.scripting.linting import Linter

PRETTIER = re.compile(
    r"(?:\+{1,3}|[$>]) (?:(?:npx|bunx|yarn|pnpm|npm exec)(?: exec| run| dlx| --(?=\s)| -y| --yes| --no-install)* )?"
    r"(?:\S{0,200}/)?prettier (?!.*--write\b)(?:.* )?(?:-l|--list-different)(?: |$)"
)
"""An echoed command that lists files; without `--write`, which changes them."""
LISTED = re.compile(r"[^\s:\[\]()'\"]{1,400}\.[A-Za-z]\w{0,11}$")


class CountedAbove(Linter):
    """Parser of the lines above a total, which count only if there are as many as it says."""

    before: ClassVar[int] = 50
    form: ClassVar[re.Pattern[str]]
    """Its groups are `file`, `line`, `column` and `text`."""

    count: ClassVar[re.Pattern[str]]
    """The form of the total, whose first group is a number."""

    is_apart: ClassVar[bool] = False
    """Whether an empty line is above the total."""

    def __init__(self) -> None:
        super().__init__()
        self._above: Sequence[Line] = ()

    def wants_before(self, text: str) -> bool:
        """Return whether a line is a total."""
        return self.count.match(text) is not None

    def look_back(self, lines: Sequence[Line]) -> None:
        """Keep the lines above a total."""
        self._above = lines

    def read(self, line: Line) -> bool:
        """Read the findings above a total."""
        above, self._above = self._above, ()
        if not (count := self.count.match(line.text)) or (self.is_apart and (not above or above[-1].text.strip())):
            return False
        found: list[tuple[re.Match[str], int]] = []
        for one in reversed(above[:-1] if self.is_apart else above):
            if len(found) == int(count[1]) or not (finding := self.form.match(one.text)):
                break
            found.append((finding, one.number))
        if len(found) == int(count[1]):
            for finding, number in reversed(found):
                text = finding["text"]
                self.find(text, finding["file"], int(finding["line"]), text, number, column=int(finding["column"]))
            self.add_total(len(found))
        else:
            self.miss(int(count[1]))
        return False

    def miss(self, count: int) -> None:
        """Note a total of which not as many findings are above it; by default it may be another tool's."""


class JshintUnix(CountedAbove):
    """Parser of JSHint's unix form: nothing but the total below shows whose lines they are."""

    tool: ClassVar[str] = "jshint"
    again: ClassVar[tuple[str, ...]] = ("npx", "jshint")
    wakes: ClassVar[tuple[str, ...]] = (" errors\n", " error\n")
    first_line: ClassVar[str] = r"\d{1,4} errors?$"
    form: ClassVar[re.Pattern[str]] = re.compile(
        r"(?P<file>[^\s:][^:]{0,400}\.(?:[cm]?js|jsx|html?))" + AT + r": (?P<text>\S.*)$"
    )
    count: ClassVar[re.Pattern[str]] = re.compile(r"(\d{1,4}) errors?$")
    is_apart: ClassVar[bool] = True


class Golint(CountedAbove):
    """Parser of golint with `-set_exit_status`: without that its suggestions fail nothing, and no total is printed."""

    tool: ClassVar[str] = "golint"
    again: ClassVar[tuple[str, ...]] = ("golint", "-set_exit_status")
    wakes: ClassVar[tuple[str, ...]] = (" lint suggestions; failing.\n",)
    form: ClassVar[re.Pattern[str]] = re.compile(r"(?P<file>[^\s:][^:]{0,400}\.go)" + AT + r": (?P<text>\S.*)$")
    count: ClassVar[re.Pattern[str]] = re.compile(r"Found (\d{1,7}) lint suggestions; failing\.$")
    counts_printed: ClassVar[bool] = True

    def miss(self, count: int) -> None:
        """Count suggestions that are not in the log."""
        self.add_total(count)


class PrettierList(Linter):
    """Parser of the bare names of files behind a command that lists what Prettier would change."""

    tool: ClassVar[str] = "prettier"
    again: ClassVar[tuple[str, ...]] = ("npx", "prettier", "--check")
    wakes: ClassVar[tuple[str, ...]] = ("prettier ",)
    first_line: ClassVar[str] = r"(?:\+{1,3}|[$>]) .*prettier .*-l"

    def __init__(self) -> None:
        super().__init__()
        self._names = False

    def read(self, line: Line) -> bool:
        """Read the command, or a name; the first other line ends the names."""
        text = line.text.rstrip()
        if PRETTIER.match(text):
            self._names = True
        elif self._names and LISTED.match(text):
            self.find("style", text, 0, "the style differs from Prettier's", line.number)
        elif text:
            self._names = False
        return self._names

    def finish(self) -> Iterable[Failure]:
        """Return the files, which no total confirms."""
        return [evolve(one, confidence="medium") for one in super().finish()]
