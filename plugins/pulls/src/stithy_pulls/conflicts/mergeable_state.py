"""What the forge itself says of a merge, asked again while it still computes."""

from typing import Literal, TypeAlias

import anyio

from stithy_core.spi import Context, Forge, ForgeError, Maybe, PullRequest, Unknown

MergeableState: TypeAlias = Literal["clean", "unstable", "dirty", "unknown"]

TRIES = 4
PAUSE = 1.0
"""Seconds between two questions: GitHub needs about as long for its test merge."""


async def await_mergeable(ctx: Context, forge: Forge, pull: PullRequest) -> PullRequest:
    """Ask again while the forge does not say whether it can be merged: some times, and not for long."""
    for _ in range(TRIES):
        if not isinstance(pull.mergeable, Unknown) or pull.state != "open" or ctx.remaining() < 2 * PAUSE:
            break
        await anyio.sleep(PAUSE)
        try:
            again = await forge.pull_requests.get(pull.ref)
        except ForgeError:  # what is known so far is still true
            break
        if again.head.commit != pull.head.commit:  # somebody pushed: what was found is of the former head
            break
        pull = again
    return pull


def get_mergeable_state(pull: PullRequest, target: str) -> Maybe[MergeableState]:
    """Give the forge's verdict in the words of PULL-41; nothing unknown is taken for clean or dirty."""
    if target != pull.base.branch:
        reason = f"the forge tries the merge into {pull.base.branch} alone"
        return Unknown(reason, "has_conflicts is git's answer.", shown="unknown")
    if isinstance(pull.mergeable, Unknown):
        return Unknown(pull.mergeable.reason, pull.mergeable.remedy, shown="unknown")
    if not pull.mergeable:
        return "dirty"
    return "unstable" if pull.forge_state.lower() == "unstable" else "clean"
