"""svelte-check 2 to 4, in all of its forms.

    /home/runner/work/app/app/src/lib/Cart.svelte:4:9
    Error: Type 'number' is not assignable to type 'string'. (ts)

    ====================================
    svelte-check found 1 error and 2 warnings in 1 file

With `--output machine` and `--output machine-verbose`, files are relative to the folder of the first line:

    1796135190199 START "/home/runner/work/app/app"
    1796135190204 ERROR "src/lib/Cart.svelte" 4:9 "Type 'number' is not assignable to type 'string'."
    1796135190204 {"type":"ERROR","filename":"src/lib/Cart.svelte","start":{"line":3,"character":8},"end":…}
    1796135190204 COMPLETED 107 FILES 1 ERRORS 2 WARNINGS 1 FILES_WITH_PROBLEMS
"""

import json
import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from ci_failures.model import Failure, Line
from ci_failures.parsers.scripting.linting import RepeatingLinter

TEXT = r'"(?:[^"\\]|\\.){0,4000}+"'
"""A text of JSON."""
STAMP = r"(?:\d{10,16} )?"
PLACE = re.compile(r"((?:/|[A-Za-z]:[\\/])[^:]{1,400}\.\w{1,10}):(\d{1,7}):(\d{1,7})$")
ERROR = re.compile(r"Error: (\S.*)$")
SOURCE = re.compile(r" (?:\([a-z]{2,10}\))?$")
"""The end of a message: what found the error in a file of Svelte, and a blank alone in other files."""
MOST_TEXT_LINES = 12
"""Lines of one message."""
TOTAL = re.compile(rf"svelte-check found (no|\d{{1,7}}) errors?\b|{STAMP}COMPLETED \d+ FILES (\d{{1,7}}) ERRORS\b")
START = re.compile(rf"{STAMP}START ({TEXT})$")
ROW = re.compile(rf"{STAMP}ERROR ({TEXT}) (\d{{1,7}}):(\d{{1,7}}) ({TEXT})")
OBJECT = re.compile(
    rf'{STAMP}\{{"type":"ERROR","filename":({TEXT}),"start":\{{"line":(\d{{1,7}}),"character":(\d{{1,7}})\}},'
    rf'"end":\{{[^}}]{{0,80}}\}},"message":({TEXT})'
)


class SvelteCheck(RepeatingLinter):
    """Parser of errors; warnings fail a run with `--fail-on-warnings` only, which nothing in the output shows."""

    tool: ClassVar[str] = "svelte-check"
    again: ClassVar[tuple[str, ...]] = ("npx", "svelte-check")
    wakes: ClassVar[tuple[str, ...]] = (
        *("\nError: ", "svelte-check", ' START "', ' ERROR "', '{"type":"ERROR","filename":', " FILES_WITH_PROBLEMS"),
    )  # fmt: skip
    first_line: ClassVar[str] = rf"Error: \S|.*svelte-check|{STAMP}(?:START|ERROR|\{{\"type\":\"ERROR\"|COMPLETED) ?"
    before: ClassVar[int] = 1

    def __init__(self) -> None:
        super().__init__()
        self._is_named = False
        """Whether the log shows that the tool runs: others print an error below a place, too."""
        self._workspace = ""
        self._place: re.Match[str] | None = None
        self._parts: list[str] = []
        self._number = 0

    def read(self, line: Line) -> bool:
        """Read a place, the message below it, a whole error or the total."""
        text = line.text
        if self._parts:
            self._read_more(text)
        elif self._place and (found := ERROR.match(text)):
            self._begin(found[1], line.number)
        elif found := TOTAL.match(text):
            self._is_named = True
            self.add_total(int((found[1] or found[2]).replace("no", "0")))
        elif found := PLACE.match(text):
            self._place = found
            return True
        else:
            self._read_machine(text, line.number)
        self._place = self._place if self._parts else None
        return bool(self._parts)

    def _begin(self, text: str, number: int) -> None:
        self._parts, self._number = [text], number
        if SOURCE.search(text):
            self._close()

    def _read_more(self, text: str) -> None:
        """Read a further line of a message, which is indented."""
        if text.startswith("  ") and len(self._parts) < MOST_TEXT_LINES:
            self._parts.append(text)
            if SOURCE.search(text):
                self._close()
        else:
            self._close()

    def _close(self) -> None:
        place, parts, self._place, self._parts = self._place, self._parts, None, []
        if place:
            self._add(place[1], int(place[2]), int(place[3]), SOURCE.sub("", "\n".join(parts)), self._number)

    def _read_machine(self, text: str, number: int) -> None:
        """Read a line for programs, whose form with objects counts lines and columns from 0."""
        if start := START.match(text):
            self._workspace, self._is_named = _decode(start[1]), True
        elif found := ROW.match(text) or OBJECT.match(text):
            first = int(found.re is OBJECT)
            path = f"{self._workspace}/{_decode(found[1])}" if self._workspace else _decode(found[1])
            self._add(path, int(found[2]) + first, int(found[3]) + first, _decode(found[4]), number)
        elif "svelte-check" in text:
            self._is_named = True

    def _add(self, path: str, line: int, column: int, text: str, number: int) -> None:
        self.printed += 1
        self.find(text.partition("\n")[0], path, line, text, number, column=column, kind="compile")

    def finish(self) -> Iterable[Failure]:
        """Return the errors, if the log shows that they are those of this tool."""
        self._close()
        return super().finish() if self._is_named else ()

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return the command that checks the whole workspace: it takes no files."""
        return " ".join(cls.again) if failures else ""


def _decode(text: str) -> str:
    try:
        return str(json.loads(text))
    except ValueError:
        return text[1:-1]
