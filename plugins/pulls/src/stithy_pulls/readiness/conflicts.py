"""Whether a pull request conflicts: what the forge says, or where its word does not decide, what git says."""

from functools import partial

import anyio

from stithy_core.spi import (
    Context,
    Forge,
    ForgeError,
    Maybe,
    PullRequest,
    PullRequestRef,
    Readiness,
    Unknown,
    Unsupported,
)
from stithy_pulls.conflicts.merging import Merged
from stithy_pulls.conflicts.trying import attempt
from stithy_pulls.git.faults import NoGit
from stithy_pulls.git.opening import reading
from stithy_pulls.git.repository import Repository

TRIES = 2
PAUSE = 1.0
"""Seconds between two questions: GitHub needs about as long for its test merge, and hides the rules meanwhile."""


async def settled(ctx: Context, forge: Forge, ref: PullRequestRef) -> Readiness:
    """Read all that stands before a merge, and all of it again while the forge computes whether it conflicts."""
    whole = await forge.pull_requests.readiness(ref)
    for _ in range(TRIES):
        pull = whole.pull_request
        computing = isinstance(pull.mergeable, Unknown) and pull.state == "open" and not whole.doubt
        if not computing or ctx.remaining() < 2 * PAUSE:
            break
        await anyio.sleep(PAUSE)
        try:
            whole = await forge.pull_requests.readiness(ref)
        except ForgeError:  # what is known so far is still true
            break
    return whole


async def conflicting(ctx: Context, forge: Forge, whole: Readiness) -> Maybe[bool]:
    """Find whether it conflicts."""
    said, pull = whole.pull_request.mergeable, whole.pull_request
    if not whole.doubt:
        return said if isinstance(said, Unknown) else not said
    try:
        merged = await reading(ctx, forge, pull.ref.repository, partial(_merge, ctx, pull))
    except (NoGit, Unsupported) as fault:
        return Unknown(f"{whole.doubt}, and git could not answer: {fault.message}", fault.suggestion)
    return Unknown(merged.refused) if merged.refused else not merged.clean


async def _merge(ctx: Context, pull: PullRequest, repository: Repository) -> Merged:
    return (await attempt(ctx, repository, pull, pull.base.branch)).merged
