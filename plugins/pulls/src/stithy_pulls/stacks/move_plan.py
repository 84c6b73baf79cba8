"""Which pull requests must be rebased, and onto what."""

from collections.abc import Iterable, Mapping

from attrs import evolve, frozen

from stithy_core.spi import NotFound, PullRequest
from stithy_pulls.git.commit_log import find_signed, is_ancestor
from stithy_pulls.git.fetch_sources import FetchSource, create_branch_source, find_head_source
from stithy_pulls.stacks.commit_pool import CommitPool
from stithy_pulls.stacks.fork_point import ForkPoint, LowerPulls, find_fork_point
from stithy_pulls.stacks.merge_outcome import MergeOutcome
from stithy_pulls.stacks.rebase_replay import RebaseReplay, ReplayStep, get_tree
from stithy_pulls.stacks.stack_links import get_own_branch
from stithy_pulls.stacks.stack_path import StackPath


@frozen(kw_only=True)
class RebaseTarget:
    """What the lowest pull request is rebased onto.

    Args:
        source: Where it is fetched from.
        name: Its display name.
        sha: Its current commit.
        branch: The branch that the pull request should target; empty for a fork's branch.
    """

    source: FetchSource
    name: str
    sha: str
    branch: str


@frozen(kw_only=True)
class PullMove:
    """A pull request of the stack, and how it is rebased.

    Args:
        pull: The pull request.
        source: Where its head is fetched from.
        head: Its head as fetched.
        fork_point: The first own commit.
        target: What it is rebased onto: for all but the lowest ones, the current head of the one below.
        below: The number of the open pull request that it is stacked on; 0 for the lowest ones.
        stands: Whether it is already based on that commit.
        steps: The predicted result of each own commit.
        signed: The SHAs of its own signed commits, if it is rebased.
    """

    pull: PullRequest
    source: FetchSource
    head: str
    fork_point: ForkPoint
    target: RebaseTarget
    below: int
    stands: bool
    steps: tuple[ReplayStep, ...]
    signed: frozenset[str] = frozenset()

    def list_steps(self) -> tuple[ReplayStep, ...]:
        """Return a step for each own commit, including those that are not replayed."""
        return self.steps or tuple(ReplayStep(entry=entry) for entry in self.fork_point.own)


async def choose_rebase_target(
    pool: CommitPool, path: StackPath, outcomes: Mapping[int, MergeOutcome], first: PullRequest, onto_base: str | None
) -> RebaseTarget:
    """Return the target: the caller's choice, the nearest open pull request, or the branch of the merge.

    Raises:
        NotFound: The branch does not exist.
    """
    if onto_base:
        return await _target_branch(pool, onto_base, requested=True)
    lower = None
    for pull in reversed(path.list_below(first)):
        if lower is not None and not await _is_merge_included(pool, outcomes[lower.ref.number], pull):
            return await _target_branch(pool, lower.base.branch)
        if pull.state == "open":
            return target_pull(pool, pull)
        lower = pull
    assert lower is not None
    return await _target_branch(pool, lower.base.branch)


def list_targets(moves: Iterable[PullMove]) -> tuple[RebaseTarget, ...]:
    """Return what the lowest of some moves are rebased onto: nothing that is moved itself."""
    moved = {move.pull.ref.number: move for move in moves}
    found: dict[str, RebaseTarget] = {}
    for move in moved.values():
        if move.below not in moved:
            found.setdefault(move.target.sha, move.target)
    return tuple(found.values())


@frozen(kw_only=True)
class OpenLevel:
    """An open pull request above the base, before its move is planned.

    Args:
        pull: The pull request.
        below: The number of the open pull request that it is stacked on; 0 for the lowest ones.
        target: What one of the lowest is rebased onto; None for all others.
        lower: What is known of the pull requests below.
    """

    pull: PullRequest
    below: int
    target: RebaseTarget | None
    lower: LowerPulls


async def plan_moves(pool: CommitPool, levels: Iterable[OpenLevel]) -> tuple[PullMove, ...]:
    """Predict each own commit of the moves. Pull requests beside each other are replayed apart.

    Args:
        pool: The commits, with all heads.
        levels: The open pull requests above the base, each after the one that it is stacked on.
    """
    found: dict[int, PullMove] = {}
    replays: dict[int, RebaseReplay] = {}
    for level in levels:
        below = found.get(level.below)
        target = level.target or _target_head(pool, below)
        replay = replays[level.below].copy() if below else await _begin_replay(pool, target)
        number = level.pull.ref.number
        found[number], replays[number] = await _plan_move(pool, level, target, below, replay), replay
    return tuple(found.values())


async def _begin_replay(pool: CommitPool, target: RebaseTarget) -> RebaseReplay:
    return RebaseReplay(pool.repository, await get_tree(pool.repository, target.sha))


async def _plan_move(
    pool: CommitPool, level: OpenLevel, target: RebaseTarget, below: PullMove | None, replay: RebaseReplay
) -> PullMove:
    """Predict the move of one pull request, and leave its result in the replay."""
    head = pool.require_head(level.pull)
    fork_point = await find_fork_point(pool, head, evolve(level.lower, onto=target.sha))
    stands = await is_ancestor(pool.repository, target.sha, head) and not fork_point.foreign
    moved = not stands or (below is not None and not below.stands)
    steps = await replay.replay_all(fork_point.own) if moved else []
    if not moved:
        replay.tree = await get_tree(pool.repository, head)
    return PullMove(
        pull=level.pull,
        source=find_head_source(pool.repository.forge, level.pull),
        head=head,
        fork_point=fork_point,
        target=target,
        below=level.below,
        stands=not moved,
        steps=tuple(steps),
        signed=await find_signed(pool.repository, fork_point.own) if moved else frozenset[str](),
    )


def _target_head(pool: CommitPool, move: PullMove | None) -> RebaseTarget:
    """Return the current head of a pull request as a target."""
    assert move is not None  # a level without a target is stacked on an earlier one
    return target_pull(pool, move.pull)


def target_pull(pool: CommitPool, pull: PullRequest) -> RebaseTarget:
    """Return the head of an open pull request as what another is rebased onto."""
    source, branch = find_head_source(pool.repository.forge, pull), get_own_branch(pull)
    return RebaseTarget(source=source, name=str(pull.ref), sha=pool.require_head(pull), branch=branch)


def describe_ended_target(target: RebaseTarget, pulls: Iterable[PullRequest]) -> str:
    """Return a warning if the target branch belongs to one closed pull request; else the empty text."""
    ours = [pull for pull in pulls if pull.head.branch == target.branch and not pull.from_fork]
    if len(ours) != 1 or ours[0].state == "open":
        return ""
    return f"{target.branch} belongs to {ours[0].ref}, which is closed: later commits on it are not merged anywhere."


async def _target_branch(pool: CommitPool, name: str, *, requested: bool = False) -> RebaseTarget:
    await pool.fetch_heads([], [name])
    sha = pool.get_branch_tip(name)
    if not sha:
        remedy = "Check onto_base." if requested else "Pass the branch to rebase onto as onto_base."
        raise NotFound(f"{pool.home} has no branch {name}", suggestion=remedy)
    return RebaseTarget(source=create_branch_source(name), name=name, sha=sha, branch=name)


async def _is_merge_included(pool: CommitPool, outcome: MergeOutcome, pull: PullRequest) -> bool:
    """Return whether the head of a merged pull request includes a merge into its branch."""
    head = pool.get_head(pull)
    if pull.state == "open" or not outcome.commit or not head:
        return True
    return await is_ancestor(pool.repository, outcome.commit, head)
