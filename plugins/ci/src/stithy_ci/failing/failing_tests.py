"""The tool `get_failing_tests`: from a pull request to what failed in its CI (PULL-10)."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

from attrs import evolve

from ci_failures.failure_merging import merge
from ci_failures.rerun_commands import Rerun, commands_for, rerun_by
from ci_failures.source_reports import MergedFailure
from stithy_ci.baseline import BaseFailures, find_base_failures, mark_entry
from stithy_ci.ci_state.check_verdicts import format_verdict, has_failed, is_blocking, is_under_way
from stithy_ci.ci_state.commit_state import (
    CommitState,
    create_early_state,
    read_checks,
    read_pull_request,
    read_rules,
    read_runs,
)
from stithy_ci.ci_waiting import wait_for_ci
from stithy_ci.failing.answer_instructions import create_instructions, explain_status
from stithy_ci.failing.answer_schema import Checks, CiInfo, FailingTests, Flaky, NotPassed, RunRow, parse_run_id
from stithy_ci.failing.failure_entry import Entry, create_annotation_entries, create_check_entry, create_failure_entry
from stithy_ci.failing.poll_estimate import create_poll_info
from stithy_ci.failing.repository_paths import map_files
from stithy_ci.log_parsers import load_log_parsers
from stithy_ci.sources.check_sources import Gathered, gather_early_sources, gather_sources
from stithy_ci.tools import GetFailingTests
from stithy_core.spi import (
    CommitCheck,
    Context,
    Forge,
    Maybe,
    Page,
    PullRequest,
    PullRequestChecks,
    Unknown,
    Verdict,
    WorkflowRun,
    map_concurrently,
)

MOST_NAMED = 20


async def get_failing_tests(ctx: Context, args: GetFailingTests) -> FailingTests:
    """Return the failures in the CI of a pull request."""
    forge, ref = await ctx.pull_request(args.pr)
    # The parsers are loaded while the first request is waited for.
    questions = (lambda: read_pull_request(forge, ref), lambda: ctx.thread(ctx.shared, load_log_parsers))
    (pull, found), made = await map_concurrently(questions, _read_answer)
    if args.wait:
        pull, gathered = await _read_after_wait(ctx, forge, pull, found, bail=args.bail_on_first)
    else:
        gathered = await _read_at_once(ctx, forge, pull, found)
    truth = gathered.truth
    read = drop_collateral(truth.failing)
    merged = await ctx.thread(lambda: merge(gathered.reports))
    failed = [one for one in merged if not one.failure.flaky]
    rerun = rerun_by(made.by_tool)
    entries = await ctx.thread(create_entries, truth, read, gathered, failed, rerun)
    entries = await map_files(ctx, forge, truth.repository, truth.commit, entries)
    before: BaseFailures | None = None
    if args.compare_base:
        before = await find_base_failures(ctx, forge, pull, read)
        entries = [mark_entry(entry, before) for entry in entries]
    commands = await ctx.thread(commands_for, [one.failure for one in failed], rerun)
    gaps = (*gathered.gaps, *([truth.cut] if truth.cut else ()))
    return FailingTests(
        pr=str(pull.ref),
        commit=truth.commit,
        status=truth.status,
        message=explain_status(truth) or None,
        ci_info=_create_ci_info(truth, entries),
        runs=_create_run_rows(truth),
        checks=_create_checks(truth),
        total_failures=_count_entries(len(entries), gaps, truth),
        failures=Page(entries, key=lambda entry: entry.key),
        flaky=_create_flaky(merged),
        instructions=create_instructions(truth, entries, commands),
        poll_info=await create_poll_info(ctx, forge, pull, truth),
        incomplete=(*_shorten_gaps((*gaps, *gathered.cuts)), *_list_cuts(truth, merged)) or None,
        base_commit=before.commit if before else None,
    )


async def _read_after_wait(
    ctx: Context, forge: Forge, pull: PullRequest, found: PullRequestChecks | None, *, bail: bool
) -> tuple[PullRequest, Gathered]:
    """Wait until CI has ended, and read what failed."""

    async def read_state() -> CommitState:
        return await (read_runs(forge, pull, create_early_state(found)) if found else read_checks(forge, pull))

    truth, rules = await map_concurrently((read_state, lambda: read_rules(forge, pull, found)), _read_answer)
    pull, truth = await wait_for_ci(ctx, forge, pull, evolve(truth, rules=rules), bail=bail)
    return pull, await _gather_failed(ctx, forge, truth)


async def _read_at_once(ctx: Context, forge: Forge, pull: PullRequest, found: PullRequestChecks | None) -> Gathered:
    """Read the checks, and what failed; the rules take some requests in a row, and are read beside all of it."""

    async def read_failed() -> Gathered:
        if found:
            return await _gather_early(ctx, forge, pull, create_early_state(found))
        return await _gather_failed(ctx, forge, await read_checks(forge, pull))

    gathered: Gathered
    gathered, rules = await map_concurrently((read_failed, lambda: read_rules(forge, pull, found)), _read_answer)
    return evolve(gathered, truth=evolve(gathered.truth, rules=rules))


async def _gather_failed(ctx: Context, forge: Forge, truth: CommitState) -> Gathered:
    await _report_failed(ctx, truth)
    return await gather_sources(ctx, forge, truth, drop_collateral(truth.failing))


async def _gather_early(ctx: Context, forge: Forge, pull: PullRequest, early: CommitState) -> Gathered:
    """Read what failed while the runs are read."""

    async def finish() -> tuple[CommitState, Sequence[CommitCheck]]:
        truth = await read_runs(forge, pull, early)
        return truth, drop_collateral(truth.failing)

    await _report_failed(ctx, early)
    return await gather_early_sources(ctx, forge, early, drop_collateral(early.failing), finish=finish)


async def _report_failed(ctx: Context, truth: CommitState) -> None:
    await ctx.progress(0, len(truth.failing) or None, f"reading {len(truth.failing)} failed checks")


async def _read_answer(question: Callable[[], Awaitable[Any]]) -> Any:
    return await question()


def _shorten_gaps(gaps: Sequence[str]) -> tuple[str, ...]:
    """Return the first gaps, and how many more there are."""
    left = len(gaps) - MOST_NAMED
    return (*gaps[:MOST_NAMED], f"and {left} more") if left > 0 else tuple(gaps)


def drop_collateral(failing: Sequence[CommitCheck]) -> list[CommitCheck]:
    """Drop checks that have no failure of their own.

    Something else of their run failed, so that they were cancelled; or they stand for the whole run.
    """
    guilty = {check.run for check in failing if is_blocking(check) and check.verdict is not Verdict.CANCELLED} - {""}
    kept = [check for check in failing if check.verdict is not Verdict.CANCELLED or check.run not in guilty]
    explained = {check.run for check in kept if check.job} - {""}  # a dropped job explains nothing
    return [check for check in kept if check.kind != "run" or check.run not in explained]


def create_entries(
    truth: CommitState, read: Sequence[CommitCheck], gathered: Gathered, failed: Sequence[MergedFailure], rerun: Rerun
) -> list[Entry]:
    """Create all entries in the order of the checks, and one for each check that no source explains.

    Those that are allowed to fail come last.

    Args:
        truth: The state of the commit.
        read: The failed checks that need an entry.
        gathered: What the sources report.
        failed: The failures that are known by name.
        rerun: The function that writes commands.
    """
    reports = [report for one in failed for report in one.reports]
    reported = {report.job or (report.check, report.url) for report in reports}
    subjects = {_get_id(one.check): one for one in gathered.subjects}
    found = [create_failure_entry(one, rerun, truth.allowed) for one in failed]
    for check in read:
        subject = subjects.get(_get_id(check))
        if (check.job or (check.name, subject.url if subject else check.url)) in reported:
            continue
        remarks = create_annotation_entries(subject) if subject else []
        hint, url, note = (
            (subject.hint, subject.url, subject.unexplained) if subject else (check.summary, check.url, "")
        )
        error = subject.first_error if subject else None
        own = remarks or [create_check_entry(check, url, hint, note, error)]
        found += own if is_blocking(check) else [evolve(entry, allowed_to_fail=True) for entry in own]
    order = {check.name: place for place, check in reversed(list(enumerate(truth.checks)))}

    def rank(entry: Entry) -> tuple[bool, bool, int]:
        return entry.allowed_to_fail is True, entry.source == "check", order.get(entry.check_name, len(order))

    return sorted(found, key=rank)


def _get_id(check: CommitCheck) -> tuple[str, str, str]:
    return check.kind, check.id, check.name


def _create_ci_info(truth: CommitState, entries: Sequence[Entry]) -> CiInfo | None:
    """Return the run of the first failure, or otherwise the latest."""
    runs = () if isinstance(truth.runs, Unknown) else tuple(truth.runs)
    check = _find_check(truth, entries[0]) if entries else None
    run = (truth.run_of(check) if check else None) or next(iter(runs), None)
    if run is None:
        return None
    ended = run.completed_at or _find_last_end(truth, run)
    seconds = int((ended - run.started_at).total_seconds()) if ended and run.started_at else None
    return CiInfo(
        workflow_name=run.name,
        run_id=parse_run_id(run.id),
        started_at=run.started_at,
        completed_at=ended,
        duration_seconds=seconds,
        url=run.url or None,
    )


def _find_check(truth: CommitState, entry: Entry) -> CommitCheck | None:
    """Return the failed check of an entry: of those with its name, the one that its URL belongs to."""
    named = [check for check in truth.failing if check.name == entry.check_name]
    page = entry.log_url.partition("#")[0]

    def is_of_page(check: CommitCheck) -> bool:
        run = truth.run_of(check)
        return page != "" and page in {check.url.partition("#")[0], run.url if run else ""}

    return next(filter(is_of_page, named), next(iter(named), None))


def _find_last_end(truth: CommitState, run: WorkflowRun) -> datetime | None:
    """Return the end of a run's last job, since some forges do not report the end of the run."""
    checks = [check for check in truth.checks if check.run == run.id]
    ends = [check.completed_at for check in checks if check.completed_at]
    return max(ends) if ends and not any(map(is_under_way, checks)) else None


def _create_run_rows(truth: CommitState) -> Maybe[tuple[RunRow, ...]]:
    if isinstance(truth.runs, Unknown):
        return truth.runs
    return tuple(
        RunRow(
            workflow_name=run.name,
            run_id=parse_run_id(run.id),
            verdict=run.raw or "unknown" if isinstance(run.verdict, Unknown) else run.verdict.value,
            attempt=run.attempt if run.attempt > 1 else None,
            event=run.event or None,
            url=run.url or None,
        )
        for run in truth.runs
    )


def _create_checks(truth: CommitState) -> Checks:
    return Checks(
        total=len(truth.checks),
        by_verdict=dict(sorted(Counter(map(format_verdict, truth.checks)).items())),
        not_passed=tuple(
            NotPassed(
                name=check.name,
                verdict=format_verdict(check),
                required=truth.is_required(check),
                allowed_to_fail=check.allowed_to_fail is True or None,
                url=check.url or None,
            )
            for check in _list_not_passed(truth)[:MOST_NAMED]
        ),
        missing=truth.missing or None,
    )


def _list_not_passed(truth: CommitState) -> list[CommitCheck]:
    return [check for check in truth.checks if has_failed(check) or isinstance(check.verdict, Unknown)]


def _list_cuts(truth: CommitState, merged: Sequence[MergedFailure]) -> Iterator[str]:
    """Iterate over the lists of the answer that are cut, with how many they have."""
    flaky = sum(one.failure.flaky for one in merged)
    for count, what in ((len(_list_not_passed(truth)), "checks that have not passed"), (flaky, "flaky tests")):
        if count > MOST_NAMED:
            yield f"only the first {MOST_NAMED} of {count:,} {what} are listed"


def _count_entries(count: int, gaps: Sequence[str], truth: CommitState) -> Maybe[int]:
    """Return the number of entries; unknown if there may be more, or if nothing is known about the checks."""
    if truth.status == "unknown" and not truth.cut:
        return Unknown(f"at least {count}: {explain_status(truth)}", "Look at the checks themselves.")
    if gaps:
        return Unknown(f"at least {count}: not everything could be read ({gaps[0]})", "Look at the logs themselves.")
    return count


def _create_flaky(merged: Sequence[MergedFailure]) -> tuple[Flaky, ...] | None:
    found = [
        Flaky(test_name=one.failure.name, check_name=one.reports[0].check, attempts=one.failure.attempts)
        for one in merged
        if one.failure.flaky
    ]
    return tuple(found[:MOST_NAMED]) or None
