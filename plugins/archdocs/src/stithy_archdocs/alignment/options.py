"""Compare a proposal with the options of a record, by words that all options want alike or all reject."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from stithy_archdocs.alignment.polarity import ACTIONS, DROP, DROPPED
from stithy_archdocs.alignment.reading import Proposal, Reading
from stithy_archdocs.alignment.signal import CONFLICTS, SUPPORTS, Signal
from stithy_archdocs.alignment.statements import Statement
from stithy_archdocs.alignment.tokens import Token

_NAMED = 0.6
_MEANT = 0.34
_ENOUGH = 2
_SHARED = 0.5


def option_signals(proposal: Proposal, reading: Reading) -> Iterator[Signal]:
    """Iterate over the signal of the best matching option; at most one."""
    options = [statement for statement in reading.statements if statement.role in ("chosen", "rejected")]
    wills = _wills(options)
    found = [
        (share, agreement, option)
        for option in options
        for statement in proposal.statements
        for share, agreement in _compared(statement, option, wills, reading)
    ]
    if found:
        share, agreement, option = max(found, key=lambda one: (one[0], one[2].role == "chosen", -one[2].line))
        yield _of_option(option, agreement, sure=0.5 + 0.3 * share)


@frozen
class Will:
    """Whether the record wants a word (sign 1) or not (-1), and its weight: lower if several options share it."""

    sign: int
    weight: float


def _wills(options: Sequence[Statement]) -> Mapping[str, Will]:
    """Return the signs of words that options agree on, by key."""
    signs: dict[str, list[int]] = defaultdict(list)
    for option in options:
        for token, sign in _means(option):
            signs[token.key].append(sign)
    return {
        key: Will(wanted[0], 1.0 if len(wanted) == 1 else _SHARED)
        for key, wanted in signs.items()
        if len(set(wanted)) == 1
    }


def _means(statement: Statement) -> Iterator[tuple[Token, int]]:
    """Iterate over the tokens of a statement's means, each with its sign."""
    for token, sign, inside in zip(statement.tokens, statement.signs, statement.means, strict=True):
        if inside and token.weight and token.word not in DROP and token.word not in DROPPED:
            yield token, sign


def _compared(
    statement: Statement, option: Statement, wills: Mapping[str, Will], reading: Reading
) -> Iterator[tuple[float, int]]:
    """Iterate over pairs: the share of an option that is named, and whether proposal and record agree (above 0)."""
    own = {token.key: token.weight * wills[token.key].weight for token, _ in _means(option) if token.key in wills}
    said = {token.key: (token.weight, sign) for token, sign in _means(statement)}
    shared = own.keys() & said.keys()
    if not shared or sum(said[key][0] for key in shared) < 1:
        return
    share = sum(own[key] for key in shared) / sum(own.values())
    meant = sum(said[key][0] for key in shared) / sum(weight for weight, _ in said.values())
    besides = {token.key for token, _ in statement.telling() if token.word not in ACTIONS} & reading.topic - own.keys()
    if share >= _NAMED and meant >= _MEANT and (besides or len(shared) > _ENOUGH or share * meant == 1):
        yield share, sum(said[key][1] * wills[key].sign for key in shared)


def _of_option(option: Statement, agreement: int, sure: float) -> Signal:
    if agreement > 0:
        return Signal(SUPPORTS, "same_decision", "chosen-option", sure, "it agrees with the chosen option", option)
    relation = "reverses" if option.role == "chosen" else "rejected_option"
    rule = "polarity" if option.role == "chosen" else "rejected-option"
    reason = "it drops the chosen option" if option.role == "chosen" else "it was considered and not chosen"
    return Signal(CONFLICTS, relation, rule, sure, reason, option)
