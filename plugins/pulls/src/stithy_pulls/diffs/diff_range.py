"""The commits between which the diff of a pull request is taken."""

from attrs import frozen

from stithy_core.spi import Context, PullRequest
from stithy_pulls.git.fetch_sources import (
    ABSENT_REF,
    create_branch_source,
    create_commit_source,
    create_missing_head_error,
    find_head_source,
)
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.git.git_repository import OID, GitRepository
from stithy_pulls.git.path_history import find_merge_base
from stithy_pulls.git.ref_fetching import fetch_refs


@frozen
class DiffRange:
    """The commits of a diff.

    Args:
        target: The tip of the base branch; after a merge, its tip before the merge.
        merge_base: The best common ancestor of target and head.
        head: The head of the pull request.
    """

    target: str
    merge_base: str
    head: str


async def find_diff_range(ctx: Context, repository: GitRepository, pull: PullRequest) -> DiffRange:
    """Fetch both ends of the diff, and find their merge base.

    After a merge the base branch contains the head. Then the base is the one that the forge recorded, or the first
    parent of the merge commit. A rebase creates new commits, so its merge base is still the fork point.

    Raises:
        GitError: An end is missing, or the two have no common commit.
    """
    head, branch = find_head_source(repository.forge, pull), create_branch_source(pull.base.branch)
    recorded = [pull.base.commit] if pull.state != "open" and OID.fullmatch(pull.base.commit) else []
    bases = [branch, *map(create_commit_source, recorded)]
    fetched = await fetch_refs(ctx, repository, [head, *bases])
    if head.label not in fetched.tips:
        raise create_missing_head_error(pull, fetched.missing.get(head.label, ABSENT_REF))
    tip = fetched.tips[head.label]
    known = [fetched.tips[base.label] for base in bases if base.label in fetched.tips]
    for target in [*(known[1:] or known), *await _list_merge_parents(repository, pull, tip)] if pull.merged else known:
        merge_base = await find_merge_base(repository, target, tip)
        if merge_base and not (pull.merged and merge_base == tip):
            return DiffRange(target, merge_base, tip)
    raise GitError(
        f"git found no merge base of {pull.ref} and {pull.base.branch}",
        suggestion="Check that the base branch exists and is related.",
    )


async def _list_merge_parents(repository: GitRepository, pull: PullRequest, tip: str) -> list[str]:
    """Return the first parent of the merge commit; empty for a fast-forward."""
    if not OID.fullmatch(pull.merge_commit) or pull.merge_commit == tip:
        return []
    output = await repository.git(
        "rev-parse", "--verify", "--quiet", f"{pull.merge_commit}^1", allowed_codes=(0, 1, 128)
    )
    found = output.stdout.decode().strip()
    return [found] if OID.fullmatch(found) else []
