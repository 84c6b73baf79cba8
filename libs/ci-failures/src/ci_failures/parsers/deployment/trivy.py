"""Trivy's tables of vulnerabilities and licences, and its blocks of misconfigurations and secrets.

usr/local/bin/shop (gobinary)
=============================
Total: 2 (HIGH: 1, CRITICAL: 1)

┌─────────┬────────────────┬──────────┬────────┬───────────────────┬───────────────┬────────────────────────────┐
│ Library │ Vulnerability  │ Severity │ Status │ Installed Version │ Fixed Version │           Title            │
├─────────┼────────────────┼──────────┼────────┼───────────────────┼───────────────┼────────────────────────────┤
│ stdlib  │ CVE-2023-24538 │ CRITICAL │ fixed  │ 1.19              │ 1.19.8        │ golang: backticks not      │
│         │                │          │        │                   │               │ treated as delimiters      │
│         ├────────────────┼──────────┤        │                   ├───────────────┼────────────────────────────┤
│         │ CVE-2023-29403 │ HIGH     │        │                   │ 1.19.10       │ golang: unsafe setuid      │
└─────────┴────────────────┴──────────┴────────┴───────────────────┴───────────────┴────────────────────────────┘

Dockerfile (dockerfile)
=======================
Tests: 27 (SUCCESSES: 26, FAILURES: 1)
Failures: 1 (HIGH: 1, CRITICAL: 0)

AVD-DS-0002 (HIGH): Specify at least 1 USER command in Dockerfile
════════════════════════════════════════
Running containers with 'root' user can lead to a container escape situation.

See https://avd.aquasec.com/misconfig/ds002
────────────────────────────────────────
 Dockerfile:3-4
────────────────────────────────────────

A cell that is empty behind a border repeats the one above it. Trivy could not be run: this follows its tests.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, MOST_TEXT, Failure, Line, Parser
from ci_failures.parsers.text_helpers import parse_count, parse_number

SEVERITIES = ("UNKNOWN", "LOW", "MEDIUM", "HIGH", "CRITICAL")
SEVERITY = "|".join(SEVERITIES)
HEADING = re.compile(r"(\S.{0,400}?) \(([^()]{0,100})\)$")
UNDERLINE = re.compile(r"={3,}$")
COUNT = re.compile(rf"(?:Total|Failures): (\d+) \((?:{SEVERITY}): \d+(?:, (?:{SEVERITY}): \d+)*\)$")
TESTS = re.compile(r"Tests: \d+ \(SUCCESSES: ")
TABLE = ("│", "|", "┌", "├", "└", "+")
BORDER = re.compile(r"[-─+|│├┤┼┌┐└┘┬┴ ]+$")
CELLS = re.compile(r"[│|]")
BLOCK = re.compile(rf"(?:FAIL: )?(?:([A-Z][A-Z0-9-]{{2,40}}) \((?:{SEVERITY})\)|(?:{SEVERITY})): (\S.*)$")
SECRET = re.compile(r".* \(([\w-]{1,100})\)$")
PLACE = re.compile(r" ?(\S.{0,400}?)(?::(\d{1,7})(?:-\d{1,7})?)?(?: \(.*\))?$")
SUBJECTS, NAMES, TITLES = ("library", "package"), ("vulnerability", "vulnerability id", "license"), ("title",)
MOST_BLOCK = 60
"""Lines of a block up to its place."""
MOST_RULE = 120
DIVIDERS = 2
"""Dividers of a block before its place."""


class Trivy(Parser):
    """Parser of the findings; Trivy exits with 0 by default, so they count less than what fails for sure.

    Each occurrence is kept, as the same finding may be printed in a step that passes and again in one that fails.
    """

    tool: ClassVar[str] = "trivy"
    wakes: ClassVar[tuple[str, ...]] = (
        *("\nTotal: ", "\nTests: ", "\nFailures: "),
        *(form.format(one) for one in SEVERITIES for form in ("\n{}: ", " ({}): ", "\nFAIL: {}: ")),
    )
    first_line: ClassVar[str] = rf"(?:Total|Failures): \d+ \((?:{SEVERITY}): |Tests: \d+ \(SUCCESSES: "
    before: ClassVar[int] = 4

    def __init__(self) -> None:
        self._found: list[Failure] = []
        self._counted: int | None = None
        self._target = self._type = ""
        self._heading = ("", "")
        self._columns: Mapping[str, int] = {}
        self._row: tuple[str, str] = ("", "")
        self._is_border = self._in_table = False
        self._block: Failure | None = None
        self._block_lines = self._dividers = 0

    def look_back(self, lines: Sequence[Line]) -> None:
        """Read the heading of a section, which is above its total."""
        for line in lines:
            self._read_heading(line.text.rstrip())

    def read(self, line: Line) -> bool:
        """Read a total, a row of the table below it, or a block."""
        text = line.text.rstrip()
        if self._block:
            self._read_block(text)
        elif total := COUNT.match(text):
            self._begin(parse_count(total[1]))
        elif TESTS.match(text):
            return True
        elif self._target and (block := BLOCK.match(text)):
            self._begin_block(block, line.number)
        elif self._in_table and text.startswith(TABLE):
            self._read_table(text, line.number)
        else:
            self._in_table = self._in_table and not text and not self._columns
            self._read_heading(text)
        return self._in_table or self._block is not None

    def finish(self) -> Iterable[Failure]:
        """Return all occurrences."""
        self._close()
        return self._found

    def total(self) -> int | None:
        """Return the sum of the totals."""
        return self._counted

    def _read_heading(self, text: str) -> None:
        if found := HEADING.match(text):
            self._heading = found[1], found[2]
        elif text and not UNDERLINE.match(text) and not TESTS.match(text):
            self._heading = "", ""

    def _begin(self, count: int) -> None:
        self._counted = (self._counted or 0) + count
        (self._target, self._type), self._columns = self._heading, {}
        self._row, self._in_table, self._is_border = ("", ""), count > 0, False

    def _read_table(self, text: str, number: int) -> None:
        if BORDER.match(text):
            self._is_border = True
            return
        cells = [cell.strip() for cell in CELLS.split(text)[1:]]
        if not self._columns:
            self._columns = _find_columns(cells)
            return
        subject, name, title = (self._get_cell(cells, column) for column in ("subject", "name", "title"))
        if self._is_border:
            self._row = subject or self._row[0], name or self._row[1]
            self._add_row(title, number)
        elif title and self._found and not title.startswith("http"):
            last = self._found[-1]
            self._found[-1] = evolve(last, message=f"{last.message} {title}".strip()[:MOST_TEXT])
        self._is_border = False

    def _get_cell(self, cells: Sequence[str], column: str) -> str:
        at = self._columns.get(column, len(cells))
        return cells[at] if at < len(cells) else ""

    def _add_row(self, title: str, number: int) -> None:
        subject, name = self._row
        if subject and name:
            title = title or (self._found[-1].message if self._found else "")
            target = f" ({self._target})" if self._target else ""
            named = f"{name} {subject}{target}"
            self._add(Failure(tool=self.tool, kind="lint", name=named, message=title, log_line=number))

    def _begin_block(self, block: re.Match[str], number: int) -> None:
        secret = SECRET.match(block[2]) if self._type == "secrets" else None
        rule = block[1] or (secret[1] if secret else block[2][:MOST_RULE])
        self._block = Failure(
            tool=self.tool, kind="lint", name=rule, message=block[2], file=self._target, log_line=number
        )
        self._block_lines = self._dividers = 0

    def _read_block(self, text: str) -> None:
        """Read a line of a block: its place is behind the second divider, if it has one."""
        assert self._block is not None
        self._block_lines += 1
        if text.startswith(("═══", "───")):
            self._dividers += 1
        elif self._dividers == DIVIDERS:
            place = PLACE.match(text)
            line = parse_number(place[2] or "") if place and place[1] == self._target else None
            self._close(line)
        elif not self._dividers:
            self._block = None
        elif self._block_lines > MOST_BLOCK:
            self._close()

    def _close(self, line: int | None = None) -> None:
        """Record the open block."""
        if block := self._block:
            where = f"{block.file}:{line}" if line else block.file
            self._add(evolve(block, name=f"{block.name} {where}", line=line, selector=block.file))
        self._block = None

    def _add(self, one: Failure) -> None:
        if len(self._found) < MOST_FAILURES:
            self._found.append(evolve(one, confidence="medium"))


def _find_columns(cells: Sequence[str]) -> Mapping[str, int]:
    """Return which cells have what, by the heading of a table."""
    names = [cell.lower() for cell in cells]
    wanted = {"subject": SUBJECTS, "name": NAMES, "title": TITLES}
    return {key: names.index(one) for key, ones in wanted.items() for one in ones if one in names}
