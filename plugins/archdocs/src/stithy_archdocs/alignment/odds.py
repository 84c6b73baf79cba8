"""What measures tell: how likely a record supports, conflicts, is related, or has nothing to say.

The weights in `weights.toml` are fitted (multinomial logistic regression) to proposals and records that people have
judged; benchmarks/archdocs/fitting.py makes them, and says what they are worth on records that they have not seen.
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
"""How likely each answer is: from 0 to 1, in all 1."""


@cache
def weights() -> Mapping[str, Sequence[float]]:
    """Give what each measure tells, for each of `ANSWERS`; `bias` stands for what is told by none."""
    return tomllib.loads(WEIGHTS.read_text(encoding="utf-8"))


def odds(measures: Mapping[str, float], weights: Mapping[str, Sequence[float]]) -> Odds:
    """Weigh what was measured; a measure without weights tells nothing."""
    told = [*weights["bias"]]
    for name, value in measures.items():
        if value and name in weights:
            told = [one + value * weight for one, weight in zip(told, weights[name], strict=True)]
    most = max(told)
    powers = [math.exp(one - most) for one in told]
    return {answer: power / sum(powers) for answer, power in zip(ANSWERS, powers, strict=True)}


def answer(likely: Odds, measures: Mapping[str, float], *, holds: bool) -> str:
    """Give the likeliest answer.

    What rules about names tell, and none contradicts, is never silenced. A record that does not hold is worth a word
    only to what it would support or go against if it did.
    """
    first = max(likely, key=lambda one: likely[one])
    told = next((one for one in (SUPPORTS, CONFLICTS) if f"alone {one}" in measures), RELATED)
    if first == NOTHING and any(measures.get(f"{rule} {told}", 0.0) >= _SURE for rule in _OF_NAMES):
        first = told
    return first if holds or first != RELATED else NOTHING
