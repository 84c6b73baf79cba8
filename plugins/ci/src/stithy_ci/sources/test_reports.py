"""The test report of a run, which the forge itself collected from result files: it has the exact names of tests."""

from collections.abc import Iterator, Sequence
from typing import cast

from ci_failures.model import MOST_FAILURES, Failure
from ci_failures.results.reported_tests import read_reported_test
from ci_failures.source_reports import SourceReport
from stithy_ci.sources.artifact_owners import FailedRun, RunReport, RunReports, select_similar_names
from stithy_ci.sources.job_cache import get_token_cache
from stithy_core.spi import (
    CommitCheck,
    Context,
    Forge,
    ForgeError,
    Maybe,
    RepositoryRef,
    TestCase,
    TestReport,
    TestStatus,
    Unknown,
    or_unknown,
)

WRONG = (TestStatus.FAILED, TestStatus.ERROR)


async def read_test_report(ctx: Context, forge: Forge, repository: RepositoryRef, of: FailedRun) -> RunReports:
    """Read the test report of a run by one request; a forge without test reports gets none.

    An empty report, or one without a failure, does not replace other sources: a job may have failed before it uploaded
    its result files.

    Args:
        ctx: The call.
        forge: The forge of the repository.
        repository: The repository.
        of: The run.
    """
    try:
        report = await _request_report(ctx, forge, repository, of)
    except ForgeError as error:
        return RunReports(gaps=(f"the test report of the run {of.run.id} could not be read: {error.message}",))
    if isinstance(report, Unknown):  # this forge has no test reports, or the token may not read them
        return RunReports()
    return await ctx.thread(_read_failures, report, of)


async def _request_report(ctx: Context, forge: Forge, repository: RepositoryRef, of: FailedRun) -> Maybe[TestReport]:
    """Request the test report of a run; that of an ended run is cached."""
    key, kept = (repository, "test report", of.run.id, of.settled), await get_token_cache(ctx, forge)
    if of.settled is not None and (before := kept.get(key)) is not None:
        return cast("TestReport", before)
    report = await or_unknown(forge.checks.test_report(repository, of.run.id))
    if of.settled is not None and not isinstance(report, Unknown):
        kept.store(key, report, len(report.cases))
    return report


def _read_failures(report: TestReport, of: FailedRun) -> RunReports:
    failed = [case for case in report.cases if case.status in WRONG]
    suites: dict[tuple[str, str], list[TestCase]] = {}
    for case in failed[:MOST_FAILURES]:
        suites.setdefault((case.job, case.suite), []).append(case)
    found = [
        RunReport(_create_report(cases, of), checks)
        for (job, suite), cases in suites.items()
        if (checks := _list_checks(job, suite, of))
    ]
    gaps = [f"test report of the run {of.run.id}: {gap}" for gap in _list_gaps(report, len(failed))]
    return RunReports(found=tuple(found), gaps=tuple(gaps))


def _list_checks(job: str, suite: str, of: FailedRun) -> Sequence[CommitCheck]:
    """Return the failed jobs that may have run a suite; none if a job ran it that did not fail."""
    if job:
        return [check for check in of.checks if check.job == job]
    return [check for check in of.checks if check.name == suite] or select_similar_names(suite, of.checks)


def _create_report(cases: Sequence[TestCase], of: FailedRun) -> SourceReport:
    """Create a report of the run; its candidates and the logs may show its job."""
    failures = {(one.tool, one.name): one for one in map(_create_failure, cases)}
    return SourceReport(source="test_report", check=of.run.name, url=of.run.url, failures=tuple(failures.values()))


def _create_failure(case: TestCase) -> Failure:
    return read_reported_test(
        case.name,
        class_name=case.class_name,
        suite=case.suite,
        file=case.file,
        message=case.message,
        stack_trace=case.stack_trace,
    )


def _list_gaps(report: TestReport, failed: int) -> Iterator[str]:
    """Yield why failures may be missing: the forge says so, counts more, or reports words that are not known."""
    if report.cut:
        yield report.cut
    counts = [count for count in (report.failed, report.errors) if not isinstance(count, Unknown)]
    if sum(counts) > failed:
        yield f"it counts {sum(counts):,} failures, and has {failed:,}"
    if failed > MOST_FAILURES:
        yield f"only the first {MOST_FAILURES:,} failures were read"
    if odd := sum(isinstance(case.status, Unknown) for case in report.cases):
        yield f"the status of {odd:,} tests is unknown"
