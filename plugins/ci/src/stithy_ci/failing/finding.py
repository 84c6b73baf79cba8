"""`get_failing_tests`: from a pull request to what failed in its CI (PULL-10)."""

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any

from ci_failures.merging import merge
from ci_failures.rerun_commands import Rerun, commands_for, rerun_by
from ci_failures.source_reports import MergedFailure
from stithy_ci.baseline import Before, failures_before, marked
from stithy_ci.failing.entries import Entry, entries_of_remarks, entry_of, entry_of_check
from stithy_ci.failing.instructions import instruct, why_unsettled
from stithy_ci.failing.places import located
from stithy_ci.failing.polling import poll_info
from stithy_ci.failing.results import Checks, CiInfo, FailingTests, Flaky, NotPassed, RunRow, run_id
from stithy_ci.log_parsers import log_parsers
from stithy_ci.sources.gathering import Gathered, gather
from stithy_ci.tools import GetFailingTests
from stithy_ci.truth.reading import Truth, read_truth
from stithy_ci.truth.verdicts import has_failed, is_under_way, word_of
from stithy_ci.waiting import settled
from stithy_core.spi import CommitCheck, Context, Maybe, Page, Unknown, Verdict, WorkflowRun, map_concurrently

MOST_NAMED = 20


async def find(ctx: Context, args: GetFailingTests) -> FailingTests:
    """Find what failed."""
    forge, ref = await ctx.pull_request(args.pr)
    # The parsers are loaded while the first answers are awaited.
    questions = (lambda: read_truth(forge, ref), lambda: ctx.thread(ctx.shared, log_parsers))
    (pull, truth), made = await map_concurrently(questions, _ask)
    if args.wait:
        pull, truth = await settled(ctx, forge, pull, truth, bail=args.bail_on_first)
    await ctx.progress(0, len(truth.failing) or None, f"reading {len(truth.failing)} failed checks")
    read = blamed(truth.failing)
    gathered = await gather(ctx, forge, truth, read)
    merged = await ctx.thread(lambda: merge(gathered.reports))
    failed = [one for one in merged if not one.failure.flaky]
    rerun = rerun_by(made.by_tool)
    entries = await ctx.thread(entries_of, truth, read, gathered, failed, rerun)
    entries = await located(ctx, forge, truth.repository, truth.commit, entries)
    before: Before | None = None
    if args.compare_base:
        before = await failures_before(ctx, forge, pull, read)
        entries = [marked(entry, before) for entry in entries]
    commands = await ctx.thread(commands_for, [one.failure for one in failed], rerun)
    gaps = (*gathered.gaps, *([truth.cut] if truth.cut else ()))
    return FailingTests(
        pr=str(pull.ref),
        commit=truth.commit,
        status=truth.status,
        message=why_unsettled(truth) or None,
        ci_info=_ci_info(truth, entries),
        runs=_runs(truth),
        checks=_checks(truth),
        total_failures=_total(len(entries), gaps, truth),
        failures=Page(entries, key=lambda entry: entry.key),
        flaky=_flaky(merged),
        instructions=instruct(truth, entries, commands),
        poll_info=await poll_info(ctx, forge, pull, truth),
        incomplete=_named(gaps) or None,
        base_commit=before.commit if before else None,
    )


async def _ask(question: Callable[[], Awaitable[Any]]) -> Any:
    return await question()


def _named(gaps: Sequence[str]) -> tuple[str, ...]:
    """Return the first gaps, and how many there are more."""
    left = len(gaps) - MOST_NAMED
    return (*gaps[:MOST_NAMED], f"and {left} more") if left > 0 else tuple(gaps)


def blamed(failing: Sequence[CommitCheck]) -> list[CommitCheck]:
    """Drop what was cancelled since something else of its run had failed: it has nothing of its own to say."""
    guilty = {check.run for check in failing if check.run and check.verdict is not Verdict.CANCELLED}
    return [check for check in failing if check.verdict is not Verdict.CANCELLED or check.run not in guilty]


def entries_of(
    truth: Truth, read: Sequence[CommitCheck], gathered: Gathered, failed: Sequence[MergedFailure], rerun: Rerun
) -> list[Entry]:
    """Return all entries in the order of the checks; then one for each check of which no source tells.

    Args:
        truth: The commit's.
        read: The failed checks that need an entry.
        gathered: What the sources say.
        failed: What is known by name.
        rerun: Writes commands.
    """
    reports = [report for one in failed for report in one.reports]
    told = {report.job or (report.check, report.url) for report in reports}
    subjects = {_id_of(one.check): one for one in gathered.subjects}
    found = [entry_of(one, rerun) for one in failed]
    for check in read:
        subject = subjects.get(_id_of(check))
        if (check.job or (check.name, subject.url if subject else check.url)) in told:
            continue
        remarks = entries_of_remarks(subject) if subject else []
        hint, url, note = (
            (subject.hint, subject.url, subject.unexplained) if subject else (check.summary, check.url, "")
        )
        found += remarks or [entry_of_check(check, url, hint, note)]
    order = {check.name: place for place, check in reversed(list(enumerate(truth.checks)))}
    return sorted(found, key=lambda entry: (entry.source == "check", order.get(entry.check_name, len(order))))


def _id_of(check: CommitCheck) -> tuple[str, str, str]:
    return check.kind, check.id, check.name


def _ci_info(truth: Truth, entries: Sequence[Entry]) -> CiInfo | None:
    """Tell of the run of the first failure, or else of the latest."""
    runs = () if isinstance(truth.runs, Unknown) else tuple(truth.runs)
    first = entries[0].check_name if entries else ""
    check = next((one for one in truth.failing if one.name == first), None)
    run = (truth.run_of(check) if check else None) or next(iter(runs), None)
    if run is None:
        return None
    ended = run.completed_at or _last_end(truth, run)
    seconds = int((ended - run.started_at).total_seconds()) if ended and run.started_at else None
    return CiInfo(
        workflow_name=run.name,
        run_id=run_id(run.id),
        started_at=run.started_at,
        completed_at=ended,
        duration_seconds=seconds,
        url=run.url or None,
    )


def _last_end(truth: Truth, run: WorkflowRun) -> datetime | None:
    """Return when the last job of a run ended, where the forge does not say when the run did."""
    checks = [check for check in truth.checks if check.run == run.id]
    ends = [check.completed_at for check in checks if check.completed_at]
    return max(ends) if ends and not any(map(is_under_way, checks)) else None


def _runs(truth: Truth) -> Maybe[tuple[RunRow, ...]]:
    if isinstance(truth.runs, Unknown):
        return truth.runs
    return tuple(
        RunRow(
            workflow_name=run.name,
            run_id=run_id(run.id),
            verdict=run.raw or "unknown" if isinstance(run.verdict, Unknown) else run.verdict.value,
            attempt=run.attempt if run.attempt > 1 else None,
            event=run.event or None,
            url=run.url or None,
        )
        for run in truth.runs
    )


def _checks(truth: Truth) -> Checks:
    harmful = [check for check in truth.checks if has_failed(check) or isinstance(check.verdict, Unknown)]
    return Checks(
        total=len(truth.checks),
        by_verdict=dict(sorted(Counter(map(word_of, truth.checks)).items())),
        not_passed=tuple(
            NotPassed(name=check.name, verdict=word_of(check), required=truth.is_required(check), url=check.url or None)
            for check in harmful[:MOST_NAMED]
        ),
        missing=truth.missing or None,
    )


def _total(count: int, gaps: Sequence[str], truth: Truth) -> Maybe[int]:
    """Return how many entries there are; unknown where there may be more, or where nothing is known of the checks."""
    if truth.status == "unknown" and not truth.cut:
        return Unknown(f"at least {count}: {why_unsettled(truth)}", "Look at the checks themselves.")
    if gaps:
        return Unknown(f"at least {count}: not everything could be read ({gaps[0]})", "Look at the logs themselves.")
    return count


def _flaky(merged: Sequence[MergedFailure]) -> tuple[Flaky, ...] | None:
    found = [
        Flaky(test_name=one.failure.name, check_name=one.reports[0].check, attempts=one.failure.attempts)
        for one in merged
        if one.failure.flaky
    ]
    return tuple(found[:MOST_NAMED]) or None
