"""What became of the base of a stack, and what is to be done."""

from attrs import frozen

from stithy_core.spi import PullRequest
from stithy_pulls.git.commit_log import CommitEntry, count_commits, list_commits
from stithy_pulls.git.path_history import find_merge_base, list_changed_paths
from stithy_pulls.stacks.commit_pool import CommitPool
from stithy_pulls.stacks.merge_outcome import MergeOutcome
from stithy_pulls.stacks.move_plan import PullMove, RebaseTarget
from stithy_pulls.stacks.rebase_strategy import RebaseChoice
from stithy_pulls.stacks.stack_path import StackPath

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


@frozen
class Retarget:
    """A pull request that must go into another branch."""

    pull: PullRequest
    branch: str


@frozen(kw_only=True)
class RestackAdvice:
    """What is moved.

    Args:
        foot: What the lowest is to stand on.
        moves: All of them, the lowest first; there is one at least.
        choice: How the lowest is moved.
    """

    target: RebaseTarget
    moves: tuple[PullMove, ...]
    choice: RebaseChoice


@frozen(kw_only=True)
class StackCase:
    """A stack that git could read.

    Args:
        base: The earlier pull request.
        dependent: The later one.
        fate: What became of the earlier one.
        levels: The open ones above it, moved or not, the lowest first.
        advice: What is moved; None where all stand where they should.
        retarget: What must go into another branch.
    """

    base: PullRequest
    dependent: PullRequest
    outcome: MergeOutcome
    levels: tuple[PullMove, ...] = ()
    advice: RestackAdvice | None = None
    retarget: Retarget | None = None

    @property
    def moves(self) -> tuple[PullMove, ...]:
        """Give what is moved."""
        return self.advice.moves if self.advice else ()

    @property
    def abandoned(self) -> bool:
        """Say whether the base was given up."""
        return self.base.state == "closed" and not self.base.merged


def find_retarget(
    path: StackPath, first: PullRequest, foot: RebaseTarget, *, asked: bool, gone: bool
) -> Retarget | None:
    """Say whether the lowest one must go into another branch: where that which it goes into has ended, or is gone.

    A Gitea 1.25 whose API deletes a branch leaves what goes into it as it is.

    Args:
        path: The whole stack.
        first: The lowest one above the base.
        foot: What it is to stand on.
        asked: Whether the caller chose that.
        gone: Whether there is no such branch any more as it goes into.
    """
    if not foot.branch or first.base.branch == foot.branch:
        return None
    ended = path.found.get(first.ref.number) == "name" and path.list_below(first)[-1].state != "open"
    return Retarget(first, foot.branch) if gone or ended or asked else None
