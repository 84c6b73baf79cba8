"""Compare what a record adopts or drops as a whole with a proposal: "use a changelog", "stop the changelog"."""

from collections.abc import Iterator

from stithy_archdocs.alignment.polarity import DROP, DROPPED
from stithy_archdocs.alignment.reading import Proposal, Reading
from stithy_archdocs.alignment.signal import CONFLICTS, SUPPORTS, Signal
from stithy_archdocs.alignment.statements import Statement

_LEFT, _TAKEN = 0.66, 0.6


def take_signals(proposal: Proposal, reading: Reading) -> Iterator[Signal]:
    """Iterate over signals where a proposal contains everything that a title or a chosen option adopts."""
    for own in reading.statements:
        wanted = _means(own) if own.role == "chosen" or (own.role == "title" and own.takes) else {}
        for statement in proposal.statements if wanted else ():
            said = {token.key: sign for token, sign in statement.telling()}
            if wanted.keys() <= said.keys():
                yield from _compared(statement, own, {said[key] * sign for key, sign in wanted.items()})


def _compared(statement: Statement, own: Statement, agreements: set[int]) -> Iterator[Signal]:
    if agreements == {-1}:
        reason = "one of the two adopts what the other drops"
        yield Signal(CONFLICTS, "reverses", "polarity", _LEFT, reason, own)
    elif agreements == {1} and statement.has_way and _means(own).keys() <= _means(statement).keys():
        yield Signal(SUPPORTS, "same_decision", "chosen-option", _TAKEN, "it adopts what was decided", own)


def _means(statement: Statement) -> dict[str, int]:
    """Return the signs of the words of a means, by key."""
    told = zip(statement.tokens, statement.signs, statement.means, strict=True)
    return {
        token.key: sign
        for token, sign, inside in told
        if inside and token.weight >= 1 and token.word not in DROP and token.word not in DROPPED
    }
