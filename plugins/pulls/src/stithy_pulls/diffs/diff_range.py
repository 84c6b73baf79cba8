"""The commits between which the diff of a pull request is taken."""

from attrs import frozen

from stithy_core.spi import Context, PullRequest
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.git.git_repository import OID, GitRepository
from stithy_pulls.git.path_history import find_merge_base
from stithy_pulls.git.ref_fetching import branch_ref, create_missing_head_error, fetch_refs, get_open_heads, pull_ref


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
    head, branch = pull_ref(pull.ref.number), branch_ref(pull.base.branch)
    recorded = [pull.base.commit] if pull.state != "open" and OID.fullmatch(pull.base.commit) else []
    fetched = await fetch_refs(ctx, repository, [head, branch, *recorded], get_open_heads([pull]))
    if head not in fetched.tips:
        raise create_missing_head_error(pull, fetched.missing)
    tip = fetched.tips[head]
    known = [fetched.tips[name] for name in (branch, *recorded) if name in fetched.tips]
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
