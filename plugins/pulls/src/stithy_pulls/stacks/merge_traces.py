"""What git finds of a pull request in its target: what came in without the forge's word, and what went out again."""

from collections.abc import Sequence

from attrs import frozen

from stithy_core.spi import PullRequest
from stithy_pulls.conflicts.merge_tree import PartialFetchUnsupported, merge_commits
from stithy_pulls.git.commit_log import count_commits, is_ancestor
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.stacks.commit_pool import CommitPool
from stithy_pulls.stacks.rebase_replay import get_tree, merge_trees

MOST_COMPARED = 200
"""Commits of the target whose changes are compared: each may have to be fetched."""

MOST_REVERTS = 500
REVERTS = "This reverts commit "


@frozen
class MergeTrace:
    """What was found, and whether it is all that the pull request changes."""

    text: str = ""
    whole: bool = False


async def find_trace(pool: CommitPool, pull: PullRequest, head: str, target: str) -> MergeTrace:
    """Look for a pull request in its target, which the forge does not call merged."""
    branch = pull.base.branch
    if await is_ancestor(pool.repository, head, target):
        return MergeTrace(f"its head {head[:12]} is in {branch}", whole=True)
    if pull.state == "closed" and await _adds_nothing(pool, head, target):
        return MergeTrace(f"merging it would change nothing in {branch}", whole=True)
    return MergeTrace(await _picked(pool, head, target, branch))


async def find_revert(pool: CommitPool, pull: PullRequest, commit: str, before: str) -> str:
    """Say what took a merge back: its branch was rewritten, or commits say that they revert it.

    Args:
        pool: Where the target is.
        pull: The pull request.
        commit: The merge, the squash, or the last copy of a rebase.
        before: Where the target was before it.
    """
    target = pool.get_branch_tip(pull.base.branch)
    if not target or not commit:
        return ""
    if not await is_ancestor(pool.repository, commit, target):
        return f"{commit[:12]} is not in {pull.base.branch} any more"
    made = await pool.repository.run_lines(
        *("log", "-z", "--format=%H", "--first-parent", "--max-count=200", commit, *([f"^{before}"] if before else []))
    )
    by = await _reverting(pool, commit, target, made if before else [commit])
    if by:
        return f"{by[:12]} on {pull.base.branch} reverts it"
    if before and await _is_undone(pool, commit, before, target):
        return f"nothing of what {commit[:12]} changed is on {pull.base.branch} any more"
    return ""


async def _is_undone(pool: CommitPool, commit: str, before: str, target: str) -> bool:
    """Check whether to revert a merge would change nothing, whatever the words of the commit that took it back."""
    made, former, now = [await get_tree(pool.repository, sha) for sha in (commit, before, target)]
    if made == former:
        return False
    try:
        merged = await merge_trees(pool.repository, made, now, former)
    except (GitError, PartialFetchUnsupported):
        return False
    return merged.clean and merged.tree == now


async def _adds_nothing(pool: CommitPool, head: str, target: str) -> bool:
    try:
        merged = await merge_commits(pool.repository, target, head)
    except (GitError, PartialFetchUnsupported):
        return False
    output = await pool.repository.git("rev-parse", f"{target}^{{tree}}")
    return merged.clean and merged.tree == output.stdout.decode().strip()


async def _picked(pool: CommitPool, head: str, target: str, branch: str) -> str:
    """Count the commits whose changes the target has as well, picked or made again."""
    if not 0 < await count_commits(pool.repository, head, target) <= MOST_COMPARED:
        return ""
    try:
        output = await pool.repository.git("cherry", target, head, network=True, time_factor=5)
    except GitError:  # it only adds to what is known
        return ""
    rows = output.stdout.decode().split("\n")[:-1]
    picked = sum(row.startswith("-") for row in rows)
    return f"{branch} has the changes of {picked} of its {len(rows)} commits as well" if picked else ""


async def _reverting(pool: CommitPool, commit: str, target: str, made: Sequence[str]) -> str:
    """Find who took it back for good, by the words that git writes; oldest first, since a revert may be reverted."""
    words = ("log", "-z", "--format=%H%x1f%B", "--fixed-strings", f"--grep={REVERTS}", f"--max-count={MOST_REVERTS}")
    rows = [row.partition("\x1f") for row in await pool.repository.run_lines(*words, f"{commit}..{target}")]
    by: dict[str, str] = {}
    for sha, _, body in reversed(rows):
        for name in (*made, *by.values()):
            if f"{REVERTS}{name}" in body:
                by[name] = sha
    return next((by[name] for name in made if name in by and not _undone(by, by[name])), "")


def _undone(by: dict[str, str], sha: str) -> bool:
    """Say whether a revert was itself reverted for good."""
    return sha in by and not _undone(by, by[sha])
