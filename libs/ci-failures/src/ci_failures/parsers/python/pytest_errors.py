"""Errors of pytest itself: an error in a plugin or a hook, and a command line that it rejects.

INTERNALERROR>   File "/home/runner/work/app/app/conftest.py", line 5, in pytest_runtest_logreport
INTERNALERROR>     raise RuntimeError("no such report")
INTERNALERROR> RuntimeError: no such report

ERROR: file or directory not found: tests/test_gone.py
pytest: error: unrecognized arguments: --cov
"""

import re
from collections.abc import Iterable
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.python.pytest_blocks import FRAME, MOST_LINES, NOT_OURS
from ci_failures.parsers.text_helpers import join_message, relative

INTERNAL = "INTERNALERROR>"
RAISED = re.compile(r" (?! )(?!Traceback \(|During handling|The above exception)\S")
USAGE = re.compile(
    r"ERROR: (?P<said>(?P<what>file or directory not found|not found|found no collectors for|"
    r"Wrong expression passed to '-[km]').*)$"
    r"|(?:\S*(?:pytest|py\.test|__main__\.py)|python[\d.]* -m pytest): error: (?P<told>(?P<which>[^:]{1,100}).*)$"
)
ANYBODY, SETTINGS = "__main__.py: error: ", "  inifile: "
"""Any program that is run as a module may begin like this; below pytest's, its settings follow."""


class PytestErrors(Parser):
    """Parser of these errors; each is reported once, however many workers print it."""

    tool: ClassVar[str] = "pytest"
    wakes: ClassVar[tuple[str, ...]] = (
        INTERNAL,
        "ERROR: file or directory not found: ",
        "ERROR: not found: ",
        "ERROR: found no collectors for ",
        "ERROR: Wrong expression passed to ",
        *("pytest: error: ", "py.test: error: ", "__main__.py: error: "),
    )

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._doubted: Failure | None = None
        self._begun = 0
        self._place: tuple[str, int | None] = ("", None)
        self._raised: list[str] = []

    def read(self, line: Line) -> bool:
        """Read a line."""
        if line.text.startswith(INTERNAL):
            self._begun = self._begun or line.number
            self._internal(line.text[len(INTERNAL) :])
            return True
        self._end()
        if self._doubted and line.text.startswith(SETTINGS):
            self._keep(self._doubted)
        self._doubted = None
        if found := USAGE.match(line.text):
            rule, said = found["what"] or found["which"], found["said"] or found["told"]
            told = Failure(tool="pytest", kind="compile", name=f"usage: {rule}", message=said, log_line=line.number)
            if line.text.startswith(ANYBODY):
                self._doubted = told
            else:
                self._keep(told)
        return self._doubted is not None

    def _internal(self, text: str) -> None:
        """Read a line of the traceback; the last exception counts, and the last file outside of libraries."""
        if frame := FRAME.match(text):
            if not any(mark in frame[1] for mark in NOT_OURS):
                file = relative(frame[1])
                self._place = ("", None) if file.startswith("/") else (file, int(frame[2]))
            self._raised = []
        elif RAISED.match(text) and len(self._raised) < MOST_LINES:
            self._raised.append(text)

    def _end(self) -> None:
        if not self._begun:
            return
        file, line = self._place
        name = f"INTERNALERROR {file}:{line}" if file else "INTERNALERROR"
        message = join_message(self._raised)
        self._keep(
            Failure(
                tool="pytest", kind="compile", name=name, message=message, file=file, line=line, log_line=self._begun
            )
        )
        self._begun, self._place, self._raised = 0, ("", None), []

    def _keep(self, failure: Failure) -> None:
        if len(self._found) < MOST_FAILURES:
            self._found.setdefault(failure.name, failure)

    def finish(self) -> Iterable[Failure]:
        """Return the errors."""
        self._end()
        return list(self._found.values())
