"""How long CI takes, from earlier runs; unknown without finished runs."""

from collections.abc import Iterable, Sequence

from attrs import frozen

from stithy_core.spi import (
    Forge,
    Maybe,
    PullRequest,
    StithyError,
    Unknown,
    WorkflowRun,
    map_concurrently,
)

UNMEASURED = Unknown("no finished CI run on these commits", shown="unknown")
LONGEST = 86_400.0
"""Seconds. A longer run was waiting for a person."""


@frozen
class CiDuration:
    """The seconds that CI took on each of some commits."""

    seconds: tuple[float, ...] = ()

    def format_single(self) -> str | None:
        """Return how long one run takes; None if unknown."""
        return _format_duration(self.seconds, len(self.seconds)) if self.seconds else None

    def format_total(self, count: int) -> Maybe[str]:
        """Return how long several consecutive runs take."""
        if not self.seconds:
            return UNMEASURED
        return _format_duration([count * seconds for seconds in self.seconds], len(self.seconds))


async def measure_ci_duration(forge: Forge, pulls: Iterable[PullRequest]) -> CiDuration:
    """Measure CI on the heads of pull requests: the longest run on each commit, because runs are concurrent."""

    async def measure(pull: PullRequest) -> float | None:
        return await _find_longest_run(forge, pull)

    found = await map_concurrently([pull for pull in pulls if pull.head.commit], measure)
    return CiDuration(tuple(seconds for seconds in found if seconds is not None))


async def _find_longest_run(forge: Forge, pull: PullRequest) -> float | None:
    try:
        runs: Sequence[WorkflowRun] = await forge.checks.runs(pull.ref.repository, pull.head.commit, pr=pull.ref)
    except StithyError:
        return None
    took = [
        (run.completed_at - run.started_at).total_seconds()
        for run in runs
        if run.started_at and run.completed_at and run.attempt == 1
    ]
    return max((seconds for seconds in took if 0 < seconds < LONGEST), default=None)


def _format_duration(seconds: Sequence[float], count: int) -> str:
    low, high = _format_seconds(min(seconds)), _format_seconds(max(seconds))
    source = "1 earlier run" if count == 1 else f"{count} earlier runs"
    return f"{low} of CI, by {source}" if low == high else f"{low} to {high} of CI, by {source}"


def _format_seconds(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"  # noqa: PLR2004 -- a minute and a half
