"""What an answer rests on where no rule has told it: the words that are shared, and where the record says most."""

from collections.abc import Collection, Mapping, Sequence

from stithy_archdocs.alignment.measuring.words import Decided, Said
from stithy_archdocs.alignment.reading import Proposal, Reading
from stithy_archdocs.alignment.signal import CONFLICTS, RELATED, SUPPORTS, Signal
from stithy_archdocs.alignment.statements import Statement
from stithy_archdocs.alignment.wordlists import listed

_MOST_WORDS = 4
_REASONS = {
    "same_decision": "it seems to go with what was decided about {}",
    "reverses": "it seems to give up what was decided about {}",
    "rejected_option": "it seems to be what was considered and not chosen: {}",
    "contradicts": "it seems to go another way about {}",
    "same_topic": "both are about {}",
}
_ENOUGH = 1.0
"""What the words of a rejected option weigh at least that nothing chosen has."""


def nearest(alignment: str, proposal: Proposal, reading: Reading) -> Signal:
    """Give a signal of what was weighed; the proposal has its names as the record writes them."""
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
    """Give the statement that shares most; of two alike the first, which is nearer to the title."""
    return max(
        statements,
        key=lambda one: sum({token.key: token.weight for token in one.tokens if token.key in said}.values()),
        default=None,
    )


def _shared(said: Mapping[str, float], own: Collection[str]) -> Sequence[str]:
    """Give the weightiest words that are shared."""
    return sorted((key for key in said if key in own), key=lambda key: (-said[key], key))[:_MOST_WORDS]


def _written(proposal: Proposal, keys: Sequence[str]) -> Sequence[str]:
    """Give words as the proposal writes them."""
    written = {token.key: token.text for token in reversed(proposal.words)}
    return [written.get(key, key) for key in keys]
