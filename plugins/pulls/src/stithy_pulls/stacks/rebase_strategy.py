"""Choose between a plain rebase and `--onto`, by predicting both."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from attrs import frozen

from stithy_core.spi import Maybe, Unknown, format_count
from stithy_pulls.git.commit_log import CommitEntry, count_commits, order_oldest_first
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.stacks.commit_pool import CommitPool
from stithy_pulls.stacks.merge_traces import MOST_COMPARED
from stithy_pulls.stacks.move_plan import PullMove, RebaseTarget
from stithy_pulls.stacks.rebase_replay import count_stops, get_tree

RebaseWay: TypeAlias = Literal["regular", "onto", "pick", "merge"]
"""A plain rebase, a rebase with `--onto`, cherry-picks of the own commits, or a merge of the new base."""


@frozen(kw_only=True)
class RebaseChoice:
    """The recommended way for the lowest move.

    Args:
        way: How it is rebased.
        open: Whether another way has the same result, or only the author can decide.
        replayed: How many commits a plain rebase would replay.
        plain_stops: How often it would stop at least.
        own_stops: How many own commits would conflict.
        reason: Why.
    """

    way: RebaseWay
    open: bool
    replayed: int
    plain_stops: Maybe[int]
    own_stops: Maybe[int]
    reason: str


async def choose_rebase(
    pool: CommitPool, move: PullMove, target: RebaseTarget, *, use_onto: bool | None
) -> RebaseChoice:
    """Choose how the lowest move is rebased.

    Args:
        pool: The commits.
        move: The lowest move.
        target: What it is rebased onto.
        use_onto: The caller's choice; None to choose from the commits.
    """
    plain = await _list_plain_replay(pool, move, target)
    same = {entry.sha for entry in plain} <= {entry.sha for entry in move.fork_point.own}
    wanted = not same or move.fork_point.foreign > 0 if use_onto is None else use_onto
    replayed = 0 if same else await _count_plain_stops(pool, target, plain)
    way: RebaseWay = "regular" if not wanted else "onto" if move.fork_point.straight else "pick"
    return RebaseChoice(
        way=way,
        open=same or move.fork_point.confidence == "low" or (not wanted and not same),
        replayed=len(plain),
        plain_stops=count_own_stops(move) if same else replayed,
        own_stops=count_own_stops(move),
        reason=_format_reason(move, target, way, len(plain), requested=use_onto is not None, same=same),
    )


def count_own_stops(move: PullMove) -> Maybe[int]:
    """Count the own commits that would conflict; unknown if the result of one is unknown."""
    for step in move.steps:
        if isinstance(step.outcome, Unknown):
            return step.outcome
    return sum(step.outcome == "conflict" for step in move.steps)


async def _list_plain_replay(pool: CommitPool, move: PullMove, target: RebaseTarget) -> Sequence[CommitEntry]:
    """List the commits that a plain rebase replays. It omits commits whose change the new base has."""
    entries = order_oldest_first(await pool.list_beyond(move.head, target.sha))
    near = await count_commits(pool.repository, move.head, target.sha) <= MOST_COMPARED
    if not near or len(entries) <= len(move.fork_point.own):
        return entries
    words = ("rev-list", "--cherry-pick", "--right-only", "--no-merges", f"{target.sha}...{move.head}")
    try:
        output = await pool.repository.git(*words, network=True, time_factor=5, what="compare changes")
    except GitError:  # the full list is valid, too
        return entries
    kept = set(output.stdout.decode().split())
    return [entry for entry in entries if entry.sha in kept]


async def _count_plain_stops(pool: CommitPool, target: RebaseTarget, plain: Sequence[CommitEntry]) -> Maybe[int]:
    return await count_stops(pool.repository, await get_tree(pool.repository, target.sha), plain)


def _format_reason(
    move: PullMove, target: RebaseTarget, way: RebaseWay, replayed: int, *, requested: bool, same: bool
) -> str:
    own, pull = format_count(len(move.fork_point.own), "commit"), move.pull.ref
    prefix = "As use_onto requests: " if requested else ""
    if way == "regular" and same:
        return f"{prefix}a plain rebase onto {target.name} replays only the {own} of {pull}'s own."
    if way == "regular":
        others = format_count(replayed - len(move.fork_point.own), "commit")
        return f"{prefix}a plain rebase onto {target.name} replays {others} in addition to the {own} of {pull}'s own."
    if way == "pick":
        merged = f"{pull} has {format_count(move.fork_point.merges, 'merge commit')} among its own commits"
        return f"{prefix}{merged}, and --onto would replay the merged commits; its {own} are cherry-picked instead."
    last = move.fork_point.upstream[:12]
    return f"{prefix}--onto {target.name} omits the commits up to {last} and replays the {own} of {pull}'s own."
