"""How to go on while CI is under way: when to ask again, and when the end is to be expected."""

import math
from datetime import datetime, timedelta
from statistics import median

from stithy_ci.failing.results import PollInfo
from stithy_ci.truth.reading import Truth
from stithy_ci.waiting import LATEST, SOONEST
from stithy_core.spi import Forge, ForgeError, Listing, PullRequest, Unknown, WorkflowRun, known


async def poll_info(forge: Forge, pull: PullRequest, truth: Truth) -> PollInfo | None:
    """Say how to go on while CI is under way, or something is awaited; None where it has ended."""
    left, every = len(truth.under_way), len(truth.checks)
    if not left and truth.status != "pending":
        return None
    expected = await estimate(forge, pull, truth)
    seconds = math.ceil((expected - forge.now()).total_seconds()) if expected else LATEST
    after = min(max(seconds, SOONEST), LATEST)
    state = f"CI still running: {left} of {every} checks have to end" if left else "Required checks are to be reported"
    return PollInfo(
        message=f"{state}. Call get_failing_tests again with the same arguments in {after}s, or with wait=true.",
        estimated_completion=expected,
        retry_after_seconds=after,
    )


async def estimate(forge: Forge, pull: PullRequest, truth: Truth) -> datetime | None:
    """Say when the last run will have ended, from how long runs of the same workflows took on the base branch."""
    going = _going(truth)
    if not going or not pull.base.commit:
        return None
    try:
        before = await known(forge.checks.runs(truth.repository, pull.base.commit))
    except ForgeError:
        return None
    took = durations(before)
    ends = [run.started_at + took[run.name] for run in going if run.started_at and run.name in took]
    latest = max(ends, default=None)
    return latest if latest and len(ends) == len(going) and latest > forge.now() else None


def durations(runs: Listing[WorkflowRun] | Unknown) -> dict[str, timedelta]:
    """Give how long runs of each workflow take, where the forge tells when they ended."""
    took: dict[str, list[float]] = {}
    for run in () if isinstance(runs, Unknown) else runs:
        if run.started_at and run.completed_at:
            took.setdefault(run.name, []).append((run.completed_at - run.started_at).total_seconds())
    return {name: timedelta(seconds=median(seconds)) for name, seconds in took.items()}


def _going(truth: Truth) -> list[WorkflowRun]:
    """Give the runs that checks under way belong to; none where one of those belongs to no run."""
    runs = [truth.run_of(check) for check in truth.under_way]
    return [] if None in runs else list({run.id: run for run in runs if run}.values())
