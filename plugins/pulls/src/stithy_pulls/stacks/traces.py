"""What git finds of a pull request in its target: what came in without the forge's word, and what went out again."""

from collections.abc import Sequence

from attrs import frozen

from stithy_core.spi import PullRequest
from stithy_pulls.conflicts.merging import Unfetched, merge
from stithy_pulls.git.commits import count, is_ancestor
from stithy_pulls.git.faults import NoGit
from stithy_pulls.stacks.ground import Ground
from stithy_pulls.stacks.replay import merge_trees, tree_of

MOST_COMPARED = 200
"""Commits of the target whose changes are compared: each may have to be fetched."""

MOST_REVERTS = 500
REVERTS = "This reverts commit "


@frozen
class Trace:
    """What was found, and whether it is all that the pull request changes."""

    text: str = ""
    whole: bool = False


async def trace_of(ground: Ground, pull: PullRequest, head: str, target: str) -> Trace:
    """Look for a pull request in its target, which the forge does not call merged."""
    branch = pull.base.branch
    if await is_ancestor(ground.repository, head, target):
        return Trace(f"its head {head[:12]} is in {branch}", whole=True)
    if pull.state == "closed" and await _adds_nothing(ground, head, target):
        return Trace(f"merging it would change nothing in {branch}", whole=True)
    return Trace(await _picked(ground, head, target, branch))


async def taken_back(ground: Ground, pull: PullRequest, commit: str, before: str) -> str:
    """Say what took a merge back: its branch was rewritten, or commits say that they revert it.

    Args:
        ground: Where the target is.
        pull: The pull request.
        commit: The merge, the squash, or the last copy of a rebase.
        before: Where the target was before it.
    """
    target = ground.branch(pull.base.branch)
    if not target or not commit:
        return ""
    if not await is_ancestor(ground.repository, commit, target):
        return f"{commit[:12]} is not in {pull.base.branch} any more"
    made = await ground.repository.lines(
        *("log", "-z", "--format=%H", "--first-parent", "--max-count=200", commit, *([f"^{before}"] if before else []))
    )
    by = await _reverting(ground, commit, target, made if before else [commit])
    if by:
        return f"{by[:12]} on {pull.base.branch} reverts it"
    if before and await _is_undone(ground, commit, before, target):
        return f"nothing of what {commit[:12]} changed is on {pull.base.branch} any more"
    return ""


async def _is_undone(ground: Ground, commit: str, before: str, target: str) -> bool:
    """Check whether to revert a merge would change nothing, whatever the words of the commit that took it back."""
    made, former, now = [await tree_of(ground.repository, sha) for sha in (commit, before, target)]
    if made == former:
        return False
    try:
        merged = await merge_trees(ground.repository, made, now, former)
    except (NoGit, Unfetched):
        return False
    return merged.clean and merged.tree == now


async def _adds_nothing(ground: Ground, head: str, target: str) -> bool:
    try:
        merged = await merge(ground.repository, target, head)
    except (NoGit, Unfetched):
        return False
    ran = await ground.repository.git("rev-parse", f"{target}^{{tree}}")
    return merged.clean and merged.tree == ran.out.decode().strip()


async def _picked(ground: Ground, head: str, target: str, branch: str) -> str:
    """Count the commits whose changes the target has as well, picked or made again."""
    if not 0 < await count(ground.repository, head, target) <= MOST_COMPARED:
        return ""
    try:
        ran = await ground.repository.git("cherry", target, head, network=True, times=5)
    except NoGit:  # it only adds to what is known
        return ""
    rows = ran.out.decode().split("\n")[:-1]
    picked = sum(row.startswith("-") for row in rows)
    return f"{branch} has the changes of {picked} of its {len(rows)} commits as well" if picked else ""


async def _reverting(ground: Ground, commit: str, target: str, made: Sequence[str]) -> str:
    """Find who took it back for good, by the words that git writes; oldest first, since a revert may be reverted."""
    words = ("log", "-z", "--format=%H%x1f%B", "--fixed-strings", f"--grep={REVERTS}", f"--max-count={MOST_REVERTS}")
    rows = [row.partition("\x1f") for row in await ground.repository.lines(*words, f"{commit}..{target}")]
    by: dict[str, str] = {}
    for sha, _, body in reversed(rows):
        for name in (*made, *by.values()):
            if f"{REVERTS}{name}" in body:
                by[name] = sha
    return next((by[name] for name in made if name in by and not _undone(by, by[name])), "")


def _undone(by: dict[str, str], sha: str) -> bool:
    """Say whether a revert was itself reverted for good."""
    return sha in by and not _undone(by, by[sha])
