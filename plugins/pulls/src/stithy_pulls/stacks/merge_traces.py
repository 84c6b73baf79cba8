"""Traces of a pull request in its target: changes that git finds without the forge's word, and reverts."""

from collections.abc import Sequence

from attrs import frozen

from stithy_core.spi import PullRequest
from stithy_pulls.conflicts.merge_tree import PartialFetchUnsupported, merge_commits
from stithy_pulls.git.commit_log import count_commits, is_ancestor
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.stacks.commit_pool import CommitPool
from stithy_pulls.stacks.rebase_replay import get_tree, merge_trees

MOST_COMPARED = 200
"""Commits of the target whose changes are compared; each may have to be fetched."""

MOST_REVERTS = 500
REVERTS = "This reverts commit "


@frozen
class MergeTrace:
    """A trace, and whether it covers everything that the pull request changes."""

    text: str = ""
    whole: bool = False


async def find_trace(pool: CommitPool, pull: PullRequest, head: str, target: str) -> MergeTrace:
    """Search the target for a pull request that the forge does not report as merged."""
    branch = pull.base.branch
    if await is_ancestor(pool.repository, head, target):
        return MergeTrace(f"its head {head[:12]} is in {branch}", whole=True)
    if pull.state == "closed" and await _adds_nothing(pool, head, target):
        return MergeTrace(f"merging it would change nothing in {branch}", whole=True)
    return MergeTrace(await _describe_picked(pool, head, target, branch))


async def find_revert(pool: CommitPool, pull: PullRequest, commit: str, before: str) -> str:
    """Return what reverted a merge: the branch was rewritten, or commits say that they revert it; else "".

    Args:
        pool: The commits, with the target.
        pull: The pull request.
        commit: The merge commit, the squash commit, or the last copy of a rebase.
        before: The tip of the target before the merge.
    """
    target = pool.get_branch_tip(pull.base.branch)
    if not target or not commit:
        return ""
    if not await is_ancestor(pool.repository, commit, target):
        return f"{commit[:12]} is no longer in {pull.base.branch}"
    merged_shas = await pool.repository.run_lines(
        *("log", "-z", "--format=%H", "--first-parent", "--max-count=200", commit, *([f"^{before}"] if before else []))
    )
    revert_sha = await _find_lasting_revert(pool, commit, target, merged_shas if before else [commit])
    if revert_sha:
        return f"{revert_sha[:12]} on {pull.base.branch} reverts it"
    if before and await _is_reverted(pool, commit, before, target):
        return f"no change of {commit[:12]} is on {pull.base.branch} any longer"
    return ""


async def _is_reverted(pool: CommitPool, commit: str, before: str, target: str) -> bool:
    """Return whether reverting a merge would change nothing, whatever the messages of later commits say."""
    merged_shas, former, now = [await get_tree(pool.repository, sha) for sha in (commit, before, target)]
    if merged_shas == former:
        return False
    try:
        merged = await merge_trees(pool.repository, merged_shas, now, former)
    except (GitError, PartialFetchUnsupported):
        return False
    return merged.clean and merged.tree == now


async def _adds_nothing(pool: CommitPool, head: str, target: str) -> bool:
    try:
        merged = await merge_commits(pool.repository, target, head)
    except (GitError, PartialFetchUnsupported):
        return False
    return merged.clean and merged.tree == await get_tree(pool.repository, target)


async def _describe_picked(pool: CommitPool, head: str, target: str, branch: str) -> str:
    """Return how many commits have their changes in the target, by cherry-pick or by the same edit."""
    if not 0 < await count_commits(pool.repository, head, target) <= MOST_COMPARED:
        return ""
    try:
        output = await pool.repository.git("cherry", target, head, network=True, time_factor=5)
    except GitError:  # the comparison is optional
        return ""
    rows = output.stdout.decode().split("\n")[:-1]
    picked = sum(row.startswith("-") for row in rows)
    return f"{branch} also has the changes of {picked} of its {len(rows)} commits" if picked else ""


async def _find_lasting_revert(pool: CommitPool, commit: str, target: str, merged_shas: Sequence[str]) -> str:
    """Return the commit that reverted it, by git's wording.

    A revert may itself be reverted, so it reads oldest first.
    """
    words = ("log", "-z", "--format=%H%x1f%B", "--fixed-strings", f"--grep={REVERTS}", f"--max-count={MOST_REVERTS}")
    rows = [row.partition("\x1f") for row in await pool.repository.run_lines(*words, f"{commit}..{target}")]
    revert_sha: dict[str, str] = {}
    for sha, _, body in reversed(rows):
        for name in (*merged_shas, *revert_sha.values()):
            if f"{REVERTS}{name}" in body:
                revert_sha[name] = sha
    return next(
        (
            revert_sha[name]
            for name in merged_shas
            if name in revert_sha and not _is_revert_reverted(revert_sha, revert_sha[name])
        ),
        "",
    )


def _is_revert_reverted(revert_sha: dict[str, str], sha: str) -> bool:
    """Return whether a revert was itself reverted for good."""
    return sha in revert_sha and not _is_revert_reverted(revert_sha, revert_sha[sha])
