"""What one source reports of one job, and the entry that several reports of one failure are merged to."""

from typing import Literal, TypeAlias

from attrs import frozen

from ci_failures.model import Confidence, Failure

Source: TypeAlias = Literal["test_report", "artifact", "annotation", "log"]
"""Where a failure was read, the most exact first.

A test report that the forge made of result files, a result file, an annotation of a check, or a log.
"""


@frozen
class LogPage:
    """The lines of a job's log that belong to one of its steps, as a web page shows them.

    Args:
        lines: The beginning of a line's URL; the number of the line in its step completes it.
        first: The number in the log of the step's first line.
        last: The number in the log of the step's last line.
    """

    lines: str
    first: int
    last: int

    def address(self, line: int) -> str:
        """Return the URL of a line of the log; empty where the line belongs to another step."""
        return f"{self.lines}{line - self.first + 1}" if self.first <= line <= self.last else ""


@frozen(kw_only=True)
class SourceReport:
    """What one source reports of one job.

    Args:
        source: The kind of source.
        origin: The source's name: the file in an artifact, `artifact.zip/junit.xml`; empty for the log of a job.
        check: The name of the job as people and rules know it: `tests / unit (3.11, ubuntu)`.
        job: The job's id at the forge; empty where it is not known.
        url: The page where people read it: that of the failed step where it is known.
        page: The lines of the log that belong to that step; None where that is not certain.
        failures: What failed, each failure once.
        tool: The tool that wrote it; empty where the source reports several tools.
        counted: How many failures the tool itself counts; None where it prints no total.
        gap: Why failures may be missing; empty where the source was read whole and its counts agree.
    """

    source: Source
    origin: str = ""
    check: str
    job: str = ""
    url: str = ""
    page: LogPage | None = None
    failures: tuple[Failure, ...] = ()
    tool: str = ""
    counted: int | None = None
    gap: str = ""


@frozen(kw_only=True)
class MergedFailure:
    """One failure, merged from all sources and jobs that report it.

    Args:
        failure: The best of what they report: the exact name, the assertion, the place.
        sources: Where it was read, the most exact first.
        confidence: The best confidence of them all.
        reports: The reports that contain it, in the order of the jobs.
    """

    failure: Failure
    sources: tuple[Source, ...]
    confidence: Confidence
    reports: tuple[SourceReport, ...]
