"""Bandit's formats `csv` and `yaml`, printed into a log or alone in a file.

filename,test_name,test_id,issue_severity,issue_confidence,issue_cwe,issue_text,line_number,col_offset,…
./a.py,blacklist,B307,MEDIUM,HIGH,https://cwe.mitre.org/…,Use of possibly insecure function.,7,11,18,[7],https://…

- code: "7     return eval(x)"
  col_offset: 11
  filename: ./a.py
  issue_text: Use of possibly insecure function - consider using safer
    ast.literal_eval.
  line_number: 7
  test_id: B307
"""

import csv
import re
from collections.abc import Mapping
from typing import ClassVar

from ci_failures.model import Line
from ci_failures.parsers.scripting.linting import Linter
from ci_failures.parsers.text_helpers import parse_number

RULE = re.compile(r"[A-Z]\d{3}$")
HEADER = "filename,test_name,test_id,"
ITEM, BELOW = "- code: ", "  "
KEY = re.compile(r"  ([a-z_]{1,40}):(?: (.*))?$")
LAST = "test_id"
"""The last key that is needed: keys are in the order of the alphabet."""
LONGEST = 200
"""Lines of one finding at most."""


class BanditFormat(Linter):
    """Parser of findings that have the names of Bandit's JSON."""

    tool: ClassVar[str] = "bandit"
    again: ClassVar[tuple[str, ...]] = ("bandit",)

    def keep(self, finding: Mapping[str, str], number: int) -> bool:
        """Record a finding, and return whether it is one."""
        rule, file = finding.get("test_id", ""), finding.get("filename", "")
        row, column = parse_number(finding.get("line_number", "")), parse_number(finding.get("col_offset", ""))
        if not (RULE.match(rule) and file and row is not None):
            return False
        self.find(rule, file, row, finding.get("issue_text", ""), number, column=column or 0)
        return True


class BanditCsv(BanditFormat):
    """Parser of the rows below the names of the columns."""

    wakes: ClassVar[tuple[str, ...]] = (f"\n{HEADER}",)

    def __init__(self) -> None:
        super().__init__()
        self._columns: list[str] = []

    def read(self, line: Line) -> bool:
        """Read the names of the columns, or a row; the first other line ends the rows."""
        cells = next(csv.reader([line.text]), [])
        if line.text.startswith(HEADER):
            self._columns = cells
            return True
        if len(cells) != len(self._columns):
            return False
        return self.keep(dict(zip(self._columns, cells, strict=True)), line.number)


class BanditYaml(BanditFormat):
    """Parser of the items of a list."""

    wakes: ClassVar[tuple[str, ...]] = (f"\n{ITEM}",)

    def __init__(self) -> None:
        super().__init__()
        self._item: dict[str, str] = {}
        self._key = ""
        self._begun = 0

    def read(self, line: Line) -> bool:
        """Read a line of an item, which ends with its last needed key."""
        text = line.text
        if text.startswith(ITEM):
            self._item, self._key, self._begun = {}, "", line.number
            return True
        if not text.startswith(BELOW) or line.number - self._begun > LONGEST:
            return False
        if key := KEY.match(text):
            self._key = key[1]
            self._item[self._key] = key[2] or ""
        elif self._key and text.startswith(BELOW * 2):
            self._item[self._key] += f" {text.strip()}"
        if self._key != LAST:
            return True
        self.keep({name: _unquote(value) for name, value in self._item.items()}, self._begun)
        return False


def _unquote(text: str) -> str:
    """Return the text of a scalar of YAML; of one in double quotes only quotes and backslashes are resolved."""
    inner = text[1:-1]
    if text[:1] == text[-1:] == "'" and inner:
        return inner.replace("''", "'")
    if text[:1] == text[-1:] == '"' and inner:
        return re.sub(r'\\(["\\])', r"\1", inner)
    return text
