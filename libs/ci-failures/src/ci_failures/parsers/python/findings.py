"""Findings such as `m.py:1:8: F401 …`, which ruff and flake8 print alike, and which of the two printed them."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ci_failures.model import MOST_FAILURES, MOST_TEXT, Failure, Line
from ci_failures.parsers.text_helpers import command, each_once, relative

FINDING = re.compile(
    r"(?:##\[error\]|::error title=[Rr]uff[^:]*(?:::[^:]*)?::)?"
    r"([^\s:#\"'|=](?:[^:\"'|=]|:(?=\\))*\.(?:py|pyi|ipynb)):(?:cell \d+:)?(\d+):(\d+): "
    r"([A-Z]{1,4}\d{1,4}|invalid-syntax:|SyntaxError:)(?!:) (.*)$"
)
PYLINT = re.compile(
    r"([^\s:#\"'|=](?:[^:\"'|=]|:(?=\\))*\.(?:py|pyi|ipynb)):(\d+): \[([A-Z]{1,4}\d{1,4}|invalid-syntax)\] (.*)$"
)
"""The form of --output-format=pylint, of ruff and of flake8, without a column."""
PLACED = re.compile(r"\.(?:pyi?|ipynb):(?:cell \d+:)?\d+:(?:\d+: | \[)")
"""What both forms contain; it is found in a tenth of the time that these need to fail."""
PLACES = tuple(f"{suffix}:{digit}" for suffix in (".py", ".pyi") for digit in "123456789")
"""Literals that all forms contain, and names of pytest's tests do not."""
SNIPPET = re.compile(r" *\d* \| | +\|$| += help: ")
"""The source lines that ruff prints below a finding."""
BELOW = re.compile(r"\s|$|\d* *[|+-]|(?:help|info|note|warning): ")
"""What ruff prints between its findings and its total; other lines show that a later total is another tool's."""
COUNT = re.compile(r"Found (\d+) errors?(?:\.| \()")
SYNTAX = frozenset({"invalid-syntax", "E999", "E902"})
PATIENCE = 20


class Finding(NamedTuple):
    """One finding of a rule.

    Args:
        number: The number of the line in the log.
        path: The path as it is printed.
        line: The line in the file.
        column: The column; 0 where it is not printed.
        code: The rule; `invalid-syntax` for a file that cannot be parsed.
        text: The message.
        remedy: The fix that the tool prints.
    """

    number: int
    path: str
    line: int
    column: int
    code: str
    text: str
    remedy: str = ""


def finding(line: Line) -> Finding | None:
    """Parse a line that is a whole finding."""
    found = FINDING.match(line.text)
    if not found:
        told = PYLINT.match(line.text)
        return Finding(line.number, told[1], int(told[2]), 0, told[3], told[4]) if told else None
    code = found[4].rstrip(":")
    code = "invalid-syntax" if code == "SyntaxError" else code
    text, _, rest = found[5].removeprefix("[*] ").partition("%0A")  # annotations escape the end of a line
    remedy = rest.partition("help: ")[2]
    return Finding(line.number, found[1], int(found[2]), int(found[3]), code, text, remedy)


def _of_ruff(text: str) -> bool:
    """Check whether a finding is marked as ruff does: as fixable, by GitHub's mark, or in Markdown."""
    marked = "[*] " in text or text.startswith(("::error title=Ruff", "::error title=ruff", "##[error]"))
    return marked or (": [F" in text and "`" in text)


class Groups:
    """Groups of such lines: ruff counts the findings of a group at its end, or marks some of them."""

    def __init__(self) -> None:
        self.ruff: list[Finding] = []
        self.flake8: list[Finding] = []
        self.by_ruff: int | None = None
        self.by_flake8: int | None = None
        self._open: list[Finding] = []
        self._marked = False
        self._left = False
        """Whether a line below the last finding is not of the tool that printed it."""
        self._idle = 0

    @property
    def awake(self) -> bool:
        """Whether a group is open."""
        return bool(self._open)

    def read(self, line: Line) -> None:
        """Read a line."""
        text = line.text
        one = finding(line) if ":" in text and PLACED.search(text) else None
        if one and len(self._open) < MOST_FAILURES:
            self._open.append(one)
            self._idle, self._left = 0, False
        elif self._open and not self._left and (count := COUNT.match(text)):
            self.by_ruff = (self.by_ruff or 0) + int(count[1])
            self._end(int(count[1]))
        elif self._open and text.isdecimal() and int(text) == len(self._open) and not self._marked:
            self.by_flake8 = (self.by_flake8 or 0) + int(text)
            self._end(0)
        else:
            self._idle += 1
            self._left = self._left or not BELOW.match(text)
        if self._open and not self._marked:
            self._marked = _of_ruff(text) if one else SNIPPET.match(text) is not None
        if self._idle > PATIENCE:
            self.finish()

    def finish(self) -> None:
        """End the open group."""
        self._end(len(self._open) if self._marked else 0)

    def _end(self, ruff: int) -> None:
        """Attribute the last findings to ruff, as many as it counts, and the others to flake8."""
        at = max(0, len(self._open) - ruff)
        self.flake8.extend(self._open[:at][: MOST_FAILURES - len(self.flake8)])
        self.ruff.extend(self._open[at:][: MOST_FAILURES - len(self.ruff)])
        self._open.clear()
        self._marked = self._left = False
        self._idle = 0


def each(found: Iterable[Finding]) -> Sequence[Finding]:
    """Return the findings without repetitions of one place and rule."""
    once = {(one.code, one.path, one.line, one.column): one for one in reversed(list(found))}
    return sorted(once.values(), key=lambda one: one.number)


def failures(tool: str, found: Sequence[Finding], counted: int | None) -> Sequence[Failure]:
    """Create failures of findings; they are certain when the tool counts as many."""
    return [
        Failure(
            tool=tool,
            kind="compile" if one.code in SYNTAX else "lint",
            name=f"{one.code} {relative(one.path)}:{one.line}" + (f":{one.column}" if one.column else ""),
            message=one.text[:MOST_TEXT],
            file=relative(one.path),
            line=one.line,
            selector=relative(one.path),
            log_line=one.number,
            confidence="high" if counted == len(found) else "medium",
            suggested_fix=one.remedy,
        )
        for one in each(found)
    ]


def again(words: Sequence[str], told: Iterable[Failure]) -> str:
    """Return the command that checks the same files again; empty without files."""
    files = each_once(one.selector for one in told)
    return command(*words, *files) if files else ""
