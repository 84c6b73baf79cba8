"""The mode without a force push: the new base is merged into each branch, the lowest first.

A squash has the changes of the pull request below, and so has the branch above, by other commits: git sees two
independent edits of the same lines. Their content is known, however. A commit that joins the squash and the last commit
of the lower pull request tells git so: then that commit is the merge base, and only other changes can conflict.
"""

import time
from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from stithy_core.spi import Maybe, Unknown
from stithy_pulls.conflicts.conflict_groups import group_messages
from stithy_pulls.conflicts.merge_tree import merge_commits
from stithy_pulls.git.commit_log import is_ancestor
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.git.loose_objects import write_commit
from stithy_pulls.stacks.commit_pool import CommitPool
from stithy_pulls.stacks.move_plan import PullMove
from stithy_pulls.stacks.rebase_replay import get_tree

MergePrediction = Literal["clean", "conflict"]


@frozen(kw_only=True)
class BranchMerge:
    """A merge of the new base into the branch of a pull request.

    Args:
        number: The pull request.
        joined: The last lower commit in its history, whose changes the new base has by other commits; empty if git
            finds the right merge base by itself.
        outcome: The predicted result.
        conflicts: The files in conflict.
    """

    number: int
    joined: str
    outcome: Maybe[MergePrediction]
    conflicts: tuple[str, ...] = ()


async def plan_merges(pool: CommitPool, moves: Sequence[PullMove]) -> tuple[BranchMerge, ...]:
    """Predict the merge of each branch that does not have its new base yet.

    Args:
        pool: The commits, with all heads.
        moves: The pull requests, each after the one that it is stacked on.
    """
    found: dict[int, BranchMerge] = {}
    tips: dict[int, str] = {}
    for move in moves:
        number, below = move.pull.ref.number, found.get(move.below)
        if below is None and await is_ancestor(pool.repository, move.target.sha, move.head):
            continue
        joined = move.fork_point.upstream if below is None and move.fork_point.foreign else ""
        theirs = tips[move.below] if below else await _join(pool, move.target.sha, joined)
        found[number], tips[number] = await _predict_merge(pool, move, joined, theirs, below)
    return tuple(found.values())


async def _join(pool: CommitPool, base: str, lower: str) -> str:
    """Return a commit with the content of the new base that descends from the lower commit, too."""
    return _write_commit(pool, await get_tree(pool.repository, base), base, lower) if lower else base


async def _predict_merge(
    pool: CommitPool, move: PullMove, joined: str, theirs: str, below: BranchMerge | None
) -> tuple[BranchMerge, str]:
    """Return the prediction, and the merge as a commit, with markers where it conflicts."""
    number = move.pull.ref.number
    try:
        merged = await merge_commits(pool.repository, move.head, theirs)
    except GitError as fault:
        return BranchMerge(number=number, joined=joined, outcome=Unknown(fault.message, fault.suggestion)), theirs
    paths = tuple(dict.fromkeys(path for group in group_messages(merged) for path in group.paths))
    outcome: Maybe[MergePrediction] = "clean" if merged.clean else "conflict"
    if below is not None and below.outcome != "clean":
        outcome = Unknown(f"it depends on the merge into #{below.number}", "Resolve that one first.")
    conflicts = () if merged.clean else paths
    tip = _write_commit(pool, merged.tree, move.head, theirs)
    return BranchMerge(number=number, joined=joined, outcome=outcome, conflicts=conflicts), tip


def _write_commit(pool: CommitPool, tree: str, *parents: str) -> str:
    return write_commit(pool.repository.folder, tree, *parents, seconds=int(time.time()))
