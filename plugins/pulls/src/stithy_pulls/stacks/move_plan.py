"""Which pull requests must be moved, and onto what."""

from collections.abc import Iterable, Mapping, Sequence

from attrs import evolve, frozen

from stithy_core.spi import NotFound, PullRequest
from stithy_pulls.git.commit_log import find_signed, is_ancestor
from stithy_pulls.git.ref_fetching import branch_ref, pull_ref
from stithy_pulls.stacks.commit_pool import CommitPool
from stithy_pulls.stacks.fork_point import ForkPoint, LowerPulls, find_fork_point
from stithy_pulls.stacks.merge_outcome import MergeOutcome
from stithy_pulls.stacks.rebase_replay import RebaseReplay, ReplayStep, get_tree
from stithy_pulls.stacks.stack_path import StackPath


@frozen(kw_only=True)
class RebaseTarget:
    """What the lowest one that is moved is to stand on.

    Args:
        ref: Its name on the forge, whole.
        name: What people call it.
        sha: Its commit now.
        branch: The branch that the pull request should go into; empty where it is that of a fork.
    """

    ref: str
    name: str
    sha: str
    branch: str


@frozen(kw_only=True)
class PullMove:
    """A pull request that is moved.

    Args:
        pull: Which one.
        head: Its head as it was fetched.
        border: Where its own commits begin.
        onto: The commit that it is to stand on: for all but the first, the present head of the one below.
        stands: Whether it stands there already.
        steps: What happens to each of its own commits.
        signed: The SHAs of its own commits that are signed, where it is moved.
    """

    pull: PullRequest
    head: str
    fork_point: ForkPoint
    onto: str
    stands: bool
    steps: tuple[ReplayStep, ...]
    signed: frozenset[str] = frozenset()

    def list_steps(self) -> tuple[ReplayStep, ...]:
        """Give a step for each own commit, also where it is not replayed."""
        return self.steps or tuple(ReplayStep(entry=entry) for entry in self.fork_point.own)


async def choose_rebase_target(
    pool: CommitPool, path: StackPath, fates: Mapping[int, MergeOutcome], first: PullRequest, onto_base: str | None
) -> RebaseTarget:
    """Choose what the lowest one is to stand on: what was asked for, the nearest open one, or where the merge went.

    Raises:
        NotFound: There is no such branch.
    """
    if onto_base:
        return await _branch(pool, onto_base, asked=True)
    lower = None
    for pull in reversed(path.list_below(first)):
        if lower is not None and not await _went_into(pool, fates[lower.ref.number], pull):
            return await _branch(pool, lower.base.branch)
        if pull.state == "open":
            ours = pull.head.branch if pull.head.repository == pull.base.repository else ""
            sha = pool.require_head(pull)
            return RebaseTarget(ref=pull_ref(pull.ref.number), name=str(pull.ref), sha=sha, branch=ours)
        lower = pull
    assert lower is not None
    return await _branch(pool, lower.base.branch)


async def plan_moves(
    pool: CommitPool,
    levels: Sequence[PullRequest],
    below: Mapping[int, LowerPulls],
    trunk: str,
    foot: RebaseTarget,
) -> list[PullMove]:
    """Follow each own commit of what is moved, from the lowest level up.

    Args:
        pool: Where all heads are.
        levels: The open ones above the base, the lowest first.
        below: By number, what is known of those below it.
        trunk: The tip of the branch at the bottom.
        foot: What the lowest is to stand on.
    """
    replay = RebaseReplay(pool.repository, await get_tree(pool.repository, foot.sha))
    onto, found = foot.sha, list[PullMove]()
    for pull in levels:
        head = pool.require_head(pull)
        border = await find_fork_point(pool, head, evolve(below[pull.ref.number], trunk=trunk, onto=onto))
        stands = await is_ancestor(pool.repository, onto, head) and not border.foreign
        moved = not stands or any(not move.stands for move in found)
        steps = await replay.replay_all(border.own) if moved else []
        if not moved:
            replay.tree = await get_tree(pool.repository, head)
        signatures = await find_signed(pool.repository, border.own) if moved else frozenset[str]()
        move = PullMove(pull=pull, head=head, fork_point=border, onto=onto, stands=not moved, steps=tuple(steps))
        found.append(evolve(move, signed=signatures))
        onto = head
    return found


def describe_ended_target(foot: RebaseTarget, pulls: Iterable[PullRequest]) -> str:
    """Say it where the branch to stand on was merged itself, once, so that what it has now may be nowhere else."""
    ours = [pull for pull in pulls if pull.head.branch == foot.branch and not pull.from_fork]
    if len(ours) != 1 or ours[0].state == "open":
        return ""
    return f"{foot.branch} has ended with {ours[0].ref}: what went into it afterwards is there alone."


async def _branch(pool: CommitPool, name: str, *, asked: bool = False) -> RebaseTarget:
    await pool.fetch_heads([], [name])
    sha = pool.get_branch_tip(name)
    if not sha:
        remedy = "Check onto_base." if asked else "Give the branch that it should stand on as onto_base."
        raise NotFound(f"{pool.home} has no branch {name}", suggestion=remedy)
    return RebaseTarget(ref=branch_ref(name), name=name, sha=sha, branch=name)


async def _went_into(pool: CommitPool, fate: MergeOutcome, pull: PullRequest) -> bool:
    """Say whether a merge is in the head of the one that it went into, where that was merged itself."""
    head = pool.get_head(pull)
    if pull.state == "open" or not fate.commit or not head:
        return True
    return await is_ancestor(pool.repository, fate.commit, head)
