"""The terms of a suggestion: shares from 0 to 1, each with a weight that was fitted to real histories."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import PurePosixPath
from typing import Literal

from attrs import frozen

from stithy_pulls.impact.merge_decisions import MergeDecision
from stithy_pulls.impact.reviewer_candidates import ReviewerCandidate

TermName = Literal["decided_here", "decided_author", "decided_last", "owns", "wrote", "active"]
WEIGHTS: Mapping[TermName, float] = {
    "decided_here": 0.25,
    "decided_author": 0.3,
    "decided_last": 0.2,
    "owns": 0.05,
    "wrote": 0.15,
    "active": 0.05,
}
"""What each share adds at most; together 1. `benchmarks/reviewers` fits all but `owns`: git does not know accounts."""
HALF_LIFE = 150
"""Decisions after which one weighs half."""
SMOOTHING = 1.0
"""Added to the sum of all decisions, so that a single one close by is not everything."""
SAME_FOLDER, NEXT_FOLDER = 0.5, 0.15
MOST_PATHS = 50
"""Changed files that are compared with those of earlier changes."""
DAY = 86_400.0
DECIDED_DAYS, ACTIVE_DAYS = 14.0, 30.0
"""Days after which a merge or review, or any activity, weighs half."""


@frozen
class DecisionWeights:
    """How much each decision weighs for a pull request, by its place in the list of decisions.

    Args:
        here: By how many were decided since, and by how close its files are.
        author: By how many were decided since; only those of the same author.
        count: How many decisions there are.
    """

    here: Mapping[int, float]
    author: Mapping[int, float]
    count: int


def weigh_decisions(
    decisions: Sequence[MergeDecision],
    decided: Iterable[int],
    paths: Iterable[str],
    is_author: Callable[[MergeDecision], bool],
) -> DecisionWeights:
    """Weigh the decisions.

    Args:
        decisions: The newest first.
        decided: The places of those of which it is known who decided.
        paths: The files of the pull request.
        is_author: Returns whether the author of the pull request wrote a change.
    """
    places = sorted(set(decided))
    files = [(path, PurePosixPath(path).parent) for path in sorted(paths)[:MOST_PATHS]]
    age = {place: 0.5 ** (rank / HALF_LIFE) for rank, place in enumerate(places)}
    return DecisionWeights(
        here={place: age[place] * _compare_files(files, decisions[place]) for place in places},
        author={place: age[place] for place in places if is_author(decisions[place])},
        count=len(places),
    )


def _compare_files(files: Sequence[tuple[str, PurePosixPath]], decision: MergeDecision) -> float:
    """Return the mean over the files: 1 for the same file, less for one in the same folder, or in the next one."""
    folders = decision.folders
    near = folders | {str(PurePosixPath(folder).parent) for folder in folders}
    points = 0.0
    for path, folder in files:
        if path in decision.paths:
            points += 1
        elif str(folder) in folders:
            points += SAME_FOLDER
        elif str(folder) in near or str(folder.parent) in folders:
            points += NEXT_FOLDER
    return points / len(files) if files else 0.0


@frozen(kw_only=True)
class TermContext:
    """What the terms of all candidates depend on.

    Args:
        decisions: The weights of the decisions.
        lines: By path, the number of changed lines.
        now: The forge's time, UTC.
    """

    decisions: DecisionWeights
    lines: Mapping[str, int]
    now: datetime


def measure_candidate(person: ReviewerCandidate, around: TermContext) -> dict[TermName, float]:
    """Return the share of a candidate in each term, from 0 to 1, before it is weighed."""
    weights = around.decisions
    owned = sum(around.lines.get(path, 0) for path in person.owns)
    return {
        "decided_here": _compute_share(weights.here, person.decided),
        "decided_author": _compute_share(weights.author, person.decided),
        "decided_last": _decay(person.decided_last, around.now, DECIDED_DAYS),
        "owns": _divide(owned, sum(around.lines.values())),
        "wrote": _divide(person.wrote.total(), sum(around.lines.values())),
        "active": _decay(person.last, around.now, ACTIVE_DAYS),
    }


def _compute_share(weights: Mapping[int, float], own: Collection[int]) -> float:
    return _divide(sum(weights.get(place, 0.0) for place in own), sum(weights.values()) + SMOOTHING)


def _divide(part: float, whole: float) -> float:
    return min(part / whole, 1.0) if whole else 0.0


def _decay(last: datetime | None, now: datetime, days: float) -> float:
    """Return 1 for activity now, and half as much for each further `days` without any; 0 if none is known."""
    return 0.0 if last is None else 0.5 ** (max((now - last).total_seconds(), 0.0) / DAY / days)
