"""The state of a stack, and what must be done."""

from attrs import frozen

from stithy_core.spi import Maybe, PullRequest, Unknown
from stithy_pulls.git.commit_log import CommitEntry, count_commits, list_commits
from stithy_pulls.git.fetch_sources import FetchSource
from stithy_pulls.git.path_history import find_merge_base, list_changed_paths
from stithy_pulls.stacks.commit_pool import CommitPool
from stithy_pulls.stacks.merge_outcome import MergeOutcome
from stithy_pulls.stacks.merge_plan import BranchMerge
from stithy_pulls.stacks.move_plan import PullMove, RebaseTarget, list_targets
from stithy_pulls.stacks.rebase_strategy import RebaseChoice, count_own_stops
from stithy_pulls.stacks.stack_path import StackPath

MOST_COMMITS = 10


@frozen(kw_only=True)
class NewCommits:
    """The newest commits that a pull request does not have, their number, and the files changed since the fork."""

    commits: tuple[CommitEntry, ...]
    total: int
    files: tuple[str, ...]


async def list_new_commits(pool: CommitPool, move: PullMove) -> NewCommits:
    """Return the new commits of the branch that a pull request is rebased onto."""
    target = move.target
    commits = await list_commits(pool.repository, [target.sha], [move.head], most=MOST_COMMITS)
    total = await count_commits(pool.repository, move.head, target.sha)
    merge_base = await find_merge_base(pool.repository, target.sha, move.head)
    files = await list_changed_paths(pool.repository, merge_base, target.sha) if merge_base and commits else set()
    return NewCommits(commits=tuple(commits), total=total, files=tuple(sorted(files)))


@frozen
class Retarget:
    """A pull request whose base branch must change."""

    pull: PullRequest
    branch: str


@frozen(kw_only=True)
class RestackAdvice:
    """What is rebased.

    Args:
        moves: The pull requests to rebase, each after the one that it is stacked on; at least one.
        choice: How the first one is rebased.
        merges: The merges instead of rebases, one for each move; empty if they are rebased.
    """

    moves: tuple[PullMove, ...]
    choice: RebaseChoice
    merges: tuple[BranchMerge, ...] = ()

    def find_merge(self, move: PullMove) -> BranchMerge | None:
        """Return the merge for a move; None if it is rebased."""
        return next((one for one in self.merges if one.number == move.pull.ref.number), None)

    def count_stops(self, move: PullMove) -> Maybe[int]:
        """Count the predicted stops of a move; unknown if it depends on another one."""
        merge = self.find_merge(move)
        if merge is None:
            return count_own_stops(move)
        return merge.outcome if isinstance(merge.outcome, Unknown) else int(merge.outcome == "conflict")

    @property
    def targets(self) -> tuple[RebaseTarget, ...]:
        """What the lowest pull requests are rebased onto, that of the first one first."""
        return list_targets(self.moves)

    @property
    def target(self) -> RebaseTarget:
        """What the first pull request is rebased onto."""
        return self.moves[0].target

    def list_sources(self) -> tuple[FetchSource, ...]:
        """Return what a clone must fetch: the targets, and the head of each pull request."""
        return (*(target.source for target in self.targets), *(move.source for move in self.moves))


@frozen(kw_only=True)
class StackCase:
    """A stack that git could read.

    Args:
        base: The lower pull request.
        dependent: The upper pull request.
        outcome: What happened to the lower one.
        levels: The open pull requests above it, each after the one that it is stacked on, whether rebased or not.
        advice: What is rebased; None if nothing must be.
        retargets: The pull requests whose base branch must change.
    """

    base: PullRequest
    dependent: PullRequest
    outcome: MergeOutcome
    levels: tuple[PullMove, ...] = ()
    advice: RestackAdvice | None = None
    retargets: tuple[Retarget, ...] = ()

    @property
    def moves(self) -> tuple[PullMove, ...]:
        """The pull requests to rebase."""
        return self.advice.moves if self.advice else ()

    def list_stops(self) -> list[Maybe[int]]:
        """Return the predicted stops of each move."""
        return [self.advice.count_stops(move) for move in self.moves] if self.advice else []

    @property
    def abandoned(self) -> bool:
        """Whether the base was closed without a merge."""
        return self.base.state == "closed" and not self.base.merged


def find_retarget(
    path: StackPath, first: PullRequest, target: RebaseTarget, *, requested: bool, gone: bool
) -> Retarget | None:
    """Return whether the base branch of the lowest pull request must change, because it was merged or deleted.

    Gitea 1.25 does not change the base of other pull requests when its API deletes a branch.

    Args:
        path: The whole stack.
        first: The lowest pull request above the base.
        target: What it is rebased onto.
        requested: Whether the caller chose the target.
        gone: Whether its base branch was deleted.
    """
    if not target.branch or first.base.branch == target.branch:
        return None
    ended = path.found.get(first.ref.number) == "name" and path.list_below(first)[-1].state != "open"
    return Retarget(first, target.branch) if gone or ended or requested else None
