"""How to continue while CI runs: when to ask again, and when the end is expected."""

import math
from collections import defaultdict
from collections.abc import Container, Sequence
from datetime import datetime, timedelta
from statistics import median
from typing import cast

from stithy_ci.ci_state.commit_state import CommitState
from stithy_ci.ci_waiting import LATEST, SOONEST
from stithy_ci.failing.answer_schema import PollInfo
from stithy_ci.sources.job_cache import get_token_cache
from stithy_core.spi import (
    Context,
    Forge,
    ForgeError,
    PullRequest,
    RepositoryRef,
    Unknown,
    Verdict,
    WorkflowRun,
    excerpt,
    map_concurrently,
    or_unknown,
)

ENDED = frozenset({Verdict.PASSED, Verdict.FAILED})
"""Runs that were completed: the duration of a cancelled one shows nothing."""
MOST_NAMED, WORDS = 4, 60
"""Jobs that are named in a sentence, and characters of a name."""
MOST_RUNS, MOST_ASKED = 3, 6
"""Runs of one workflow, and of all, whose duration is requested."""


async def create_poll_info(ctx: Context, forge: Forge, pull: PullRequest, truth: CommitState) -> PollInfo | None:
    """Return how to continue while CI runs, or required checks are missing; None if it has ended."""
    left, every = len(truth.under_way), len(truth.checks)
    if not left and truth.status != "pending":
        return None
    expected = await estimate_end(ctx, forge, pull, truth)
    seconds = math.ceil((expected - forge.now()).total_seconds()) if expected else LATEST
    after = min(max(seconds, SOONEST), LATEST)
    state = f"CI still running: {left} of {every} checks have to end" if left else "Required checks are to be reported"
    again = f"Call get_failing_tests again with the same arguments in {after}s, or with wait=true."
    return PollInfo(
        message=f"{state}. {await _describe_missing_runners(forge, truth)}{again}",
        estimated_completion=expected,
        retry_after_seconds=after,
    )


async def _describe_missing_runners(forge: Forge, truth: CommitState) -> str:
    """Return a sentence with the jobs that wait for a runner, and their labels.

    Without such a runner they wait forever.
    """
    pending = [check.run for check in truth.under_way if check.run and check.verdict is Verdict.PENDING]
    selected = list(dict.fromkeys(pending))[:MOST_RUNS]
    listed = await map_concurrently(selected, lambda run: or_unknown(forge.checks.jobs(truth.repository, run)))
    jobs = [job for found in listed if not isinstance(found, Unknown) for job in found if job.awaits_runner]
    if not jobs:
        return ""
    named = "; ".join(
        f"{excerpt(job.name, WORDS)} ({excerpt(', '.join(job.labels), WORDS)})" for job in jobs[:MOST_NAMED]
    )
    more = f" and {len(jobs) - MOST_NAMED} more" if len(jobs) > MOST_NAMED else ""
    return f"Waiting for a runner with these labels: {named}{more}. "


async def estimate_end(ctx: Context, forge: Forge, pull: PullRequest, truth: CommitState) -> datetime | None:
    """Estimate the end of the last run, from the duration of runs of the same workflows on the base branch.

    None if one of the workflows did not run there, or a duration is not known.
    """
    going = _list_running(truth)
    if not going or not pull.base.commit:
        return None
    try:
        listed = await or_unknown(forge.checks.runs(truth.repository, pull.base.commit))
        before = () if isinstance(listed, Unknown) else listed
        took = await _measure_durations(ctx, forge, truth.repository, before, {run.name for run in going})
    except ForgeError:
        return None
    ends = [run.started_at + took[run.name] for run in going if run.started_at and run.name in took]
    latest = max(ends, default=None)
    return latest if latest and len(ends) == len(going) and latest > forge.now() else None


async def _measure_durations(
    ctx: Context, forge: Forge, repository: RepositoryRef, runs: Sequence[WorkflowRun], names: Container[str]
) -> dict[str, timedelta]:
    """Return the duration of each workflow's runs: the median of a few."""
    wanted: dict[str, list[WorkflowRun]] = defaultdict(list)
    for run in runs:
        if run.name in names and run.started_at and run.verdict in ENDED and len(wanted[run.name]) < MOST_RUNS:
            wanted[run.name].append(run)
    selected = [run for found in wanted.values() for run in found][:MOST_ASKED]
    took: dict[str, list[timedelta]] = defaultdict(list)
    for run, ended in zip(
        selected, await map_concurrently(selected, lambda run: _find_end(ctx, forge, repository, run)), strict=True
    ):
        if ended and run.started_at and ended > run.started_at:
            took[run.name].append(ended - run.started_at)
    return {name: timedelta(seconds=median(one.total_seconds() for one in found)) for name, found in took.items()}


async def _find_end(ctx: Context, forge: Forge, repository: RepositoryRef, run: WorkflowRun) -> datetime | None:
    """Return the end of a run: GitHub reports it for jobs only, so the jobs are requested once."""
    if run.completed_at:
        return run.completed_at
    key, kept = (repository, "ended", run.id, run.attempt), await get_token_cache(ctx, forge)
    if (before := kept.get(key)) is not None:
        return cast("datetime", before)
    jobs = await or_unknown(forge.checks.jobs(repository, run.id))
    ends = [job.completed_at for job in (() if isinstance(jobs, Unknown) else jobs)]
    known_ends = [end for end in ends if end]
    if not known_ends or len(known_ends) < len(ends):
        return None
    kept.store(key, max(known_ends), 0)
    return max(known_ends)


def _list_running(truth: CommitState) -> list[WorkflowRun]:
    """Return the runs of the running checks; none if one of the checks belongs to no run."""
    runs = [truth.run_of(check) for check in truth.under_way]
    return [] if None in runs else list({run.id: run for run in runs if run}.values())
