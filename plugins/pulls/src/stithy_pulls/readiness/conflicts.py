"""Whether a pull request conflicts: what the forge says, or where its word does not decide, what git says."""

from functools import partial

import anyio
from attrs import evolve

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
from stithy_pulls.conflicts.merging import MergeResult
from stithy_pulls.conflicts.trying import try_merge
from stithy_pulls.git.faults import GitError
from stithy_pulls.git.fetching import get_open_heads, list_refs
from stithy_pulls.git.opening import with_repository
from stithy_pulls.git.repository import GitRepository

PAUSES = (0.5, 1.0, 2.0, 3.0)
"""Seconds before each further look at a forge that still processes a push."""
SPARE = 5
"""Seconds of the call that this leaves for the rest."""
TRIES = 2
PAUSE = 1.0
"""Seconds between two questions: GitHub needs about as long for its test merge, and hides the rules meanwhile."""


async def read_settled(ctx: Context, forge: Forge, ref: PullRequestRef) -> Readiness:
    """Read all that stands before a merge, and all of it again while the forge still computes some of it."""
    whole = await _computed(ctx, forge, ref)
    for pause in PAUSES:
        if not await _is_processing_push(ctx, forge, whole):
            return whole
        if ctx.remaining() < pause + SPARE:
            break
        await anyio.sleep(pause)
        whole = await _computed(ctx, forge, ref)
    reason = "the forge is still processing the latest push, after which approvals may be dismissed"
    return evolve(whole, reviews=Unknown(reason, "Ask again in a minute."))


async def _is_processing_push(ctx: Context, forge: Forge, whole: Readiness) -> bool:
    """Return whether the forge has yet to move the ref of the pull request, where that matters.

    Gitea and Forgejo move it before they mark reviews as stale, dismiss approvals and list the changed files again.
    """
    pull = whole.pull_request
    if not whole.doubt or not get_open_heads([pull]) or not _rests_on_former_head(whole):
        return False
    try:
        listed = await with_repository(ctx, forge, pull.ref.repository, partial(list_refs, refs=get_open_heads([pull])))
    except (GitError, Unsupported):  # without git nothing is proven anyway
        return False
    return any(listed.get(ref, sha) != sha for ref, sha in get_open_heads([pull]).items())


def _rests_on_former_head(whole: Readiness) -> bool:
    """Return whether an approval of a former head might count, or a rule is about the changed files."""
    rules, reviews, head = whole.rules, whole.reviews, whole.pull_request.head.commit
    if isinstance(rules, Unknown) or isinstance(reviews, Unknown):  # nothing is proven then
        return False
    by_file = not isinstance(rules.protected_files, Unknown) and bool(rules.protected_files)
    former = any(review.state == "approved" and review.commit != head for review in reviews)
    return by_file or (former and rules.dismisses_stale is not False)


async def _computed(ctx: Context, forge: Forge, ref: PullRequestRef) -> Readiness:
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


async def find_conflict(ctx: Context, forge: Forge, whole: Readiness) -> Maybe[bool]:
    """Find whether it conflicts."""
    said, pull = whole.pull_request.mergeable, whole.pull_request
    if not whole.doubt:
        return said if isinstance(said, Unknown) else not said
    try:
        merged = await with_repository(ctx, forge, pull.ref.repository, partial(_merge, ctx, pull))
    except (GitError, Unsupported) as fault:
        return Unknown(f"{whole.doubt}, and git could not answer: {fault.message}", fault.suggestion)
    return Unknown(merged.refused) if merged.refused else not merged.clean


async def _merge(ctx: Context, pull: PullRequest, repository: GitRepository) -> MergeResult:
    return (await try_merge(ctx, repository, pull, pull.base.branch)).merged
