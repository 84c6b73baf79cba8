"""How long CI takes, from its own history; what nothing was measured for stays unknown."""

from collections.abc import Iterable, Sequence

from attrs import frozen

from stithy_core.spi import (
    Forge,
    Maybe,
    PullRequest,
    RepositoryRef,
    StithyError,
    Unknown,
    WorkflowRun,
    map_concurrently,
)

UNMEASURED = Unknown("no finished run of CI on these commits tells how long it takes", shown="unknown")
LONGEST = 86_400.0
"""Seconds; what took longer was waited for by somebody, not run."""


@frozen
class CiDuration:
    """How many seconds CI took on each of some commits."""

    seconds: tuple[float, ...] = ()

    def format_single(self) -> str | None:
        """Say how long a run takes; None where nobody knows."""
        return _said(self.seconds, len(self.seconds)) if self.seconds else None

    def format_total(self, count: int) -> Maybe[str]:
        """Say how long several take, one after the other."""
        if not self.seconds:
            return UNMEASURED
        return _said([count * seconds for seconds in self.seconds], len(self.seconds))


async def measure_ci_duration(forge: Forge, pulls: Iterable[PullRequest]) -> CiDuration:
    """Measure CI on the heads of pull requests: of its runs on a commit the longest, since they run side by side."""

    async def measured(pull: PullRequest) -> float | None:
        return await _longest(forge, pull.ref.repository, pull.head.commit)

    found = await map_concurrently([pull for pull in pulls if pull.head.commit], measured)
    return CiDuration(tuple(seconds for seconds in found if seconds is not None))


async def _longest(forge: Forge, repository: RepositoryRef, commit: str) -> float | None:
    try:
        runs: Sequence[WorkflowRun] = await forge.checks.runs(repository, commit)
    except StithyError:
        return None
    took = [
        (run.completed_at - run.started_at).total_seconds()
        for run in runs
        if run.started_at and run.completed_at and run.attempt == 1
    ]
    return max((seconds for seconds in took if 0 < seconds < LONGEST), default=None)


def _said(seconds: Sequence[float], count: int) -> str:
    low, high = _minutes(min(seconds)), _minutes(max(seconds))
    measured = "1 earlier run" if count == 1 else f"{count} earlier runs"
    return f"{low} of CI, by {measured}" if low == high else f"{low} to {high} of CI, by {measured}"


def _minutes(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"  # noqa: PLR2004 -- a minute and a half
