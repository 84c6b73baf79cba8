"""ruff's output: blocks, lines of all its formats, and files that it would format."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.python.findings import BELOW, COUNT, PLACES, SNIPPET, Finding, Groups, again, each, failures
from ci_failures.parsers.text_helpers import relative

ARROW = re.compile(r" *--> (\S.*\.(?:pyi?|ipynb|toml)):(?:cell \d+:)?(\d+):(\d+)$")
RULE = re.compile(r"([A-Z]{1,5}\d{1,4}|[a-z]+(?:-[a-z]+)+|unformatted):? (?:\[\*\] )?(\S.*)$")
GROUP = re.compile(r"(\S.{0,500}\.(?:pyi?|ipynb)):$")
ROW = re.compile(r" +(?:cell \d+:)?(\d+):(\d+) +([A-Z]{1,5}\d{1,4}|[a-z]+(?:-[a-z]+)+):? (?:\[\*\] )?(\S.*)$")
"""A finding of --output-format=grouped, below the name of a file."""
HELP = re.compile(r"(?: += )?help: (.+)$")
COUNTED = re.compile(r"([1-9]\d*)\t([A-Z]{1,5}\d{1,4}|(?=\t))\t\[[-* ]\] (\S.*)$")
"""A rule and how often it is broken, of `--statistics`, which names no files."""
DIFF = re.compile(r"--- (\S.*\.(?:pyi?|ipynb))(?::cell \d+)?$")
DIFFERING = re.compile(r"(\d+) files? would be reformatted")
REFORMAT = re.compile(r"Would reformat: (\S.*)$")
PATIENCE = 40


class Ruff(Parser):
    """Parser of ruff's findings."""

    tool = "ruff"
    wakes = (
        *PLACES,
        *(f".ipynb:{begins}" for begins in ("cell", *"123456789")),
        ".toml:",
        ".py:\n",
        ".pyi:\n",
        ".ipynb:\n",
        "Would reformat: ",
        *(f"\t[{sign}] " for sign in "*- "),
        "\n--- ",
        " would be reformatted",
    )
    first_line: ClassVar[str] = (
        r".*--> |\d+\t[A-Z\t]|--- \S.*\.(?:pyi?|ipynb)|Would reformat: "
        r"|.*\.(?:pyi?|ipynb):(?:$|(?:cell \d+:)?\d+:(?:\d+: | \[))"
    )
    before = 1

    def __init__(self) -> None:
        self._groups = Groups()
        self._blocks: list[Finding] = []
        self._unformatted: dict[str, int] = {}
        self._rules: dict[str, Failure] = {}
        self._diffs: dict[str, int] = {}
        """Files whose difference to their format is printed, above the number of these."""
        self._counted: int | None = None
        self._before = ""
        self._file = ""
        self._idle = PATIENCE

    def read(self, line: Line) -> bool:
        """Read a line; the arrow below its rule shows a block."""
        text = line.text
        self._idle += 1
        if "--> " in text and (arrow := ARROW.match(text)):
            self._block(line, arrow)
        elif text[:1] == "W" and (found := REFORMAT.match(text)):
            self._format(found[1], line.number)
        elif text[:1] == "-" and (found := DIFF.match(text)):
            self._diffs.setdefault(found[1], line.number)
        elif " would be reformatted" in text and (found := DIFFERING.match(text)):
            self._end_diffs(int(found[1]))
        elif "\t[" in text and (found := COUNTED.match(text)):
            self._count_rule(found, line.number)
        elif text[-1:] == ":" and (group := GROUP.match(text)):
            self._file, self._idle = group[1], 0
        elif self._file and (row := ROW.match(text)):
            self._row(line.number, row)
        elif self._blocks and self._idle < PATIENCE:
            if SNIPPET.match(text):  # a block may have any number of lines
                self._idle = 0
            self._follow(line)
        self._groups.read(line)
        self._before = text
        return self._idle < PATIENCE or self._groups.awake

    def look_back(self, lines: Sequence[Line]) -> None:
        """Keep the line before a waking one: it may have the rule."""
        self._before = lines[-1].text
        self._idle += len(lines)

    def _block(self, line: Line, arrow: re.Match[str]) -> None:
        rule = RULE.match(self._before)
        if rule and rule[1] == "unformatted":
            self._format(arrow[1], line.number - 1)
        elif rule and len(self._blocks) < MOST_FAILURES:
            place = arrow[1], int(arrow[2]), int(arrow[3])
            self._blocks.append(Finding(line.number - 1, *place, rule[1], rule[2]))
            self._idle = 0

    def _row(self, number: int, row: re.Match[str]) -> None:
        if len(self._blocks) < MOST_FAILURES:
            self._blocks.append(Finding(number, self._file, int(row[1]), int(row[2]), row[3], row[4]))
            self._idle = 0

    def _format(self, path: str, number: int) -> None:
        if len(self._unformatted) < MOST_FAILURES:
            self._unformatted.setdefault(path, number)

    def _end_diffs(self, count: int) -> None:
        """Record the files of differences if there are as many as ruff counts; Black counts its own in the same way."""
        if len(self._diffs) == count:
            for path, number in self._diffs.items():
                self._format(path, number)
        self._diffs.clear()

    def _count_rule(self, found: re.Match[str], number: int) -> None:
        rule, text = found[2] or "invalid-syntax", f"{found[3]} ({found[1]} times)"
        if len(self._rules) < MOST_FAILURES:
            self._rules[rule] = Failure(tool=self.tool, kind="lint", name=rule, message=text, log_line=number)

    def _follow(self, line: Line) -> None:
        if count := COUNT.match(line.text):
            self._counted = (self._counted or 0) + int(count[1])
            self._idle, self._file = PATIENCE, ""
        elif not self._blocks[-1].remedy and (remedy := HELP.match(line.text)):
            self._blocks[-1] = self._blocks[-1]._replace(remedy=remedy[1])
        elif not BELOW.match(line.text) and not RULE.match(line.text):
            self._idle = PATIENCE

    def finish(self) -> Iterable[Failure]:
        """Return the findings, each once."""
        self._groups.finish()
        told = [*failures(self.tool, self._all_findings(), self._count()), *self._formats(), *self._rules.values()]
        return sorted(told, key=lambda one: one.log_line)

    def _formats(self) -> Iterable[Failure]:
        for path, number in self._unformatted.items():
            name, file = f"format {relative(path)}", relative(path)
            yield Failure(tool=self.tool, kind="lint", name=name, file=file, selector=file, log_line=number)

    def _all_findings(self) -> Sequence[Finding]:
        return [*self._blocks, *self._groups.ruff]

    def _count(self) -> int | None:
        counts = [count for count in (self._counted, self._groups.by_ruff) if count is not None]
        return sum(counts) if counts else None

    def total(self) -> int | None:
        """Return how many errors ruff counts without repetitions, and files that it would format."""
        count, found = self._count(), self._all_findings()
        return None if count is None else count - len(found) + len(each(found)) + len(self._unformatted)

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return the command that checks the same files again."""
        formats = [one for one in failures if one.name.startswith("format ")]
        checks = again(("ruff", "check"), (one for one in failures if one not in formats))
        return "; ".join(filter(None, (checks, again(("ruff", "format", "--check"), formats))))
