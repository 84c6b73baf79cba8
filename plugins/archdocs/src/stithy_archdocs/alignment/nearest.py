"""Explain a verdict that no rule gave: by the shared words, and the statement of the record that has most of them."""

from collections.abc import Collection, Mapping, Sequence

from stithy_archdocs.alignment.measuring.words import Decided, Said
from stithy_archdocs.alignment.reading import Proposal, Reading
from stithy_archdocs.alignment.signal import CONFLICTS, RELATED, SUPPORTS, Signal
from stithy_archdocs.alignment.statements import Statement
from stithy_archdocs.alignment.wordlists import listed

_MOST_WORDS = 4
_REASONS = {
    "same_decision": "it appears to agree with the decision about {}",
    "reverses": "it appears to reverse the decision about {}",
    "rejected_option": "it appears to be an option that was considered and not chosen: {}",
    "contradicts": "it appears to contradict the record about {}",
    "same_topic": "both concern {}",
}
_ENOUGH = 1.0
"""Least weight of words that occur only in a rejected option."""


def nearest(alignment: str, proposal: Proposal, reading: Reading) -> Signal:
    """Return a signal for a verdict of the model; names in the proposal are spelled as in the record."""
    said = Said(proposal)
    relation = _relation(alignment, said, Decided(reading))
    roles = ("rejected",) if relation == "rejected_option" else ("title", "chosen", "rejected", "decision")
    statement = _statement(said.all, [one for one in reading.statements if one.role in roles])
    own = {token.key for token in statement.tokens} if statement else frozenset()
    words = ", ".join(_written(proposal, _shared(said.all, own) or _shared(said.all, reading.wide))) or "the same"
    return Signal(alignment, relation, "weighed", 0.0, _REASONS[relation].format(words), statement)


def _relation(alignment: str, said: Said, decided: Decided) -> str:
    if alignment != CONFLICTS:
        return {SUPPORTS: "same_decision", RELATED: "same_topic"}[alignment]
    only = decided.words("rejected") - decided.leading.keys()
    if sum(weight for key, weight in said.wanted.items() if key in only) >= _ENOUGH:
        return "rejected_option"
    gives_up = any(decided.leading[key][1] > 0 for key in said.unwanted if key in decided.leading)
    goes_back = not listed("cue_returning").isdisjoint(token.word for token in said.proposal.words)
    return "reverses" if gives_up or goes_back else "contradicts"


def _statement(said: Mapping[str, float], statements: Sequence[Statement]) -> Statement | None:
    """Return the statement that shares most words; of equal ones the first, which is closer to the title."""
    return max(
        statements,
        key=lambda one: sum({token.key: token.weight for token in one.tokens if token.key in said}.values()),
        default=None,
    )


def _shared(said: Mapping[str, float], own: Collection[str]) -> Sequence[str]:
    """Return the heaviest shared words."""
    return sorted((key for key in said if key in own), key=lambda key: (-said[key], key))[:_MOST_WORDS]


def _written(proposal: Proposal, keys: Sequence[str]) -> Sequence[str]:
    """Return words as the proposal writes them."""
    written = {token.key: token.text for token in reversed(proposal.words)}
    return [written.get(key, key) for key in keys]
