"""The facts that somebody weighs before a stack is moved, each from what was found."""

from collections.abc import Iterator, Sequence

from stithy_core.spi import Maybe, PullRequest, Unknown
from stithy_pulls.stacks.case import RestackAdvice, StackCase
from stithy_pulls.stacks.links import list_children
from stithy_pulls.stacks.plan import PullMove, describe_ended_target
from stithy_pulls.stacks.strategy import RebaseChoice
from stithy_pulls.stacks.words import counted

MOST_NAMED = 5
DOUBTS = {
    "earlier version": "older than a commit below with the same author, time and message, and with another content.",
    "taken out": "which a force push took out of the one below. If it moved up, cherry-pick it after the rebase.",
}
"""What to look at before the push, by why a commit is dropped."""


def list_considerations(case: StackCase, advice: RestackAdvice, pulls: Sequence[PullRequest]) -> tuple[str, ...]:
    """Give the facts, the most important first.

    Args:
        case: What became of the base.
        advice: What is moved, and how.
        pulls: All pull requests that are known.
    """
    return (
        *_base(case),
        *filter(None, (describe_ended_target(advice.target, pulls),)),
        *_counts(advice.moves[0], advice.choice),
        *_carried(advice.moves),
        *_around(advice.moves, pulls),
    )


def _base(case: StackCase) -> Iterator[str]:
    base, fate = case.base, case.outcome
    if isinstance(fate.method, str):
        yield f"{base.ref} was merged by {fate.method} as {fate.commit[:12]} (confidence: {fate.confidence})."
    if fate.lost:
        yield f"{base.ref} was merged, and taken back: {fate.lost}. What stands on it may not work without it."
    if isinstance(fate.merged, Unknown):
        yield f"{fate.merged.reason[0].upper()}{fate.merged.reason[1:]}."
    elif case.abandoned:
        yield f"{base.ref} was closed without a merge: moving drops its commits; keep them by staying where it is."


def _counts(move: PullMove, choice: RebaseChoice) -> Iterator[str]:
    border, pull = move.fork_point, move.pull.ref
    own = counted(len(border.own), "commit")
    yield f"{pull} has {own} of its own, and {border.foreign} of others that its new base lacks."
    if choice.replayed != len(border.own):
        replayed = counted(choice.replayed, "commit")
        yield f"A plain rebase would replay {replayed} and stop {_times(choice.plain_stops)}."
    yield f"Replaying its own alone stops {_times(choice.own_stops)}."
    if border.confidence != "high":
        yield f"Where its own commits begin is of {border.confidence} confidence: {border.evidence}."
    if border.foreign:
        yield "Merging instead of moving would keep the old commits in the pull request."


def _carried(moves: Sequence[PullMove]) -> Iterator[str]:
    for move in moves:
        yield from _doubtful(move)
        if move.fork_point.merges:
            many = f"{counted(move.fork_point.merges, 'merge commit')} of {move.pull.ref} not replayed"
            yield f"{many}: what was resolved there has to be resolved again."
        if move.signed:
            many = f"{counted(len(move.signed), 'own commit')} of {move.pull.ref}"
            yield f"{many} signed: the new ones have no signature, or that of whoever runs the steps."
        if empty := sum(step.outcome == "empty" for step in move.steps):
            yield f"{empty} of {move.pull.ref}'s own commits are in the new base already, and fall away."


def _doubtful(move: PullMove) -> Iterator[str]:
    """Name the commits of which only the author can say whether they are to be kept."""
    border, pull = move.fork_point, move.pull.ref
    if border.kept is not None:
        kept, below = border.kept.sha[:12], border.resembled[:12]
        yield (f"{kept} of {pull} has the author, time and message of {below} below, and another content: it is kept.")
    for why, text in DOUBTS.items():
        if names := [one.entry.sha[:12] for one in border.dropped if one.why == why]:
            more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
            yield f"Dropped from {pull}: {', '.join(names[:MOST_NAMED])}{more}, {text}"


def _around(moves: Sequence[PullMove], pulls: Sequence[PullRequest]) -> Iterator[str]:
    moved = {move.pull.ref for move in moves}
    for move in moves:
        left = [child for child in list_children(move.pull, pulls) if child.ref not in moved]
        for child in left[:MOST_NAMED]:
            yield f"{child.ref} stands on {move.pull.ref} and stays behind: call again with it as dependent_pr."
        if move.pull.from_fork:
            yield f"{move.pull.ref} comes from a fork: only its author pushes there, or who it lets edit."


def _times(count: Maybe[int]) -> str:
    if isinstance(count, Unknown):
        return f"an unknown number of times ({count.reason})"
    return {0: "nowhere", 1: "at least once"}.get(count, f"at least {count} times")
