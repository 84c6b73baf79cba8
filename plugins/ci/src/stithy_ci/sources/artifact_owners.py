"""The job of a result file: archives and test reports belong to a run, and a failure to a job.

An archive of an earlier attempt contains other tests. Of a run with several failed jobs, the time of the upload shows
the job, or a part of its name, or a log with the same failures; otherwise the file belongs to the run.
"""

import re
from collections.abc import Hashable, Mapping, Sequence
from datetime import datetime, timedelta

from attrs import evolve, frozen

from ci_failures.failure_merging import merge
from ci_failures.source_reports import SourceReport
from stithy_core.spi import Artifact, CommitCheck, WorkflowRun

SLACK = timedelta(seconds=60)
"""Allowed difference between the clocks of a runner and of the artifact store."""
NONE = timedelta()
WORDS = re.compile(r"[a-z0-9]+")


@frozen(kw_only=True)
class FailedRun:
    """A run with failed jobs.

    Args:
        run: The run.
        checks: Its failed jobs.
        settled: A key that changes when the run is repeated; None while it may still change by itself.
    """

    run: WorkflowRun
    checks: Sequence[CommitCheck]
    settled: Hashable = None


@frozen
class RunReport:
    """A report of a run, and the failed jobs that it may be about."""

    report: SourceReport
    checks: Sequence[CommitCheck]


@frozen(kw_only=True)
class RunReports:
    """What one kind of source reports of a run.

    Args:
        found: The reports.
        gaps: What could not be read.
        unopened: Archives that may contain result files, although their names do not show it.
    """

    found: tuple[RunReport, ...] = ()
    gaps: tuple[str, ...] = ()
    unopened: tuple[Artifact, ...] = ()


def is_old(one: Artifact, of: FailedRun) -> bool:
    """Check whether an archive belongs to an attempt before the latest."""
    begun = of.run.started_at
    return of.run.attempt > 1 and one.created_at is not None and begun is not None and one.created_at < begun - SLACK


def list_candidate_jobs(one: Artifact, of: FailedRun) -> list[CommitCheck]:
    """Return the failed jobs that may have uploaded an archive: those that ran at its creation.

    Archives of other jobs are irrelevant: a job that passed has no failures.
    """
    if one.job:
        return [check for check in of.checks if check.job == one.job]
    found = [check for check in of.checks if _can_have_run(check, one.created_at, SLACK)]
    exact = [check for check in found if _can_have_run(check, one.created_at, NONE)]
    return select_similar_names(one.name, exact or found)


def assign_job(
    report: SourceReport, checks: Sequence[CommitCheck], logs: Mapping[str, Sequence[SourceReport]]
) -> SourceReport:
    """Return a report with the job of its file, if that is known.

    Args:
        report: The report of a result file.
        checks: The failed jobs that may have uploaded it.
        logs: The reports of their logs, by `CommitCheck.id`.
    """
    alike = {check.id: _count_common_failures(report, logs.get(check.id, ())) for check in checks}
    most = max(alike.values(), default=0)
    silent = [check for check in checks if not any(one.failures for one in logs.get(check.id, ()))]
    fitting = list(checks) if len(checks) == 1 else [check for check in checks if alike[check.id] == most > 0]
    if not most and len(checks) > 1:
        fitting = silent
    if len(fitting) != 1:
        return report
    (check,) = fitting
    return evolve(report, check=check.name, job=check.job, url=check.url)


def _count_common_failures(report: SourceReport, logs: Sequence[SourceReport]) -> int:
    """Count the failures that a result file and the logs of a job have in common."""
    if not logs or not report.failures:
        return 0
    return sum(len(one.sources) > 1 for one in merge([report, *logs]))


def select_similar_names(name: str, found: Sequence[CommitCheck]) -> list[CommitCheck]:
    """Return the jobs whose names have the most words in common with that of an archive or a suite."""
    words = set(WORDS.findall(name.lower()))
    fitting = [len(words & set(WORDS.findall(check.name.lower()))) for check in found]
    return [check for check, fits in zip(found, fitting, strict=True) if fits == max(fitting)]


def _can_have_run(check: CommitCheck, at: datetime | None, slack: timedelta) -> bool:
    """Check whether a job may have run at a time; a job without known times may."""
    began, ended = check.started_at, check.completed_at
    if at is None or began is None or ended is None:
        return True
    return began - slack <= at <= ended + slack
