"""Read all sources of the failed checks, several at a time."""

from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, cast
from urllib.parse import urlsplit

from attrs import evolve, field, frozen

from ci_failures import Failure
from ci_failures.failure_merging import incompleteness
from ci_failures.source_reports import LogPage, SourceReport
from stithy_ci.ci_settings import MEGABYTE, CiSettings
from stithy_ci.ci_state.commit_state import CommitState
from stithy_ci.log_parsers import load_log_parsers
from stithy_ci.sources.annotations import CheckAnnotations, read_annotations
from stithy_ci.sources.artifact_owners import FailedRun, RunReports, assign_job
from stithy_ci.sources.artifacts import read_result_files, search_archives
from stithy_ci.sources.failed_step import find_failed_step, find_page
from stithy_ci.sources.job_cache import get_token_cache
from stithy_ci.sources.job_log import JobLog, read_log
from stithy_ci.sources.test_reports import read_test_report
from stithy_core.spi import (
    Checks,
    CommitCheck,
    Context,
    Forge,
    ForgeError,
    Unsupported,
    WorkflowJob,
    WorkflowRun,
    map_concurrently,
)

AT_ONCE, RUNS_AT_ONCE = 6, 2
"""Checks that are read concurrently, and runs beside them."""
FRESH = timedelta(minutes=1)
"""So long after its end, the jobs and artifacts of a run may be incomplete."""
MOST_READ = 100
"""Failed checks whose sources are read; further ones have an entry of their own."""


@frozen(kw_only=True)
class Subject:
    """A failed check, and what its own sources report.

    Args:
        check: The check.
        url: The page where people read it: the failed step, if it is known.
        page: The lines of the log that belong to that step, if they are certain.
        log: The log of its job; None if it has none, or none was requested.
        remarks: Its annotations.
        silence: Why the log of its job was not requested.
        note: Where the log is that could not be read, or that is not of the forge's own CI.
    """

    check: CommitCheck
    url: str
    page: LogPage | None = None
    log: JobLog | None = None
    remarks: CheckAnnotations = field(factory=CheckAnnotations)
    silence: str = ""
    note: str = ""

    @property
    def reports(self) -> tuple[SourceReport, ...]:
        """The failures that are known by name: those of the log, or of annotations if the log has none."""
        reports = self.log.reports if self.log else ()
        log_reports = tuple(evolve(report, url=self.url, page=self.page) for report in reports)
        if any(not failure.flaky for report in log_reports for failure in report.failures) or not self.remarks.failures:
            return log_reports
        annotation_report = SourceReport(
            source="annotation",
            check=self.check.name,
            job=self.check.job,
            url=self.url,
            failures=self.remarks.failures,
            gap=self.remarks.gap,
        )
        return (*log_reports, annotation_report)

    @property
    def hint(self) -> str:
        """The most informative text about the check as a whole."""
        log = self.log.hint if self.log else ""
        return next(filter(None, (self.remarks.hint, log, self.check.summary)), "")

    @property
    def first_error(self) -> Failure | None:
        """The first line like an error of the step that failed, if its log names nothing that failed."""
        return self.log.first_error if self.log else None

    @property
    def cuts(self) -> tuple[str, ...]:
        """What was left out of its log at a bound, such as the end of a long line."""
        return tuple(f"{self.check.name}: {cut}" for cut in self.log.cuts) if self.log else ()

    @property
    def unexplained(self) -> str:
        """Why no source shows what failed: where its log is, or what the log shows."""
        unknown = self.log.unknown if self.log else ""
        return self.note or (f"Its log does not say what failed: {unknown}" if unknown else "")

    @property
    def gaps(self) -> tuple[str, ...]:
        """What could not be read, and where a tool counts more failures than its log contains."""
        of_log = (self.log.gap, *self.log.missed) if self.log else ()
        gaps = (self.silence, self.remarks.gap, *of_log)
        own_gaps = [f"{self.check.name}: {gap}" for gap in gaps if gap]
        reports = self.log.reports if self.log and not self.log.gap else ()
        return (*own_gaps, *filter(None, map(incompleteness, reports)))


@frozen(kw_only=True)
class Gathered:
    """What all sources of the failed checks report.

    Args:
        truth: The state of the commit, with its runs.
        subjects: The checks that were read, in their order.
        reports: The reports of all checks.
        gaps: What could not be read, each with its check.
        cuts: What was left out of logs at a bound, each with its check.
        partial: The names of checks whose log, annotations or test report lack failures, or may lack some.
    """

    truth: CommitState
    subjects: tuple[Subject, ...] = ()
    reports: tuple[SourceReport, ...] = ()
    gaps: tuple[str, ...] = ()
    cuts: tuple[str, ...] = ()
    partial: frozenset[str] = frozenset()


@frozen(kw_only=True)
class RunSources:
    """What the runs of failed checks report beside their jobs.

    Args:
        truth: The state of the commit, with its runs.
        failed: Its failed checks.
        of_runs: Their runs.
        tests: The test reports, in the order of the runs.
        files: The result files, in the same order.
    """

    truth: CommitState
    failed: Sequence[CommitCheck]
    of_runs: Sequence[FailedRun]
    tests: Sequence[RunReports]
    files: Sequence[RunReports]


async def gather_sources(ctx: Context, forge: Forge, truth: CommitState, checks: Sequence[CommitCheck]) -> Gathered:
    """Read the sources of failed checks; a source that cannot be read is a gap.

    Args:
        ctx: The call.
        forge: The forge of the commit.
        truth: The state of the commit.
        checks: Its failed checks that are to be read.
    """

    async def select_checks() -> tuple[CommitState, Sequence[CommitCheck]]:
        return truth, checks

    return await gather_early_sources(ctx, forge, truth, checks, finish=select_checks)


async def gather_early_sources(
    ctx: Context,
    forge: Forge,
    early: CommitState,
    checks: Sequence[CommitCheck],
    *,
    finish: Callable[[], Awaitable[tuple[CommitState, Sequence[CommitCheck]]]],
) -> Gathered:
    """Read the sources of failed checks while the runs of the commit are read.

    Args:
        ctx: The call.
        forge: The forge of the commit.
        early: The state of the commit, perhaps without its runs.
        checks: Its failed checks that are to be read.
        finish: Returns the state with its runs, and its failed checks that are to be read.
    """

    async def read_rest() -> RunSources:
        truth, failed = await finish()
        return await _read_run_sources(ctx, forge, truth, failed)

    questions = (lambda: _read_own_sources(ctx, forge, early, checks[:MOST_READ]), read_rest)
    found, runs = await map_concurrently(questions, _ask)
    # A failed run without a check is known only now.
    late = [check for check in runs.failed[:MOST_READ] if check not in found]
    found |= await _read_own_sources(ctx, forge, runs.truth, late)
    return await _combine_sources(ctx, forge, runs, [found[check] for check in runs.failed[:MOST_READ]])


async def _ask(question: Callable[[], Awaitable[Any]]) -> Any:
    return await question()


async def _read_own_sources(
    ctx: Context, forge: Forge, truth: CommitState, checks: Sequence[CommitCheck]
) -> dict[CommitCheck, Subject]:
    """Return what the logs, annotations and jobs of failed checks report."""
    questions: tuple[Callable[[], Awaitable[Any]], ...] = (
        lambda: _read_jobs(ctx, forge, truth, checks),
        lambda: map_concurrently(checks, lambda check: _read_subject(ctx, forge, truth, check), at_once=AT_ONCE),
    )
    jobs, found = await map_concurrently(questions, _ask)
    return {one.check: _add_step_page(one, jobs.get(one.check.job)) for one in found}


async def _read_run_sources(
    ctx: Context, forge: Forge, truth: CommitState, failed: Sequence[CommitCheck]
) -> RunSources:
    """Read the test reports and the result files of the runs of failed checks."""
    home, read = truth.repository, failed[:MOST_READ]
    runs = {run.id: run for run in map(truth.run_of, read) if run}
    of_runs = [_create_failed_run(forge, truth, run, read) for run in runs.values()]
    questions: tuple[Callable[[], Awaitable[Any]], ...] = (
        lambda: map_concurrently(of_runs, lambda of: read_test_report(ctx, forge, home, of), at_once=RUNS_AT_ONCE),
        lambda: map_concurrently(of_runs, lambda of: read_result_files(ctx, forge, home, of), at_once=RUNS_AT_ONCE),
    )
    tests, files = await map_concurrently(questions, _ask)
    return RunSources(truth=truth, failed=failed, of_runs=of_runs, tests=tests, files=files)


async def _combine_sources(ctx: Context, forge: Forge, runs: RunSources, subjects: Sequence[Subject]) -> Gathered:
    """Search further archives for what no source explains, and return all reports."""
    home, beyond = runs.truth.repository, len(runs.failed) - MOST_READ
    reports = await ctx.thread(_assign_jobs, [*runs.tests, *runs.files], subjects)
    left = [
        (evolve(of, checks=_list_unexplained(of, subjects, reports)), one.unopened)
        for of, one in zip(runs.of_runs, runs.files, strict=True)
        if one.unopened
    ]
    searched = await map_concurrently(left, lambda one: search_archives(ctx, forge, home, *one), at_once=RUNS_AT_ONCE)
    reports += await ctx.thread(_assign_jobs, searched, subjects)
    in_part = [check for of, one in zip(runs.of_runs, runs.tests, strict=True) if one.gaps for check in of.checks]
    return Gathered(
        truth=runs.truth,
        subjects=tuple(subjects),
        reports=(*reports, *(report for one in subjects for report in one.reports)),
        gaps=(
            *([f"{beyond} failed checks more were not read"] if beyond > 0 else []),
            *(gap for one in subjects for gap in one.gaps),
            *(gap for one in (*runs.tests, *runs.files, *searched) for gap in one.gaps),
        ),
        cuts=tuple(cut for one in subjects for cut in one.cuts),
        partial=frozenset(check.name for check in (*in_part, *(one.check for one in subjects if one.gaps))),
    )


def _assign_jobs(read: Iterable[RunReports], subjects: Sequence[Subject]) -> list[SourceReport]:
    """Return the reports of runs, each with its job if that is known."""
    logs = {one.check.id: one.reports for one in subjects}
    return [assign_job(found.report, found.checks, logs) for one in read for found in one.found]


def _list_unexplained(of: FailedRun, subjects: Iterable[Subject], reports: Sequence[SourceReport]) -> list[CommitCheck]:
    """Return the failed jobs of a run of which no source shows by name what failed, or none was read completely."""
    if any(report.failures and not report.job and report.url == of.run.url for report in reports):
        return []  # some job of the run has these failures, and nothing shows which
    own = [report for one in subjects if not one.gaps for report in one.reports]
    named = {
        report.job
        for report in (*reports, *own)
        if not report.gap and any(not failure.flaky for failure in report.failures)
    }
    return [check for check in of.checks if check.job not in named]


def _create_failed_run(forge: Forge, truth: CommitState, run: WorkflowRun, read: Iterable[CommitCheck]) -> FailedRun:
    checks = [check for check in read if check.run == run.id]
    return FailedRun(run=run, checks=checks, settled=_create_settled_key(forge, truth, run.id))


def _create_settled_key(forge: Forge, truth: CommitState, run: str) -> Hashable:
    """Return a key that changes when a run is repeated; None while it runs, or has just ended."""
    jobs = [(check.id, check.completed_at) for check in truth.checks if check.run == run]
    ends = [end for _, end in jobs if end]
    if not ends or len(ends) < len(jobs) or forge.now() - max(ends) < FRESH:
        return None
    return frozenset(jobs)


async def _read_jobs(
    ctx: Context, forge: Forge, truth: CommitState, checks: Sequence[CommitCheck]
) -> Mapping[str, WorkflowJob]:
    """Read the jobs of the checks' runs, for their steps and times; without them, the rest is complete."""
    kept = await get_token_cache(ctx, forge)

    async def jobs_of(run: str) -> Sequence[WorkflowJob]:
        settled = _create_settled_key(forge, truth, run)
        key = truth.repository, "jobs", run, settled
        if settled is not None and (before := kept.get(key)) is not None:
            return cast("Sequence[WorkflowJob]", before)
        try:
            found = await forge.checks.jobs(truth.repository, run)
        except (ForgeError, Unsupported):
            return ()
        if settled is not None:
            kept.store(key, found, len(found))
        return found

    found = await map_concurrently(dict.fromkeys(check.run for check in checks if check.run), jobs_of)
    return {job.id: job for jobs in found for job in jobs}


async def _read_subject(ctx: Context, forge: Forge, truth: CommitState, check: CommitCheck) -> Subject:
    """Read a check's own sources; those of an ended check are cached, since they do not change."""
    key = (truth.repository, check.kind, check.id, check.raw, check.completed_at)
    kept = await get_token_cache(ctx, forge)
    if check.completed_at and (before := kept.get(key)):
        return cast("Subject", before)
    made = ctx.shared(load_log_parsers)
    most = ctx.settings(CiSettings).most_log_mb * MEGABYTE

    async def find_log() -> tuple[JobLog | None, str]:
        if check.job:
            return await read_log(ctx, forge, truth.repository, check, parsers=made, most=most), ""
        if check.run and check.kind != "run":
            return None, (await forge.supports(Checks.log)).reason or "the forge does not say which job it is"
        return None, check.log_hidden

    questions: tuple[Callable[[], Awaitable[Any]], ...] = (
        find_log,
        lambda: read_annotations(forge, truth, check, made),
    )
    (log, silence), remarks = await map_concurrently(questions, _ask)
    note = _describe_log_place(forge, check)
    subject = Subject(check=check, url=check.url, log=log, remarks=remarks, silence=silence, note=note)
    if not (remarks.gap or (log and log.gap)):
        kept.store(key, subject, sum(len(report.failures) for report in subject.reports))
    return subject


def _describe_log_place(forge: Forge, check: CommitCheck) -> str:
    """Return the place of a log that was not read: hidden from this token, or in another CI."""
    if check.job or check.run:
        return ""
    if check.log_hidden:
        return f"Its log was not read: {check.log_hidden}"
    if not check.url:
        return "It does not say where its log is"
    there = urlsplit(check.url).netloc != urlsplit(forge.config.url).netloc
    return f"Its log is not on this forge: look at {check.url}" if there else ""


def _add_step_page(subject: Subject, job: WorkflowJob | None) -> Subject:
    """Return a check with the URL and the lines of its failed step, as far as the forge reports steps."""
    step = find_failed_step(job)
    exits = subject.log.exits if subject.log else ()
    page = find_page(step, exits, subject.remarks.whole)
    return evolve(subject, url=step.url if step and step.url else subject.check.url, page=page)
