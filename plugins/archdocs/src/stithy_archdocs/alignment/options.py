"""Options that have no name in the lexicon: they are told by the words that the others do not have."""

from collections.abc import Iterator

from stithy_archdocs.alignment.polarity import DROP
from stithy_archdocs.alignment.reading import Proposal, Reading, Statement
from stithy_archdocs.alignment.signal import CONFLICTS, SUPPORTS, Signal

_NAMED = 0.67


def option_signals(proposal: Proposal, reading: Reading) -> Iterator[Signal]:
    """Compare with options that have no name of the lexicon: by the words that tell them from the others."""
    options = [statement for statement in reading.statements if statement.role in ("chosen", "rejected")]
    found = []
    for option in options:
        others = {token.key for other in options if other.role != option.role for token in other.tokens}
        own = {
            token.key: token.weight
            for token in option.tokens
            if token.weight and token.key not in others and token.word not in DROP
        }
        if any(token.term for token in option.tokens if token.key in own) or sum(own.values()) < 1:
            continue
        for statement in proposal.statements:
            shared = [(token, sign) for token, sign in statement.telling() if token.key in own]
            share = sum(own[key] for key in {token.key for token, _ in shared}) / sum(own.values())
            besides = {token.key for token, _ in statement.telling() if token.weight >= 1} & reading.wide - own.keys()
            if share >= _NAMED and (besides or len(own) > 2):  # noqa: PLR2004 -- words enough to be no accident
                found.append((share, sum(sign for _, sign in shared), option))
    if found:
        share, sign, option = max(found, key=lambda one: (one[0], one[2].role == "chosen", -one[2].line))
        yield _of_option(option, sign * (1 if option.role == "chosen" else -1), sure=0.5 + 0.3 * share)


def _of_option(option: Statement, sign: int, sure: float) -> Signal:
    if sign > 0:
        return Signal(SUPPORTS, "same_decision", "chosen-option", sure, "it goes with what was chosen", option)
    relation = "reverses" if option.role == "chosen" else "rejected_option"
    reason = "it gives up what was chosen" if option.role == "chosen" else "it was considered and not chosen"
    return Signal(CONFLICTS, relation, f"{option.role}-option", sure, reason, option)
