r"""Terraform and OpenTofu: errors in boxes, and the runs of `terraform test`.

╷
│ Error: Reference to undeclared input variable
│
│   with terraform_data.a,
│   on main.tf line 2, in resource "terraform_data" "a":
│    2:   input = var.missing
│
│ An input variable with the name "missing" has not been declared.
╵

tests/n.tftest.hcl... in progress
  run "small"... fail
tests/n.tftest.hcl... fail
Failure! 0 passed, 1 failed, 2 skipped.

Before 0.15, and without colours, there is no box: `Error: …`, an empty line, and `  on main.tf line 2, in …`.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Kind, Line, Parser
from ci_failures.parsers.single_line_parser import RUNNER
from ci_failures.parsers.text_helpers import MOST_LINES, command, each_once, join_message

BAR = re.compile(r"[│|] ?")
BOXED = ("│ Error: ", "| Error: ")
BARE = re.compile(r"Error: (.+)$")
PLACE = re.compile(r" {2}on (\S.{0,300}?) line (\d{1,7})(?:, in .*|)[:,]?$")
ADDRESS = re.compile(r" {2}with (\S.{0,300}?),$")
FILE = re.compile(r"(\S.{0,300}\.tf(?:test|mock)\.(?:hcl|json))\.\.\. (?:in progress|pass|fail|tearing down|skip)$")
RUN = re.compile(r' {2}run "(.{1,200})"\.\.\. (pass|fail|skip)$')
TOTAL = re.compile(r"(?:Failure|Success)! \d+ passed, (\d+) failed")
INTRODUCTION = "Terraform encountered problems during initiali"
UNFETCHED = re.compile(r"Failed to (?:query|install|download|read)|Could not (?:load|download)|.*[Mm]odule source")
"""What could not be downloaded: providers and modules."""


class Terraform(Parser):
    """Parser of the boxes, and of the tests."""

    tool: ClassVar[str] = "terraform"
    wakes: ClassVar[tuple[str, ...]] = (
        "│ Error: ",
        "| Error: ",
        "\n  on ",
        "\nError: Failed to query available provider",
        "\nError: Failed to install provider",
        '\n  run "',
        "Failure! ",
        "Success! ",
        ".hcl... in progress\n",
    )
    before: ClassVar[int] = 4

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._file = self._test = ""
        self._tests = 0
        self._counted: int | None = None
        self._old: tuple[str, int] | None = None
        self._clear()

    def _clear(self) -> None:
        self._summary = ""
        self._begun = 0
        self._boxed = False
        self._address = ""
        self._place: tuple[str, int] | None = None
        self._lines: list[str] = []

    def look_back(self, lines: Sequence[Line]) -> None:
        """Keep the last `Error: …` before a place, which has no box."""
        for line in lines:
            if found := BARE.match(line.text):
                self._old = found[1], line.number

    def read(self, line: Line) -> bool:
        """Read a line of an error, of a test, or the total."""
        text = line.text.rstrip()
        if text.startswith(BOXED):
            self._begin(text[len(BOXED[0]) :], line.number, boxed=True)
        elif self._boxed:
            self._read_error(text)
        elif self._old and PLACE.match(text):
            self._begin(*self._old, boxed=False)
            self._read_error(text)
        elif found := BARE.match(text):
            self._end()
            self._old = found[1], line.number
            if UNFETCHED.match(found[1]):
                self._begin(*self._old, boxed=False)
        elif not self._read_test(text, line.number) and self._summary:
            self._read_error(text)
        return bool(self._summary or self._file)

    def _read_test(self, text: str, number: int) -> bool:
        """Read a line about a file or a run of tests, or the total; return whether it is one."""
        if total := TOTAL.match(text):
            self._counted = (self._counted or 0) + int(total[1])
            self._end()
            self._file = self._test = ""
        elif file := FILE.match(text):
            self._end()
            self._file, self._test = file[1], ""
        elif self._file and (run := RUN.match(text)):
            self._end()
            self._read_run(run[1], run[2], number)
        else:
            return False
        return True

    def _read_run(self, name: str, result: str, number: int) -> None:
        self._test = f"{self._file} > {name}" if result == "fail" else ""
        if self._test and self._test not in self._found and len(self._found) < MOST_FAILURES:
            self._tests += 1
            self._found[self._test] = Failure(
                tool=self.tool, name=self._test, file=self._file, selector=self._file, log_line=number
            )

    def _begin(self, summary: str, number: int, *, boxed: bool) -> None:
        self._end()
        self._summary, self._begun, self._boxed, self._old = summary, number, boxed, None

    def _read_error(self, text: str) -> None:
        """Read a line of an error: where it is, and what it says; without a box, its first paragraph."""
        bar = BAR.match(text) if self._boxed else None
        ends = not text and "" in self._lines
        if not bar and (self._boxed or ends or text.startswith(RUNNER)):
            self._end()
            return
        text = text[bar.end() :].rstrip() if bar else text
        if place := PLACE.match(text):
            self._place = self._place or (place[1], int(place[2]))
        elif address := ADDRESS.match(text):
            self._address = address[1]
        elif len(self._lines) < MOST_LINES:
            self._lines.append(text)

    def _end(self) -> None:
        """Record the error: as the message of the test that it belongs to, or by itself."""
        self._old = None
        if not self._summary:
            return
        file, number = self._place or ("", None)
        message = join_message([self._summary, *self._lines])
        if self._test:
            known = self._found.get(self._test)
            if known and not known.message:
                self._found[self._test] = evolve(known, message=message, file=file or known.file, line=number)
        elif len(self._found) < MOST_FAILURES:
            where = f" {file}:{number}" if file else f" {self._address}" if self._address else ""
            kind: Kind = "dependency" if UNFETCHED.match(self._summary) else "compile"
            failure = Failure(
                tool=self.tool,
                kind=kind,
                name=f"{self._summary}{where}",
                message=message,
                file=file,
                line=number,
                log_line=self._begun,
            )
            self._found.setdefault(failure.name, failure)
        self._clear()

    def finish(self) -> Iterable[Failure]:
        """Return what failed; a sentence that introduces errors is left out where these were read."""
        self._end()
        told = [one for one in self._found.values() if not one.name.startswith(INTRODUCTION)]
        return told or list(self._found.values())

    def total(self) -> int | None:
        """Return what the tests count, and the errors outside of them."""
        return None if self._counted is None else self._counted + len(self._found) - self._tests

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that runs the files of these tests again."""
        files = each_once(one.selector for one in failures)
        return command("terraform", "test", *(f"-filter={file}" for file in files)) if files else ""
