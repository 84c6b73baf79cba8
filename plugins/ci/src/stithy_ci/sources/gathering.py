"""All that is said of the checks that have failed, from every source, some at once."""

from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from datetime import timedelta
from typing import Any, cast
from urllib.parse import urlsplit

from attrs import evolve, field, frozen

from ci_failures.merging import incompleteness
from ci_failures.source_reports import LogPage, SourceReport
from stithy_ci.log_parsers import log_parsers
from stithy_ci.settings import MEGABYTE, CiSettings
from stithy_ci.sources.annotations import Remarks, read_remarks
from stithy_ci.sources.artifacts import FilesTold, read_result_files
from stithy_ci.sources.logs import LogTold, read_log
from stithy_ci.sources.memory import memory_of
from stithy_ci.sources.owners import RunOf, owned
from stithy_ci.sources.steps import failed_step, page_of
from stithy_ci.truth.reading import Truth
from stithy_core.spi import (
    Checks,
    CommitCheck,
    Context,
    Forge,
    ForgeError,
    Unsupported,
    WorkflowJob,
    map_concurrently,
)

AT_ONCE, RUNS_AT_ONCE = 6, 2
"""Checks that are read at once, and runs beside them."""
FRESH = timedelta(minutes=1)
"""For so long after its end a run's jobs and archives may not be told whole."""
MOST_READ = 100
"""Failed checks whose sources are read; of more, each still has its entry."""


@frozen(kw_only=True)
class Subject:
    """A check that has failed, and what the sources say of it alone.

    Args:
        check: What it is.
        url: Where people read it: the step that failed, where that is known.
        page: Which lines of the log are that step's, where that is certain.
        log: What its log says; None where it has none, or none was asked for.
        remarks: What its annotations say.
        silence: Why the log of a job was not even asked for.
        note: Where the log is that could not be read, or is not of the forge's own CI.
    """

    check: CommitCheck
    url: str
    page: LogPage | None = None
    log: LogTold | None = None
    remarks: Remarks = field(factory=Remarks)
    silence: str = ""
    note: str = ""

    @property
    def reports(self) -> tuple[SourceReport, ...]:
        """What is known by name: of the log, and of annotations where the log tells nothing."""
        reports = self.log.reports if self.log else ()
        told = tuple(evolve(report, url=self.url, page=self.page) for report in reports)
        if any(not failure.flaky for report in told for failure in report.failures) or not self.remarks.failures:
            return told
        said = SourceReport(
            source="annotation",
            check=self.check.name,
            job=self.check.job,
            url=self.url,
            failures=self.remarks.failures,
            gap=self.remarks.gap,
        )
        return (*told, said)

    @property
    def hint(self) -> str:
        """What is said of the check as a whole, the most telling first."""
        log = self.log.hint if self.log else ""
        return next(filter(None, (self.remarks.hint, log, self.check.summary)), "")

    @property
    def unexplained(self) -> str:
        """Why no source says what failed: where its log is, or what the log shows."""
        unknown = self.log.unknown if self.log else ""
        return self.note or (f"Its log does not say what failed: {unknown}" if unknown else "")

    @property
    def gaps(self) -> tuple[str, ...]:
        """What could not be read, and where a tool counts more failures than its log tells."""
        gaps = (self.silence, self.remarks.gap, self.log.gap if self.log else "")
        said = [f"{self.check.name}: {gap}" for gap in gaps if gap]
        reports = self.log.reports if self.log and not self.log.gap else ()
        return (*said, *filter(None, map(incompleteness, reports)))


@frozen(kw_only=True)
class Gathered:
    """What all sources say of the failed checks.

    Args:
        subjects: Those that were read, in the order of the checks.
        reports: Of all of them, by job.
        gaps: What could not be read, each with whose it is.
    """

    subjects: tuple[Subject, ...] = ()
    reports: tuple[SourceReport, ...] = ()
    gaps: tuple[str, ...] = ()


async def gather(ctx: Context, forge: Forge, truth: Truth, checks: Sequence[CommitCheck]) -> Gathered:
    """Read what the sources say of failed checks; what cannot be read is said, and the rest stands.

    Args:
        ctx: The call.
        forge: Where they are.
        truth: The commit's.
        checks: Those of it that have failed, and are to be read.
    """
    read = tuple(checks[:MOST_READ])
    runs = {run.id: run for run in map(truth.run_of, read) if run}
    of_runs = [
        RunOf(run=run, checks=[one for one in read if one.run == run.id], settled=_settled(forge, truth, run.id))
        for run in runs.values()
    ]
    questions: tuple[Callable[[], Awaitable[Any]], ...] = (
        lambda: _jobs(ctx, forge, truth, read),
        lambda: map_concurrently(read, lambda check: _subject(ctx, forge, truth, check), at_once=AT_ONCE),
        lambda: map_concurrently(
            of_runs, lambda of: read_result_files(ctx, forge, truth.repository, of), at_once=RUNS_AT_ONCE
        ),
    )
    jobs, found, files = await map_concurrently(questions, lambda question: question())
    subjects = [_led(one, jobs.get(one.check.job)) for one in found]
    beyond = [f"{len(checks) - MOST_READ} failed checks more were not read"] if len(checks) > MOST_READ else []
    return Gathered(
        subjects=tuple(subjects),
        reports=(*await ctx.thread(_owned, files, subjects), *(said for one in subjects for said in one.reports)),
        gaps=(*beyond, *(gap for one in subjects for gap in one.gaps), *(gap for one in files for gap in one.gaps)),
    )


def _owned(files: Sequence[FilesTold], subjects: Sequence[Subject]) -> list[SourceReport]:
    """Return what result files say, each with its job, where that is known."""
    logs = {one.check.id: one.reports for one in subjects}
    return [owned(found.report, found.checks, logs) for one in files for found in one.found]


def _settled(forge: Forge, truth: Truth, run: str) -> Hashable:
    """Return what is the same as long as nothing of a run is run again; None while it goes on, or just ended."""
    jobs = [(check.id, check.completed_at) for check in truth.checks if check.run == run]
    ends = [end for _, end in jobs if end]
    if not ends or len(ends) < len(jobs) or forge.now() - max(ends) < FRESH:
        return None
    return frozenset(jobs)


async def _jobs(ctx: Context, forge: Forge, truth: Truth, checks: Sequence[CommitCheck]) -> Mapping[str, WorkflowJob]:
    """Read the jobs of the runs of checks, for their steps and times; without them all the rest stands."""
    kept = await memory_of(ctx, forge)

    async def jobs_of(run: str) -> Sequence[WorkflowJob]:
        settled = _settled(forge, truth, run)
        key = truth.repository, "jobs", run, settled
        if settled is not None and (before := kept.get(key)) is not None:
            return cast("Sequence[WorkflowJob]", before)
        try:
            found = await forge.checks.jobs(truth.repository, run)
        except (ForgeError, Unsupported):
            return ()
        if settled is not None:
            kept.put(key, found, len(found))
        return found

    found = await map_concurrently(dict.fromkeys(check.run for check in checks if check.run), jobs_of)
    return {job.id: job for jobs in found for job in jobs}


async def _subject(ctx: Context, forge: Forge, truth: Truth, check: CommitCheck) -> Subject:
    """Read what a check alone says; of one that has ended only once, since it does not change."""
    key = (truth.repository, check.kind, check.id, check.raw, check.completed_at)
    kept = await memory_of(ctx, forge)
    if check.completed_at and (before := kept.get(key)):
        return cast("Subject", before)
    made, log, silence = ctx.shared(log_parsers), None, ""
    if check.job:
        most = ctx.settings(CiSettings).most_log_mb * MEGABYTE
        log = await read_log(ctx, forge, truth.repository, check, parsers=made, most=most)
    elif check.run and check.kind != "run":
        silence = (await forge.supports(Checks.log)).reason or "the forge does not say which job it is"
    else:
        silence = check.log_hidden
    remarks = await read_remarks(forge, truth.repository, check, made)
    note = _whereabouts(forge, check)
    subject = Subject(check=check, url=check.url, log=log, remarks=remarks, silence=silence, note=note)
    if not (remarks.gap or (log and log.gap)):
        kept.put(key, subject, sum(len(report.failures) for report in subject.reports))
    return subject


def _whereabouts(forge: Forge, check: CommitCheck) -> str:
    """Return where a log is that was not read: hidden from this token, or of another CI, as far as the check says."""
    if check.job or check.run:
        return ""
    if check.log_hidden:
        return f"Its log was not read: {check.log_hidden}"
    if not check.url:
        return "It does not say where its log is"
    there = urlsplit(check.url).netloc != urlsplit(forge.config.url).netloc
    return f"Its log is not on this forge: look at {check.url}" if there else ""


def _led(subject: Subject, job: WorkflowJob | None) -> Subject:
    """Let a subject lead to the step that failed, as far as the forge tells steps apart."""
    step = failed_step(job)
    exits = subject.log.exits if subject.log else ()
    page = page_of(step, exits, subject.remarks.whole)
    return evolve(subject, url=step.url if step and step.url else subject.check.url, page=page)
