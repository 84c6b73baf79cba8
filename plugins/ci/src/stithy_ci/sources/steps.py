"""At which line of a failed step's log a failure stands, as far as that is certain.

A job has one log for all of its steps, and does not say where each begins. But the runner remarks with what exit code a
step failed, and at which line of the step's own log it wrote that (`logFileLineNumber` in the runner's source, which
GitHub has as the line of a remark on `.github`). The log of the job has the same line: from there on lines are counted
back. So it is certain where one step failed, one line says so, and one remark.
"""

import re
from collections.abc import Sequence

from ci_failures.source_reports import LogPage
from stithy_core.spi import Annotation, Step, Verdict, WorkflowJob

MARK = b"##[error]Process completed with exit code "
LINE = re.compile(rb"(?:\xef\xbb\xbf)?(?:\d{4}-\d\d-\d\dT[\d:.]{8,20}Z )?" + re.escape(MARK) + rb"\d{1,5}\.\r?$")
EXIT = re.compile(r"Process completed with exit code \d{1,5}\.")
LONGEST = 200
"""Bytes of a line that may say so."""
ENOUGH = 2
"""Lines that say so, from which on it is not certain which."""


class Exits:
    """Finds the lines of a log that say with what exit code a step failed."""

    def __init__(self) -> None:
        self.lines: list[int] = []
        self._before = 0
        self._rest = b""

    def feed(self, chunk: bytes) -> None:
        """Read bytes as they come."""
        whole, newline, rest = (self._rest + chunk).rpartition(b"\n")
        self._rest = rest if len(rest) <= LONGEST else rest[:LONGEST]  # too long to be one
        if newline:
            self._look(whole)
            self._before += whole.count(b"\n") + 1

    def finish(self) -> Sequence[int]:
        """Return their numbers, from 1 on, after the last byte; no more of them than are too many."""
        self._look(self._rest)
        return tuple(self.lines)

    def _look(self, text: bytes) -> None:
        at = text.find(MARK)
        while at >= 0 and len(self.lines) < ENOUGH:
            begin, end = text.rfind(b"\n", 0, at) + 1, text.find(b"\n", at)
            if LINE.match(text[begin : end if end >= 0 else len(text)]):
                self.lines.append(self._before + text.count(b"\n", 0, at) + 1)
            at = text.find(MARK, at + 1)


def failed_step(job: WorkflowJob | None) -> Step | None:
    """Return the step that failed, where only one did."""
    failed = [step for step in (job.steps if job else ()) if step.verdict is Verdict.FAILED]
    return failed[0] if len(failed) == 1 else None


def page_of(step: Step | None, exits: Sequence[int], remarks: Sequence[Annotation]) -> LogPage | None:
    """Tell which lines of a log are those of the step that failed; None where that is not certain.

    Args:
        step: The only one that failed.
        exits: The lines of the log that say so.
        remarks: What was remarked on the job as a whole.
    """
    said = [one.start_line for one in remarks if EXIT.fullmatch(one.message.strip())]
    if step is None or not step.lines or len(exits) != 1 or len(said) != 1 or not 0 < said[0] <= exits[0]:
        return None
    return LogPage(step.lines, exits[0] - said[0] + 1, exits[0])
