"""Between which commits a pull request's diff is taken."""

from attrs import frozen

from stithy_core.spi import Context, PullRequest
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.git.git_repository import OID, GitRepository
from stithy_pulls.git.path_history import find_merge_base
from stithy_pulls.git.ref_fetching import branch_ref, create_missing_head_error, fetch_refs, get_open_heads, pull_ref


@frozen
class DiffRange:
    """Commits.

    Args:
        target: What it goes into: the tip of the base branch, or what that was before the merge.
        parted: The last commit that target and head have in common.
        head: What is to be merged, or was.
    """

    target: str
    merge_base: str
    head: str


async def find_diff_range(ctx: Context, repository: GitRepository, pull: PullRequest) -> DiffRange:
    """Fetch both ends, and find where they parted.

    After a merge the base branch holds the head, so the base is looked for as it was before: as the forge recorded it,
    or as the first parent of the commit that the merge made. Of a rebase it is the fork point all the same, since the
    commits that it made are others.

    Raises:
        NoGit: An end is not there, or the two have nothing in common.
    """
    head, branch = pull_ref(pull.ref.number), branch_ref(pull.base.branch)
    recorded = [pull.base.commit] if pull.state != "open" and OID.fullmatch(pull.base.commit) else []
    fetched = await fetch_refs(ctx, repository, [head, branch, *recorded], get_open_heads([pull]))
    if head not in fetched.tips:
        raise create_missing_head_error(pull, fetched.missing)
    tip = fetched.tips[head]
    known = [fetched.tips[name] for name in (branch, *recorded) if name in fetched.tips]
    for target in [*(known[1:] or known), *await _before(repository, pull, tip)] if pull.merged else known:
        parted = await find_merge_base(repository, target, tip)
        if parted and not (pull.merged and parted == tip):
            return DiffRange(target, parted, tip)
    raise GitError(
        f"git does not find where {pull.ref} left {pull.base.branch}",
        suggestion="The branch may be gone, or unrelated.",
    )


async def _before(repository: GitRepository, pull: PullRequest, tip: str) -> list[str]:
    """Give the first parent of what the merge made; a fast forward made nothing."""
    if not OID.fullmatch(pull.merge_commit) or pull.merge_commit == tip:
        return []
    output = await repository.git(
        "rev-parse", "--verify", "--quiet", f"{pull.merge_commit}^1", allowed_codes=(0, 1, 128)
    )
    found = output.stdout.decode().strip()
    return [found] if OID.fullmatch(found) else []
