"""A fitted model: how likely a record supports, conflicts with, concerns or ignores a proposal.

Multinomial logistic regression: the score of an answer is the sum of features times weights, and softmax turns scores
into
probabilities. The weights in `weights.toml` were fitted to proposals and records that people judged;
benchmarks/archdocs/fitting.py fits them and measures them on records held out.
"""

import math
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from stithy_archdocs.alignment.signal import CONFLICTS, RELATED, SUPPORTS

NOTHING = "nothing"
ANSWERS = (SUPPORTS, CONFLICTS, RELATED, NOTHING)
WEIGHTS = Path(__file__).with_name("weights.toml")

_OF_NAMES = ("chosen-option", "polarity", "rejected-option", "competitor")
_SURE = 0.5

Odds = Mapping[str, float]
"""Probability of each answer; the sum is 1."""


@cache
def weights() -> Mapping[str, Sequence[float]]:
    """Return the weights of each feature, one for each of `ANSWERS`; `bias` is the constant term."""
    return tomllib.loads(WEIGHTS.read_text(encoding="utf-8"))


def odds(measures: Mapping[str, float], weights: Mapping[str, Sequence[float]]) -> Odds:
    """Return the probabilities for some features; features without weights are ignored."""
    told = [*weights["bias"]]
    for name, value in measures.items():
        if value and name in weights:
            told = [one + value * weight for one, weight in zip(told, weights[name], strict=True)]
    most = max(told)  # subtracted so that exp() cannot overflow
    powers = [math.exp(one - most) for one in told]
    return {answer: power / sum(powers) for answer, power in zip(ANSWERS, powers, strict=True)}


def answer(likely: Odds, measures: Mapping[str, float], *, holds: bool) -> str:
    """Return the most likely answer.

    An uncontradicted rule about names is never overruled by "nothing". A record that does not hold is reported only if
    it would
    support or conflict if it did.
    """
    first = max(likely, key=lambda one: likely[one])
    told = next((one for one in (SUPPORTS, CONFLICTS) if f"alone {one}" in measures), RELATED)
    if first == NOTHING and any(measures.get(f"{rule} {told}", 0.0) >= _SURE for rule in _OF_NAMES):
        first = told
    return first if holds or first != RELATED else NOTHING
