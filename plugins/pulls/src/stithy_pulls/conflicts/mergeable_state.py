"""The forge's own verdict on a merge, read again while the forge computes it."""

from typing import Literal, TypeAlias

import anyio

from stithy_core.spi import NOT_REPORTED, Context, Forge, ForgeError, Maybe, PullRequest, Unknown

MergeableState: TypeAlias = Literal["clean", "unstable", "dirty", "unknown"]

TRIES = 4
PAUSE = 1.0
"""Seconds between two requests. GitHub needs about as long for its test merge."""


def may_be_computing(pull: PullRequest) -> bool:
    """Return whether a later request may return the verdict: it is unknown, and the forge does report it."""
    return pull.state == "open" and isinstance(pull.mergeable, Unknown) and pull.mergeable != NOT_REPORTED


async def await_mergeable(ctx: Context, forge: Forge, pull: PullRequest) -> PullRequest:
    """Read the pull request again while the forge computes whether it can be merged, up to `TRIES` times."""
    for _ in range(TRIES):
        if not may_be_computing(pull) or ctx.remaining() < 2 * PAUSE:
            break
        await anyio.sleep(PAUSE)
        try:
            again = await forge.pull_requests.get(pull.ref)
        except ForgeError:  # the earlier answer is still valid
            break
        if again.head.commit != pull.head.commit:  # somebody pushed: the merge that git tried has the former head
            break
        pull = again
    return pull


def get_mergeable_state(pull: PullRequest, target: str) -> Maybe[MergeableState]:
    """Return the forge's verdict as clean, unstable, dirty or unknown. Unknown is never reported as clean or dirty."""
    if target != pull.base.branch:
        reason = f"the forge checks merges into {pull.base.branch} only"
        return Unknown(reason, "See has_conflicts, which comes from git.", shown="unknown")
    if isinstance(pull.mergeable, Unknown):
        return Unknown(pull.mergeable.reason, pull.mergeable.remedy, shown="unknown")
    if not pull.mergeable:
        return "dirty"
    return "unstable" if pull.forge_state.lower() == "unstable" else "clean"
