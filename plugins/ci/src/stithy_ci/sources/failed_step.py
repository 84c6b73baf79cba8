"""The lines of a failed step in the log of its job, as far as they are certain.

A job has one log for all of its steps, which does not show where each begins. The runner, however, annotates the exit
code of a failed step with the line of the step's own log (`logFileLineNumber` in the runner's source, which GitHub
shows as the
line of an annotation on `.github`). The log of the job has the same line, from which the lines are counted back. So the
lines are certain if one step failed, and there is one such line and one such annotation.
"""

import re
from collections.abc import Sequence

from ci_failures.source_reports import LogPage
from stithy_core.spi import Annotation, Step, Verdict, WorkflowJob

MARK = b"##[error]Process completed with exit code "
LINE = re.compile(rb"(?:\xef\xbb\xbf)?(?:\d{4}-\d\d-\d\dT[\d:.]{8,20}Z )?" + re.escape(MARK) + rb"\d{1,5}\.\r?$")
EXIT = re.compile(r"Process completed with exit code \d{1,5}\.")
LONGEST = 200
"""Bytes at most of a line with an exit code."""
ENOUGH = 2
"""Lines with an exit code above which it is not certain which one counts."""


class Exits:
    """The numbers of a log's lines with the exit code of a step."""

    def __init__(self) -> None:
        self.lines: list[int] = []
        self._before = 0
        self._rest = b""

    def feed(self, chunk: bytes) -> None:
        """Read bytes as they come."""
        whole, newline, rest = (self._rest + chunk).rpartition(b"\n")
        self._rest = rest if len(rest) <= LONGEST else rest[:LONGEST]  # too long for such a line
        if newline:
            self._look(whole)
            self._before += whole.count(b"\n") + 1

    def finish(self) -> Sequence[int]:
        """Return the numbers, from 1 on, after the last byte; at most ENOUGH of them."""
        self._look(self._rest)
        return tuple(self.lines)

    def _look(self, text: bytes) -> None:
        at = text.find(MARK)
        while at >= 0 and len(self.lines) < ENOUGH:
            begin, end = text.rfind(b"\n", 0, at) + 1, text.find(b"\n", at)
            if LINE.match(text[begin : end if end >= 0 else len(text)]):
                self.lines.append(self._before + text.count(b"\n", 0, at) + 1)
            at = text.find(MARK, at + 1)


def find_failed_step(job: WorkflowJob | None) -> Step | None:
    """Return the failed step, if there is exactly one."""
    failed = [step for step in (job.steps if job else ()) if step.verdict is Verdict.FAILED]
    return failed[0] if len(failed) == 1 else None


def find_page(step: Step | None, exits: Sequence[int], remarks: Sequence[Annotation]) -> LogPage | None:
    """Return the lines of a log that belong to the failed step; None if they are not certain.

    Args:
        step: The only failed step.
        exits: The numbers of the log's lines with an exit code.
        remarks: The annotations on the job as a whole.
    """
    remark_lines = [one.start_line for one in remarks if EXIT.fullmatch(one.message.strip())]
    if (
        step is None
        or not step.lines
        or len(exits) != 1
        or len(remark_lines) != 1
        or not 0 < remark_lines[0] <= exits[0]
    ):
        return None
    return LogPage(step.lines, exits[0] - remark_lines[0] + 1, exits[0])
