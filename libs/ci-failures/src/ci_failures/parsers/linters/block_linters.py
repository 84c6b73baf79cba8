"""Linters whose findings are below the name of a file, or above their place.

== [sql/bad.sql] FAIL
L:   1 | P:  10 | LT01 | Expected single whitespace between comma ',' and naked
                       | identifier. [layout.spacing]
>> Issue: [B307:blacklist] Use of possibly insecure function.
   Location: src/bad.py:5:8
"""

import re
from collections.abc import Sequence
from typing import ClassVar

from ci_failures.model import Failure, Kind, Line
from ci_failures.parsers.scripting.linting import Linter, RepeatingLinter
from ci_failures.parsers.text_helpers import command, each_once

PLACE = r"(\S[^:]{0,400}):(\d{1,7})(?::(\d{1,7}))?"
NEAR = 6
"""Lines at most between the message of a finding and its place."""


class PlacedBelow(Linter):
    """Parser of findings whose place is some lines below the rule and the message."""

    heading: ClassVar[re.Pattern[str]]
    """Its groups are the rule and the message."""

    below: ClassVar[re.Pattern[str]]
    """Its groups are file, line and column."""

    syntax: ClassVar[str] = ""
    """The rule by which a file cannot be parsed."""

    count: ClassVar[re.Pattern[str] | None] = None
    """The form of the tool's total, whose first group is a number."""

    def __init__(self) -> None:
        super().__init__()
        self._open: tuple[str, str, int] | None = None

    def read(self, line: Line) -> bool:
        """Read a heading, the place below it, or the total."""
        text = line.text.rstrip()
        if found := self.heading.match(text):
            self._open = found[1], found[2], line.number
        elif self._open and (place := self.below.match(text)):
            rule, said, number = self._open
            kind: Kind = "compile" if rule == self.syntax else "lint"
            self.find(rule, place[1], int(place[2]), said, number, column=int(place[3] or 0), kind=kind)
            self._open = None
        elif self.count and (total := self.count.match(text)):
            self.add_total(int(total[1]))
            self._open = None
        elif self._open and line.number - self._open[2] > NEAR:
            self._open = None
        return self._open is not None


class Bandit(PlacedBelow):
    """Parser of Bandit's issues; its metrics count also those that it does not show."""

    tool: ClassVar[str] = "bandit"
    again: ClassVar[tuple[str, ...]] = ("bandit",)
    wakes: ClassVar[tuple[str, ...]] = (">> Issue: [",)
    heading: ClassVar[re.Pattern[str]] = re.compile(r">> Issue: \[(B\d{3}):\w{1,80}\] (\S.*)$")
    below: ClassVar[re.Pattern[str]] = re.compile(rf" +Location: (?:\./)?{PLACE}$")


class Ty(PlacedBelow):
    """Parser of the long form of ty's errors."""

    tool: ClassVar[str] = "ty"
    again: ClassVar[tuple[str, ...]] = ("ty", "check")
    wakes: ClassVar[tuple[str, ...]] = ("\nerror[",)
    first_line: ClassVar[str] = r"error\[[a-z]+-[a-z-]+\]: "
    heading: ClassVar[re.Pattern[str]] = re.compile(r"error\[([a-z]+-[a-z-]{1,80})\]: (\S.*)$")
    below: ClassVar[re.Pattern[str]] = re.compile(r" *--> (\S[^:]{0,400}\.(?:pyi?|ipynb)):(\d{1,7}):(\d{1,7})$")
    syntax: ClassVar[str] = "invalid-syntax"


class Pyrefly(PlacedBelow):
    """Parser of Pyrefly's errors in both of its forms, and of its total."""

    tool: ClassVar[str] = "pyrefly"
    again: ClassVar[tuple[str, ...]] = ("pyrefly", "check")
    counts_printed: ClassVar[bool] = True
    wakes: ClassVar[tuple[str, ...]] = ("\nERROR ", "\n INFO ")
    first_line: ClassVar[str] = r"ERROR \S.{0,2000} \[[a-z-]+\]$| INFO \d+ errors?\b"
    heading: ClassVar[re.Pattern[str]] = re.compile(r"ERROR (?=.{1,2000} \[([a-z][a-z-]{1,80})\]$)(\S.*) \[")
    below: ClassVar[re.Pattern[str]] = re.compile(rf" *--> {PLACE}$")
    short: ClassVar[re.Pattern[str]] = re.compile(
        rf"ERROR {PLACE}(?:-[\d:]{{1,15}})?: (\S.{{0,2000}}) \[([a-z][a-z-]{{1,80}})\]$"
    )
    count: ClassVar[re.Pattern[str] | None] = re.compile(r" INFO (\d{1,9}) errors?\b")

    def read(self, line: Line) -> bool:
        """Read an error in one line, or as the other linters."""
        if found := self.short.match(line.text.rstrip()):
            self._open = None
            self.find(found[5], found[1], int(found[2]), found[4], line.number, column=int(found[3] or 0))
            return False
        return super().read(line)


class Typos(PlacedBelow):
    """Parser of the long form of typos."""

    tool: ClassVar[str] = "typos"
    again: ClassVar[tuple[str, ...]] = ("typos",)
    wakes: ClassVar[tuple[str, ...]] = ("\nerror: `",)
    first_line: ClassVar[str] = r"error: `[^`]+` should be `"
    heading: ClassVar[re.Pattern[str]] = re.compile(r"error: (?=`([^`]{1,80})`)(`.* should be `.*)$")
    below: ClassVar[re.Pattern[str]] = re.compile(rf" *(?:╭▸|-->|┌─) {PLACE}$")


class AnsibleLintBlocks(PlacedBelow):
    """Parser of the long form of ansible-lint."""

    tool: ClassVar[str] = "ansible-lint"
    again: ClassVar[tuple[str, ...]] = ("ansible-lint",)
    wakes: ClassVar[tuple[str, ...]] = (
        *(f".{end}:{digit}" for end in ("yml", "yaml") for digit in "123456789"), " failure(s), ",
    )  # fmt: skip
    first_line: ClassVar[str] = r"\S[^\s:]*\.ya?ml:\d+(?::\d+)?(?: [A-Z].*)?$|Failed: \d"
    before: ClassVar[int] = 1
    heading: ClassVar[re.Pattern[str]] = re.compile(r"([a-z][a-z-]{1,60}(?:\[[\w-]{1,60}\])?): ([A-Z].*)$")
    below: ClassVar[re.Pattern[str]] = re.compile(r"(\S[^\s:]{0,400}\.ya?ml):(\d{1,7})(?::(\d{1,7}))?(?: \S.*)?$")
    count: ClassVar[re.Pattern[str]] = re.compile(r"Failed: (\d+) failure\(s\), ")


class BelowFile(Linter):
    """Parser of findings below the name of their file."""

    heading: ClassVar[re.Pattern[str]]
    """Its group is the file."""

    row: ClassVar[re.Pattern[str]]
    """Its groups are `line`, `column`, `rule` and `text`."""

    count: ClassVar[re.Pattern[str] | None] = None
    """The form of the tool's total, whose first group is a number."""

    def __init__(self) -> None:
        super().__init__()
        self._file = ""

    def read(self, line: Line) -> bool:
        """Read the name of a file, a finding or the total."""
        text = line.text.rstrip()
        if self._file and (row := self.row.match(text)):
            groups = row.groupdict()
            rule, column = groups["rule"].strip(), int(groups.get("column") or 0)
            self.find(rule, self._file, int(groups["line"]), groups["text"], line.number, column=column)
        elif found := self.heading.match(text):
            self._file = found[1]
        elif self.count and (total := self.count.match(text)):
            self.add_total(int(total[1]))
            self._file = ""
        return bool(self._file)


class Sqlfluff(BelowFile):
    """Parser of SQLFluff, which wraps messages and prints no total."""

    tool: ClassVar[str] = "sqlfluff"
    again: ClassVar[tuple[str, ...]] = ("sqlfluff", "lint")
    wakes: ClassVar[tuple[str, ...]] = ("\n== [",)
    heading: ClassVar[re.Pattern[str]] = re.compile(r"== \[(.{1,400})\] FAIL$")
    row: ClassVar[re.Pattern[str]] = re.compile(
        r"L: *(?P<line>\d{1,7}) \| P: *(?P<column>\d{1,7}) \| *(?P<rule>[A-Z]{2,4}\d{0,3}) \| (?P<text>\S.*)$"
    )
    more_text: ClassVar[re.Pattern[str]] = re.compile(r" +\| +(\S.*)$")

    def __init__(self) -> None:
        super().__init__()
        self._last = ""

    def find(
        self, rule: str, path: str, line: int, text: str, number: int, *, column: int = 0, kind: Kind = "lint"
    ) -> str:
        """Record a finding; `PRS` is that of a file which cannot be parsed."""
        kind = "compile" if rule == "PRS" else kind
        self._last = super().find(rule, path, line, text, number, column=column, kind=kind)
        return self._last

    def read(self, line: Line) -> bool:
        """Read a line of a file, or the rest of a message."""
        if self._last in self.found and (more := self.more_text.match(line.text)):
            self.more(self._last, more[1].rstrip())
            return True
        self._last = ""
        wanted = super().read(line)
        return wanted and (self._last != "" or line.text.startswith("== ["))


class Tslint(BelowFile):
    """Parser of TSLint's form `stylish`, which has the first place behind the name of a file, and no total."""

    tool: ClassVar[str] = "tslint"
    again: ClassVar[tuple[str, ...]] = ("npx", "tslint")
    wakes: ClassVar[tuple[str, ...]] = ("\nERROR: ",)
    first_line: ClassVar[str] = r"ERROR: \d+:\d+ +[a-z]"
    before: ClassVar[int] = 50
    heading: ClassVar[re.Pattern[str]] = re.compile(r"(\S.{0,400}\.[jt]sx?)(?::\d{1,7}:\d{1,7})?$")
    row: ClassVar[re.Pattern[str]] = re.compile(
        r"ERROR: (?P<line>\d{1,7}):(?P<column>\d{1,7}) +(?P<rule>[a-z][\w-]{1,80}) +(?P<text>\S.*)$"
    )

    def read(self, line: Line) -> bool:
        """Read a line of a file, which an empty line ends."""
        if not line.text.strip():
            self._file = ""
        return super().read(line)


class Djlint(BelowFile):
    """Parser of djLint's findings."""

    tool: ClassVar[str] = "djlint"
    again: ClassVar[tuple[str, ...]] = ("djlint",)
    wakes: ClassVar[tuple[str, ...]] = ("\n─────", "\nLinted ")
    first_line: ClassVar[str] = r"─{20}|Linted \d"
    before: ClassVar[int] = 1
    heading: ClassVar[re.Pattern[str]] = re.compile(r"(\S.{0,400}\.\w{1,12})$")
    row: ClassVar[re.Pattern[str]] = re.compile(
        r"(?P<rule>[A-Z]\d{3}) (?P<line>\d{1,7}):(?P<column>\d{1,7}) (?P<text>\S.*)$"
    )
    count: ClassVar[re.Pattern[str]] = re.compile(r"Linted \d+ files?, found (\d+) errors?\.$")


class Pydocstyle(Linter):
    """Parser of pydocstyle, which has each finding below its file and its line."""

    tool: ClassVar[str] = "pydocstyle"
    again: ClassVar[tuple[str, ...]] = ("pydocstyle",)
    wakes: ClassVar[tuple[str, ...]] = (" at module level:\n", " in public ", " in private ", " in nested ")
    first_line: ClassVar[str] = r"\S.*\.py:\d+ (?:at|in) "
    heading: ClassVar[re.Pattern[str]] = re.compile(r"(\S.{0,400}?\.pyi?):(\d{1,7}) (?:at module level|in .{1,200}):$")
    row: ClassVar[re.Pattern[str]] = re.compile(r" {8}(?P<rule>D\d{3}): (?P<text>\S.*)$")

    def __init__(self) -> None:
        super().__init__()
        self._place: tuple[str, int] | None = None

    def read(self, line: Line) -> bool:
        """Read a place, or the finding below it."""
        text, place = line.text.rstrip(), self._place
        self._place = None
        if found := self.heading.match(text):
            self._place = found[1], int(found[2])
        elif place and (row := self.row.match(text)):
            self.find(row["rule"], *place, row["text"], line.number)
        return self._place is not None


SIGNS = "✖\u00d7⚠‼"
"""What precedes errors and warnings, the second and the last on consoles without Unicode."""


class Xo(BelowFile):
    """Parser of XO's findings; those with a cross are errors, and warnings may be above them."""

    tool: ClassVar[str] = "xo"
    again: ClassVar[tuple[str, ...]] = ("npx", "xo")
    wakes: ClassVar[tuple[str, ...]] = (*(f"\n  {sign} " for sign in SIGNS), " errors\n", " error\n")
    before: ClassVar[int] = 1
    first_line: ClassVar[str] = rf"  [{SIGNS}] +\d+:\d+ "
    heading: ClassVar[re.Pattern[str]] = re.compile(r"  (\S.{0,400}?):\d{1,7}:\d{1,7}$")
    row: ClassVar[re.Pattern[str]] = re.compile(
        r"  [✖\u00d7] +(?P<line>\d{1,7}):(?P<column>\d{1,7}) +(?P<text>\S.*?)(?:(?<! ) {2,}(?P<rule>@?[a-z][\w@/.-]*))$"
    )
    count: ClassVar[re.Pattern[str]] = re.compile(r"  (?:\d+ warnings?\s+)?(\d+) errors?$")


class Tsd(BelowFile, RepeatingLinter):
    """Parser of tsd, which prints in the form of XO what the compiler of TypeScript and its own assertions find.

    Nothing names a rule, so a finding has its message for a name. tsd names the files that it tests by their ends.
    """

    tool: ClassVar[str] = "tsd"
    wakes: ClassVar[tuple[str, ...]] = tuple(f"\n  {sign} " for sign in SIGNS)
    before: ClassVar[int] = 1
    first_line: ClassVar[str] = Xo.first_line
    counts_printed: ClassVar[bool] = True
    heading: ClassVar[re.Pattern[str]] = re.compile(
        r"  (\S.{0,400}?\.(?:[cm]?tsx?)|(?:.{1,400}/)?package\.json):\d{1,7}:\d{1,7}$"
    )
    row: ClassVar[re.Pattern[str]] = re.compile(
        r"  [✖\u00d7] +(?P<line>\d{1,7}):(?P<column>\d{1,7}) +(?!Parsing error: |Unused eslint-disable )(?P<text>\S.*?)"
        r"(?:(?<! ) +npm (?:ERR!|error) .*)?$"
    )
    test_file: ClassVar[str] = ".test-d.ts"

    def __init__(self) -> None:
        super().__init__()
        self._rows = 0

    def read(self, line: Line) -> bool:
        """Read the name of a file, a finding or the total; npm may end before it is printed."""
        text = line.text.rstrip()
        row = self.row.match(text) if self._file else None
        if row and not Xo.row.match(text):
            said = row["text"]
            self.find(said[:MOST_RULE], self._file, int(row["line"]), said, line.number, column=int(row["column"]))
            self._rows += 1
        elif found := self.heading.match(text):
            self._file = found[1]
        elif self._rows and (total := Xo.count.match(text)):
            self.printed += self._rows
            self.add_total(int(total[1]))
            self._file, self._rows = "", 0
        elif row or (text and not text.startswith("  ")):
            self._file, self._rows = "", 0
        return bool(self._file)

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that tests these files again; all files if what is wrong is in none of them."""
        files = tuple(each_once(one.selector for one in failures))
        wanted = files if all(cls.test_file in file for file in files) else ()
        return command("npx", "tsd", *(word for file in wanted for word in ("--files", file)))


MOST_RULE = 120
"""Characters of a message in a name."""


class Standard(Linter):
    """Parser of the findings of standard and semistandard."""

    tool: ClassVar[str] = "standard"
    again: ClassVar[tuple[str, ...]] = ("npx", "standard")
    wakes: ClassVar[tuple[str, ...]] = ("standard: Use JavaScript ",)
    row: ClassVar[re.Pattern[str]] = re.compile(rf"  {PLACE}: (\S.*?) \((\S{{1,80}})\)( \(warning\))?$")

    def read(self, line: Line) -> bool:
        """Read the lines below the heading."""
        text = line.text.rstrip()
        if "standard: " in text[:16]:
            return True
        if not (found := self.row.match(text)):
            return False
        if not found[6]:
            kind: Kind = "compile" if found[5] == "null" else "lint"
            rule = "error" if found[5] == "null" else found[5]
            self.find(rule, found[1], int(found[2]), found[4], line.number, column=int(found[3] or 0), kind=kind)
        return True


class StylishReports(Linter):
    """Base of the parsers of reports like ESLint's that other tools print, which their totals tell apart."""

    heading: ClassVar[re.Pattern[str]] = re.compile(r"(?:/|\./|[A-Za-z]:\\|[\w@.])[^:*?\"<>|]{0,400}\.\w{1,10}$")
    row: ClassVar[re.Pattern[str]]
    count: ClassVar[re.Pattern[str]]

    def __init__(self) -> None:
        super().__init__()
        self._file = ""
        self._rows: list[tuple[str, re.Match[str], int]] = []

    def read(self, line: Line) -> bool:
        """Read a file, a finding, or the total that tells whose they are."""
        text = line.text.rstrip()
        if self._file and (row := self.row.match(text)):
            if len(self._rows) < MOST_ROWS:
                self._rows.append((self._file, row, line.number))
        elif total := self.count.match(text):
            for file, row, number in self._rows:
                self.find(row["rule"], file, int(row["line"]), row["text"].strip(), number, column=int(row["column"]))
            self.add_total(int(total[1]))
            self._rows, self._file = [], ""
        elif text and not text.startswith(" "):
            self._file = text if self.heading.match(text) else ""
        return bool(self._file)


MOST_ROWS = 10_000
"""Findings of one report."""


class Textlint(StylishReports):
    """Parser of textlint's errors."""

    tool: ClassVar[str] = "textlint"
    again: ClassVar[tuple[str, ...]] = ("npx", "textlint")
    wakes: ClassVar[tuple[str, ...]] = (*(f".{end}\n" for end in ("md", "txt", "rst", "html", "adoc")), " infos)\n")
    first_line: ClassVar[str] = r"(?!.*:).*\.\w{2,4}$"
    row: ClassVar[re.Pattern[str]] = re.compile(
        r" +(?P<line>\d{1,7}):(?P<column>\d{1,7}) +(?:✓ +)?error +(?P<text>\S.*?) {2,}(?P<rule>[\w@/-]{1,100})$"
    )
    count: ClassVar[re.Pattern[str]] = re.compile(r"✖ \d+ problems? \((\d+) errors?, \d+ warnings?, \d+ infos?\)$")


class Spectral(StylishReports):
    """Parser of Spectral's errors."""

    tool: ClassVar[str] = "spectral"
    again: ClassVar[tuple[str, ...]] = ("npx", "spectral", "lint")
    wakes: ClassVar[tuple[str, ...]] = (*(f".{end}\n" for end in ("yaml", "yml", "json")), " hints)\n")
    first_line: ClassVar[str] = r"(?!.*:).*\.\w{3,4}$"
    row: ClassVar[re.Pattern[str]] = re.compile(
        r" +(?P<line>\d{1,7}):(?P<column>\d{1,7}) +error +(?P<rule>\S{1,100}) +(?P<text>\S.*)$"
    )
    count: ClassVar[re.Pattern[str]] = re.compile(
        r"✖ \d+ problems? \((\d+) errors?, \d+ warnings?, \d+ infos?, \d+ hints?\)$"
    )


class Commitlint(Linter):
    """Parser of what commitlint finds in a message of a commit, which has no file."""

    tool: ClassVar[str] = "commitlint"
    wakes: ClassVar[tuple[str, ...]] = ("\n✖   ",)
    form: ClassVar[re.Pattern[str]] = re.compile(r"✖ {3}(\S.*?) \[([a-z]+(?:-[a-z]+)+)\]$")
    count: ClassVar[re.Pattern[str]] = re.compile(r"✖ {3}found (\d+) problems?, \d+ warnings?$")

    def read(self, line: Line) -> bool:
        """Read a problem, or the total."""
        text = line.text.rstrip()
        if found := self.form.match(text):
            self.find(found[2], "commit message", 0, found[1], line.number)
        elif total := self.count.match(text):
            self.add_total(int(total[1]))
        return False
