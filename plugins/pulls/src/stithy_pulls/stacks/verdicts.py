"""What a stack comes to: whether something must be done, why, how long it takes and how risky it is."""

from collections.abc import Iterator, Sequence

from stithy_core.spi import Maybe, Unknown
from stithy_pulls.stacks.case import StackCase
from stithy_pulls.stacks.estimates import CiDuration
from stithy_pulls.stacks.results import Risk, Summary
from stithy_pulls.stacks.strategy import count_own_stops
from stithy_pulls.stacks.words import named

UNTIMED = Unknown("nothing tells how long people take to resolve a conflict", shown="unknown")
NOTHING = Unknown("there is nothing to do", shown="unknown")


def summarize_case(case: StackCase, pace: CiDuration) -> Summary:
    """Sum up a case."""
    return Summary(
        action_required=_required(case),
        reason=_reason(case),
        estimated_total_time=_time(case, pace),
        risk_level=_risk(case),
    )


def _required(case: StackCase) -> Maybe[bool]:
    """Say whether something must be done: what is merely behind need not be moved."""
    if case.retarget or not case.moves:
        return case.retarget is not None
    if isinstance(case.outcome.merged, Unknown):
        return case.outcome.merged
    return case.moves[0].fork_point.foreign > 0 or not case.base.merged


def _reason(case: StackCase) -> str:
    if case.dependent.state != "open":
        state = "merged" if case.dependent.merged else "closed"
        return f"{case.dependent.ref} is {state}: there is nothing to move."
    if case.advice is None and case.retarget is None:
        return f"{case.dependent.ref} stands on the present end of what is below it: there is nothing to do."
    return f"{_happened(case)}; {' and '.join(_todo(case))}."


def _happened(case: StackCase) -> str:
    base, fate = case.base, case.outcome
    if isinstance(fate.merged, Unknown):
        return fate.merged.reason
    if fate.merged:
        how = f" by {fate.method}" if isinstance(fate.method, str) else ""
        return f"{base.ref} was merged{how} into {base.base.branch}"
    if base.state == "closed":
        return f"{base.ref} was closed without a merge"
    return f"{base.ref} has commits that {case.dependent.ref} does not stand on"


def _todo(case: StackCase) -> Iterator[str]:
    if case.advice is not None:
        names = named([str(move.pull.ref) for move in case.moves], "pull request")
        onto, optional = case.advice.target.name, case.moves[0].fork_point.foreign == 0 and case.base.merged
        yield f"{names} may be moved onto {onto}, but need not" if optional else f"move {names} onto {onto}"
    if case.retarget is not None:
        pull, branch = case.retarget.pull, case.retarget.branch
        yield f"give {pull.ref} the base {branch} in place of {pull.base.branch}"


def _time(case: StackCase, pace: CiDuration) -> Maybe[str]:
    if not case.moves:
        return NOTHING
    if any(count_own_stops(move) != 0 for move in case.moves):
        return UNTIMED
    return pace.format_total(len(case.moves))


def _risk(case: StackCase) -> Risk:
    """Judge by what may go wrong: high where it is not known what is dropped, medium where a person must decide."""
    stops: Sequence[Maybe[int]] = [count_own_stops(move) for move in case.moves]
    unsure = any(move.fork_point.confidence == "low" for move in case.moves) or isinstance(case.outcome.merged, Unknown)
    if case.moves and (unsure or case.outcome.lost or case.abandoned):
        return "high"
    guessed = any(move.fork_point.confidence == "medium" or move.fork_point.merges for move in case.moves)
    wrong_way = case.advice is not None and case.advice.choice.way == "regular" and case.moves[0].fork_point.foreign > 0
    return "medium" if guessed or wrong_way or any(count != 0 for count in stops) else "low"
