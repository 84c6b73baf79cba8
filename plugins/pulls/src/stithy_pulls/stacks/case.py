"""What became of the base of a stack, and what is to be done."""

from attrs import frozen

from stithy_core.spi import PullRequest
from stithy_pulls.stacks.merges import MergeOutcome
from stithy_pulls.stacks.path import StackPath
from stithy_pulls.stacks.plan import PullMove, RebaseTarget
from stithy_pulls.stacks.strategy import RebaseChoice


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


def find_retarget(path: StackPath, first: PullRequest, foot: RebaseTarget, *, asked: bool, gone: bool) -> Retarget | None:
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
