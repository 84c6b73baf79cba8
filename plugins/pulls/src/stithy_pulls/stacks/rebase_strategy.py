"""Whether a plain rebase or `--onto`, from what both would do and not from what they usually do."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from attrs import frozen

from stithy_core.spi import Maybe, Unknown
from stithy_pulls.git.commit_log import CommitEntry, count_commits, order_oldest_first
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.phrases import format_count
from stithy_pulls.stacks.commit_pool import CommitPool
from stithy_pulls.stacks.merge_traces import MOST_COMPARED
from stithy_pulls.stacks.move_plan import PullMove, RebaseTarget
from stithy_pulls.stacks.rebase_replay import count_stops, get_tree

RebaseWay: TypeAlias = Literal["regular", "onto", "pick"]
"""A plain rebase, one with `--onto`, or picking the own commits one by one."""


@frozen(kw_only=True)
class RebaseChoice:
    """What is recommended for the lowest one that is moved.

    Args:
        way: How it is done.
        open: Whether another way would come to the same, or nobody but the author can know.
        replayed: How many commits a plain rebase would replay.
        plain_stops: How often it would stop at least.
        own_stops: How many of the own commits would conflict.
        reason: Why.
    """

    way: RebaseWay
    open: bool
    replayed: int
    plain_stops: Maybe[int]
    own_stops: Maybe[int]
    reason: str


async def choose_rebase(pool: CommitPool, move: PullMove, foot: RebaseTarget, *, use_onto: bool | None) -> RebaseChoice:
    """Choose how the lowest one is moved.

    Args:
        pool: Where the commits are.
        move: The lowest one.
        foot: What it is to stand on.
        use_onto: What the caller wants; None leaves it to the facts.
    """
    plain = await _replayed(pool, move, foot)
    same = {entry.sha for entry in plain} <= {entry.sha for entry in move.fork_point.own}
    wanted = not same or move.fork_point.foreign > 0 if use_onto is None else use_onto
    replayed = 0 if same else await _stops(pool, foot, plain)
    way: RebaseWay = "regular" if not wanted else "onto" if move.fork_point.straight else "pick"
    return RebaseChoice(
        way=way,
        open=same or move.fork_point.confidence == "low" or (not wanted and not same),
        replayed=len(plain),
        plain_stops=count_own_stops(move) if same else replayed,
        own_stops=count_own_stops(move),
        reason=_reason(move, foot, way, len(plain), asked=use_onto is not None, same=same),
    )


def count_own_stops(move: PullMove) -> Maybe[int]:
    """Count the own commits that would conflict; unknown where one of them could not be told."""
    for step in move.steps:
        if isinstance(step.outcome, Unknown):
            return step.outcome
    return sum(step.outcome == "conflict" for step in move.steps)


async def _replayed(pool: CommitPool, move: PullMove, foot: RebaseTarget) -> Sequence[CommitEntry]:
    """List what a plain rebase replays: it leaves out whose change the new base has as well."""
    entries = order_oldest_first(await pool.list_beyond(move.head, foot.sha))
    near = await count_commits(pool.repository, move.head, foot.sha) <= MOST_COMPARED
    if not near or len(entries) <= len(move.fork_point.own):
        return entries
    words = ("rev-list", "--cherry-pick", "--right-only", "--no-merges", f"{foot.sha}...{move.head}")
    try:
        output = await pool.repository.git(*words, network=True, time_factor=5, what="compare changes")
    except GitError:  # what is known without it is true as well
        return entries
    kept = set(output.stdout.decode().split())
    return [entry for entry in entries if entry.sha in kept]


async def _stops(pool: CommitPool, foot: RebaseTarget, plain: Sequence[CommitEntry]) -> Maybe[int]:
    return await count_stops(pool.repository, await get_tree(pool.repository, foot.sha), plain)


def _reason(move: PullMove, foot: RebaseTarget, way: RebaseWay, replayed: int, *, asked: bool, same: bool) -> str:
    own, pull = format_count(len(move.fork_point.own), "commit"), move.pull.ref
    told = "As use_onto asks: " if asked else ""
    if way == "regular" and same:
        return f"{told}a plain rebase onto {foot.name} replays the {own} of {pull}'s own and no others."
    if way == "regular":
        others = format_count(replayed - len(move.fork_point.own), "commit")
        return f"{told}a plain rebase onto {foot.name} replays {others} beside the {own} of {pull}'s own."
    if way == "pick":
        merged = f"{pull} has {format_count(move.fork_point.merges, 'merge commit')} among its own"
        return f"{told}{merged}, so that --onto would replay what came with them; its {own} are picked instead."
    last = move.fork_point.upstream[:12]
    return f"{told}--onto {foot.name} leaves out what came before {last} and replays the {own} of {pull}'s own."
