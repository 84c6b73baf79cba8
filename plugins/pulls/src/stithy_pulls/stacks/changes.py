"""What is new where a pull request is to stand."""

from attrs import frozen

from stithy_pulls.git.commits import CommitEntry, count_commits, list_commits
from stithy_pulls.git.history import find_merge_base, list_changed_paths
from stithy_pulls.stacks.plan import PullMove, RebaseTarget
from stithy_pulls.stacks.pool import CommitPool

MOST_COMMITS = 10


@frozen(kw_only=True)
class NewCommits:
    """The newest commits that it has not, how many there are, and the files that differ since the two parted."""

    commits: tuple[CommitEntry, ...]
    total: int
    files: tuple[str, ...]


async def list_new_commits(pool: CommitPool, move: PullMove, foot: RebaseTarget) -> NewCommits:
    """List what is new in what a pull request is to stand on."""
    commits = await list_commits(pool.repository, [foot.sha], [move.head], most=MOST_COMMITS)
    total = await count_commits(pool.repository, move.head, foot.sha)
    parted = await find_merge_base(pool.repository, foot.sha, move.head)
    files = await list_changed_paths(pool.repository, parted, foot.sha) if parted and commits else set()
    return NewCommits(commits=tuple(commits), total=total, files=tuple(sorted(files)))
