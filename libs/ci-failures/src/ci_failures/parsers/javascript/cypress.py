"""Cypress 4 to 15, unproven: for each spec Mocha's list of failures, below the name of its file.

(Run Starting)
…
Running:  login.cy.js                                   (1 of 2)

1 passing (3s)
1 failing

1) Login
     rejects:
   AssertionError: Timed out retrying after 4000ms: …
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import Failure, Line
from ci_failures.parsers.javascript.mocha import MochaList
from ci_failures.parsers.text_helpers import command, each_once

STARTING = "(Run Starting)"
RESULTS = "  (Results)"
REST = re.compile(r"^ {12}(\S{1,200})$")
"""A long path goes on in the next line."""
RUNNING = re.compile(r"^  Running: +(\S.*?)(?<! ) +\(\d+ of \d+\)$")


class Cypress(MochaList):
    """Parser of `cypress run`."""

    tool: ClassVar[str] = "cypress"
    wakes: ClassVar[tuple[str, ...]] = (STARTING, "  Running:  ", " passing (")

    def __init__(self) -> None:
        super().__init__()
        self._started = False
        self._spec = ""
        self._fresh = False
        self._specs: dict[str, str] = {}

    def read(self, line: Line) -> bool:
        """Read a line, once Cypress has started."""
        self._started = self._started or STARTING in line.text
        if not self._started:
            return False
        if running := RUNNING.match(line.text):
            self._end()
            self._spec, self._fresh = running[1], True
            return True
        if self._fresh and (rest := REST.match(line.text)):
            self._spec += rest[1]
            return True
        self._fresh = False
        if line.text.startswith(RESULTS):
            self._end()
            self._next = 0
        return super().read(line)

    def _create_failure(self) -> Failure:
        failure = super()._create_failure()
        self._specs.setdefault(failure.name, self._spec)
        return evolve(failure, file=failure.file or self._spec, confidence="medium")

    def finish(self) -> Iterable[Failure]:
        """Return what failed; the selector is the file, as Cypress names it or as the stack does."""
        for one in super().finish():
            spec = self._specs.get(one.name, "")
            # The banner names a file relative to the common folder of all, which is not printed.
            yield evolve(one, selector=one.file if one.file.endswith(spec) and one.file != spec else f"**/{spec}")

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that runs the files of these: Cypress cannot select less."""
        return command("npx", "cypress", "run", "--spec", ",".join(each_once(one.selector for one in failures)))
