"""Whose a result file is: an archive belongs to a run, and a failure to a job.

An archive of another attempt tells of other tests. Of a run with several failed jobs, the time of the upload tells
whose it is, or a part of its name, or a log that tells of the same; where none does, it is the run's.
"""

import re
from collections.abc import Hashable, Mapping, Sequence
from datetime import datetime, timedelta

from attrs import evolve, frozen

from ci_failures.merging import merge
from ci_failures.source_reports import SourceReport
from stithy_core.spi import Artifact, CommitCheck, WorkflowRun

SLACK = timedelta(seconds=60)
"""Between the clock of a runner and that of where archives are kept."""
NONE = timedelta()
WORDS = re.compile(r"[a-z0-9]+")


@frozen(kw_only=True)
class RunOf:
    """A run with failed jobs.

    Args:
        run: What is known of it.
        checks: Those of its jobs that have failed.
        settled: What is the same as long as nothing of it is run again; None where it may still change by itself.
    """

    run: WorkflowRun
    checks: Sequence[CommitCheck]
    settled: Hashable = None


def is_old(one: Artifact, of: RunOf) -> bool:
    """Return whether an archive is of an attempt before the latest."""
    begun = of.run.started_at
    return of.run.attempt > 1 and one.created_at is not None and begun is not None and one.created_at < begun - SLACK


def candidates(one: Artifact, of: RunOf) -> list[CommitCheck]:
    """Return the failed jobs that may have left an archive: those that were running when it was made.

    What another job left has nothing to say: a job that passed has no failures.
    """
    found = [check for check in of.checks if _was_up(check, one.created_at, SLACK)]
    exact = [check for check in found if _was_up(check, one.created_at, NONE)]
    return _named_alike(one, exact or found)


def owned(
    report: SourceReport, checks: Sequence[CommitCheck], logs: Mapping[str, Sequence[SourceReport]]
) -> SourceReport:
    """Return a report with the job that left it, where that is known.

    Args:
        report: What a result file says.
        checks: The failed jobs that may have left it.
        logs: What their logs say, by `CommitCheck.id`.
    """
    alike = {check.id: _in_common(report, logs.get(check.id, ())) for check in checks}
    most = max(alike.values(), default=0)
    silent = [check for check in checks if not any(one.failures for one in logs.get(check.id, ()))]
    fitting = list(checks) if len(checks) == 1 else [check for check in checks if alike[check.id] == most > 0]
    if not most and len(checks) > 1:
        fitting = silent
    if len(fitting) != 1:
        return report
    (check,) = fitting
    return evolve(report, check=check.name, job=check.job, url=check.url)


def _in_common(report: SourceReport, logs: Sequence[SourceReport]) -> int:
    """Count the failures that a result file and the logs of a job both tell."""
    if not logs or not report.failures:
        return 0
    return sum(len(one.sources) > 1 for one in merge([report, *logs]))


def _named_alike(one: Artifact, found: Sequence[CommitCheck]) -> list[CommitCheck]:
    """Keep those whose names have most in common with that of an archive."""
    words = set(WORDS.findall(one.name.lower()))
    fitting = [len(words & set(WORDS.findall(check.name.lower()))) for check in found]
    return [check for check, fits in zip(found, fitting, strict=True) if fits == max(fitting)]


def _was_up(check: CommitCheck, at: datetime | None, slack: timedelta) -> bool:
    """Return whether a job may have been running at a time; one whose times nobody knows may."""
    began, ended = check.started_at, check.completed_at
    if at is None or began is None or ended is None:
        return True
    return began - slack <= at <= ended + slack
