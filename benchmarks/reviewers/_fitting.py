"""Fit the weights of the terms: a conditional logit, whose sum should be highest for one who decided."""

import math
from collections.abc import Sequence

from attrs import frozen
from benchmarks.reviewers._judgement import JudgedCase

STEPS, RATE = 400, 6.0
PENALTY = 0.002
"""Pull of each weight to zero: terms that say the same share their weight."""


@frozen
class Choice:
    """The candidates of one case as rows of shares, which of them decided, and what the case weighs."""

    rows: Sequence[Sequence[float]]
    decided: Sequence[bool]
    weight: float


def fit_weights(projects: Sequence[Sequence[JudgedCase]]) -> dict[str, float]:
    """Return the weight of each term; none is negative, and together they are 1."""
    names = list(next(iter(next(case for cases in projects for case in cases if case.shares).shares.values())))
    choices = [
        Choice(
            [[shares[name] for name in names] for shares in case.shares.values()],
            [login in case.truth for login in case.shares],
            1 / len(cases) / len(projects),
        )
        for cases in projects
        for case in cases
        if case.truth & case.shares.keys()
    ]
    weights = [1.0] * len(names)
    for _ in range(STEPS):
        slope = _compute_slope(choices, weights)
        weights = [max(0.0, one + RATE * (rise - PENALTY * one)) for one, rise in zip(weights, slope, strict=True)]
    return {name: one / sum(weights) for name, one in zip(names, weights, strict=True)}


def _compute_slope(choices: Sequence[Choice], weights: Sequence[float]) -> list[float]:
    """Return the gradient of the mean log-likelihood."""
    slope = [0.0] * len(weights)
    for choice in choices:
        scores = [sum(one * share for one, share in zip(weights, row, strict=True)) for row in choice.rows]
        highest = max(scores)
        powers = [math.exp(score - highest) for score in scores]
        whole = sum(powers)
        right = sum(power for power, decided in zip(powers, choice.decided, strict=True) if decided)
        for row, power, decided in zip(choice.rows, powers, choice.decided, strict=True):
            part = choice.weight * ((power / right if decided else 0.0) - power / whole)
            for place, share in enumerate(row):
                slope[place] += part * share
    return slope
