"""Wait for CI: a job that polls, and outlives its call, so that a later call joins it.

A poll is a read that a forge with validators answers for free. The job continues without a call: if a host gives up
early, its next call gets what has happened meanwhile.
"""

from datetime import timedelta

from anyio import Event, create_task_group, current_time, sleep
from attrs import define, field

from stithy_ci.ci_settings import CiSettings
from stithy_ci.ci_state.commit_state import CommitState, read_head_state
from stithy_core.spi import (
    Context,
    Forge,
    Job,
    PullRequest,
    RateLimited,
    Scope,
    Unavailable,
    Unknown,
)

SOONEST, LATEST = 10, 30
"""Seconds between two polls: the longer nothing happens, the more."""
LONGEST = 1_800
FAULTS = 5
"""Polls in a row that may fail."""
YOUNG = timedelta(minutes=2)
"""So long after a push, its checks may still be missing."""
SPARE = 30
"""Seconds of the call that remain for reading what failed."""


@define
class Watch:
    """The data that a job has read so far."""

    pull: PullRequest
    truth: CommitState
    changed: Event = field(factory=Event)

    def see(self, pull: PullRequest, truth: CommitState) -> bool:
        """Store what was read, and return whether anything has changed."""
        before, self.pull, self.truth = self.truth, pull, truth
        if (before.commit, before.checks) == (truth.commit, truth.checks):
            return False
        self.changed.set()
        self.changed = Event()
        return True


@define
class JobNumbers:
    """Numbers of the running jobs: an ended job is not joined, since CI may have started again."""

    given: int = 0
    open: dict[str, int] = field(factory=dict)

    def number_for(self, key: str) -> int:
        """Return the number of a key's running job, or a new one."""
        if key not in self.open:
            self.given += 1
            self.open[key] = self.given
        return self.open[key]


def create_job_numbers(scope: Scope) -> JobNumbers:  # noqa: ARG001 -- a factory is handed its scope
    """Create the numbers; call `scope.shared(create_job_numbers)` to share them within a server."""
    return JobNumbers()


async def wait_for_ci(
    ctx: Context, forge: Forge, pull: PullRequest, truth: CommitState, *, bail: bool
) -> tuple[PullRequest, CommitState]:
    """Wait until CI has ended, or the first check has failed, at most as long as this call may.

    Args:
        ctx: The call.
        forge: The forge of the pull request.
        pull: The pull request, as it was read.
        truth: The state of its head commit at that time.
        bail: Whether to stop at the first failure.

    Raises:
        ForgeError: Several polls in a row failed.
    """
    if is_over(forge, pull, truth, bail=bail):
        return pull, truth
    open_turns = ctx.shared(create_job_numbers)
    key = f"{forge.config.alias} {pull.ref} bail={bail} {await forge.token_identity()}"

    async def work(watch: Watch) -> Watch:
        try:
            return await _watch(forge, watch, bail=bail)
        finally:
            open_turns.open.pop(key, None)

    turn = open_turns.number_for(key)
    job = ctx.job(f"{key} {turn}", work, Watch(pull, truth))
    most = min(ctx.settings(CiSettings).wait_seconds, ctx.remaining() - SPARE)
    await _follow(ctx, job, most)
    return job.so_far.pull, job.so_far.truth


def is_over(forge: Forge, pull: PullRequest, truth: CommitState, *, bail: bool) -> bool:
    """Check whether there is nothing to wait for; a recent push may still get its checks."""
    if truth.blocking and bail:
        return True
    if truth.under_way:
        return False
    to_come = not truth.checks or bool(truth.missing)
    changed = pull.created_at if isinstance(pull.updated_at, Unknown) else pull.updated_at
    return not (to_come and forge.now() - changed < YOUNG)


async def _follow(ctx: Context, job: Job[Watch, Watch], seconds: float) -> None:
    """Wait for a job, and report each change."""

    async def report() -> None:
        while True:
            watch = job.so_far
            changed = watch.changed  # taken first: a change during the report is reported next
            done = len(watch.truth.checks) - len(watch.truth.under_way)
            failed = len(watch.truth.failing)
            await ctx.progress(done, len(watch.truth.checks), f"{done} checks have ended, {failed} of them failed")
            await changed.wait()

    async with create_task_group() as group:
        group.start_soon(report)
        await job.within(max(0.0, seconds))
        group.cancel_scope.cancel()


async def _watch(forge: Forge, watch: Watch, *, bail: bool) -> Watch:
    """Poll until CI is over, 30 minutes at most."""
    ends, pause, faults = current_time() + LONGEST, float(SOONEST), 0
    while not is_over(forge, watch.pull, watch.truth, bail=bail) and current_time() + pause < ends:
        await sleep(pause)
        try:
            changed = watch.see(*await read_head_state(forge, watch.pull.ref, rules=watch.truth.rules))
        except (RateLimited, Unavailable) as error:
            faults += 1
            if faults == FAULTS:
                raise
            pause = max(float(LATEST), error.retry_after or 0.0)
            continue
        faults = 0
        pause = float(SOONEST) if changed else min(pause * 1.5, LATEST)
    return watch
