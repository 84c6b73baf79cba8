"""What an answer rests on where no rule has told it: the words that are shared, and where the record says most."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from stithy_archdocs.alignment.measuring.words import Said
from stithy_archdocs.alignment.reading import Proposal, Reading
from stithy_archdocs.alignment.signal import CONFLICTS, RELATED, SUPPORTS, Signal
from stithy_archdocs.alignment.statements import Statement

_MOST_WORDS = 4
_TELLS = {
    SUPPORTS: ("same_decision", "it seems to go with what was decided about {}"),
    CONFLICTS: ("contradicts", "it seems to go another way about {}"),
    RELATED: ("same_topic", "both are about {}"),
}


def nearest(alignment: str, proposal: Proposal, reading: Reading) -> Signal:
    """Give a signal of what was weighed."""
    said = Said(proposal.as_written_in(reading)).all
    statement = _statement(said.keys(), reading.statements)
    own = {token.key for token in statement.tokens} if statement else reading.wide
    shared = sorted((key for key in said if key in own), key=lambda key: (-said[key], key)) or sorted(
        (key for key in said if key in reading.wide), key=lambda key: (-said[key], key)
    )
    relation, reason = _TELLS[alignment]
    words = ", ".join(_written(proposal, shared[:_MOST_WORDS])) or "the same"
    return Signal(alignment, relation, "weighed", 0.0, reason.format(words), statement)


def _statement(said: AbstractSet[str], statements: Sequence[Statement]) -> Statement | None:
    """Give the statement that shares most; of two alike the first, which is nearer to the title."""
    return max(
        statements,
        key=lambda one: sum({token.key: token.weight for token in one.tokens if token.key in said}.values()),
        default=None,
    )


def _written(proposal: Proposal, keys: Sequence[str]) -> Sequence[str]:
    """Give words as the proposal writes them."""
    written = {token.key: token.text for token in reversed(proposal.words)}
    return [written.get(key, key) for key in keys]
