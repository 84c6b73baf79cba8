"""Whether a plain rebase or `--onto`, from what both would do and not from what they usually do."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from attrs import frozen

from stithy_core.spi import Maybe, Unknown
from stithy_pulls.git.commits import Entry, count, own_first
from stithy_pulls.git.faults import NoGit
from stithy_pulls.stacks.ground import Ground
from stithy_pulls.stacks.plan import Footing, Move
from stithy_pulls.stacks.replay import stops, tree_of
from stithy_pulls.stacks.traces import MOST_COMPARED
from stithy_pulls.stacks.words import counted

Way: TypeAlias = Literal["regular", "onto", "pick"]
"""A plain rebase, one with `--onto`, or picking the own commits one by one."""


@frozen(kw_only=True)
class Choice:
    """What is recommended for the lowest one that is moved.

    Args:
        way: How it is done.
        open: Whether another way would come to the same, or nobody but the author can know.
        replayed: How many commits a plain rebase would replay.
        plain_stops: How often it would stop at least.
        own_stops: How many of the own commits would conflict.
        reason: Why.
    """

    way: Way
    open: bool
    replayed: int
    plain_stops: Maybe[int]
    own_stops: Maybe[int]
    reason: str


async def choose(ground: Ground, move: Move, foot: Footing, *, use_onto: bool | None) -> Choice:
    """Choose how the lowest one is moved.

    Args:
        ground: Where the commits are.
        move: The lowest one.
        foot: What it is to stand on.
        use_onto: What the caller wants; None leaves it to the facts.
    """
    plain = await _replayed(ground, move, foot)
    same = {entry.sha for entry in plain} <= {entry.sha for entry in move.border.own}
    wanted = not same or move.border.foreign > 0 if use_onto is None else use_onto
    replayed = 0 if same else await _stops(ground, foot, plain)
    way: Way = "regular" if not wanted else "onto" if move.border.straight else "pick"
    return Choice(
        way=way,
        open=same or move.border.confidence == "low" or (not wanted and not same),
        replayed=len(plain),
        plain_stops=own_stops(move) if same else replayed,
        own_stops=own_stops(move),
        reason=_reason(move, foot, way, len(plain), asked=use_onto is not None, same=same),
    )


def own_stops(move: Move) -> Maybe[int]:
    """Count the own commits that would conflict; unknown where one of them could not be told."""
    for step in move.steps:
        if isinstance(step.outcome, Unknown):
            return step.outcome
    return sum(step.outcome == "conflict" for step in move.steps)


async def _replayed(ground: Ground, move: Move, foot: Footing) -> Sequence[Entry]:
    """List what a plain rebase replays: it leaves out whose change the new base has as well."""
    entries = own_first(await ground.beyond(move.head, foot.sha))
    near = await count(ground.repository, move.head, foot.sha) <= MOST_COMPARED
    if not near or len(entries) <= len(move.border.own):
        return entries
    words = ("rev-list", "--cherry-pick", "--right-only", "--no-merges", f"{foot.sha}...{move.head}")
    try:
        ran = await ground.repository.git(*words, network=True, times=5, what="compare changes")
    except NoGit:  # what is known without it is true as well
        return entries
    kept = set(ran.out.decode().split())
    return [entry for entry in entries if entry.sha in kept]


async def _stops(ground: Ground, foot: Footing, plain: Sequence[Entry]) -> Maybe[int]:
    return await stops(ground.repository, await tree_of(ground.repository, foot.sha), plain)


def _reason(move: Move, foot: Footing, way: Way, replayed: int, *, asked: bool, same: bool) -> str:
    own, pull = counted(len(move.border.own), "commit"), move.pull.ref
    told = "As use_onto asks: " if asked else ""
    if way == "regular" and same:
        return f"{told}a plain rebase onto {foot.name} replays the {own} of {pull}'s own and no others."
    if way == "regular":
        others = counted(replayed - len(move.border.own), "commit")
        return f"{told}a plain rebase onto {foot.name} replays {others} beside the {own} of {pull}'s own."
    if way == "pick":
        merged = f"{pull} has {counted(move.border.merges, 'merge commit')} among its own"
        return f"{told}{merged}, so that --onto would replay what came with them; its {own} are picked instead."
    last = move.border.upstream[:12]
    return f"{told}--onto {foot.name} leaves out what came before {last} and replays the {own} of {pull}'s own."
