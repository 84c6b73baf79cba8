"""Compare practices that have no names: equal words, wanted or not, and opposites."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from stithy_archdocs.alignment.alignment_signal import CONFLICTS, RELATED, SUPPORTS, AlignmentSignal
from stithy_archdocs.alignment.clause_objects import find_adopted
from stithy_archdocs.alignment.lexicon import Lexicon
from stithy_archdocs.alignment.polarity_cues import DROP, DROPPED
from stithy_archdocs.alignment.statement_parser import ParsedRecord, Proposal
from stithy_archdocs.alignment.statements import Statement
from stithy_archdocs.alignment.way_rules import has_means_of, is_exclusive, make_other_way_signal

_CUES = DROP | DROPPED
_COVERED = 0.6
_SHARED_WEIGHT = 1.6
_LEAST_SHARE = 0.35
_WHOLE = 0.75
_HALF = 0.5


def find_practice_signals(proposal: Proposal, reading: ParsedRecord, lexicon: Lexicon) -> Iterator[AlignmentSignal]:
    """Iterate over signals from equal words with equal or different signs, and from opposites."""
    for own in reading.statements:
        if own.role in ("title", "decision", "chosen"):
            for statement in proposal.statements:
                made = _compare_practices(statement, own, lexicon)
                if made is not None:
                    yield made


# The thresholds are set by hand; the judged proposals in tests/archdocs/alignment check their effect.
def _compare_practices(statement: Statement, own: Statement, lexicon: Lexicon) -> AlignmentSignal | None:
    one, other = statement.weighted_words, own.weighted_words  # key to (weight, sign); sign 0 if both signs occur
    shared = one.keys() & other.keys()
    agreed, turned = compare_sides(statement, own, shared, lexicon)
    weight = sum(one[key][0] for key in shared) + (agreed or turned)  # a pair of opposites counts like one shared word
    least = min(sum(value for value, _ in one.values()), sum(value for value, _ in other.values()))
    whole = own.role != "decision" and len(shared) > 1 and weight / sum(value for value, _ in other.values()) > _WHOLE
    # Generic words weigh less than 1: two full words must be shared, or most of a short title or option.
    full = sum(one[key][0] >= 1 for key in shared) + (agreed or turned)
    if not shared or not (whole or (full > 1 and weight >= _SHARED_WEIGHT and weight / least >= _COVERED)):
        return None
    share = min(weight / sum(value for value, _ in one.values()), 1.0)
    # Product of the signs times the weight: positive if both want a word or both reject it.
    agreements = {key: one[key][1] * other[key][1] * one[key][0] for key in shared}
    mixed = max(agreements.values()) >= 1 and min(agreements.values()) <= -1
    sign = sum(agreements.values()) * (-1 if turned else 1)
    wanted = find_adopted(statement.tokens, statement.signs)
    more = 0.0 if own.role == "decision" else 0.05
    # Competing names are judged by rule_signals; equal words around them prove nothing.
    if _has_rivals(statement, own, lexicon):
        return AlignmentSignal(RELATED, "same_topic", "same-words", 0.4, "both concern the same subject", own)
    given_up = (
        mixed and own.role != "decision" and any(one[key][1] < 0 < other[key][1] and one[key][0] >= 1 for key in shared)
    )
    said = weight / sum(value for value, _ in other.values())
    clear = share >= _LEAST_SHARE if own.role != "decision" else share >= _HALF and said >= _HALF
    if given_up or (sign < 0 and clear):
        sure = round(0.45 + 0.3 * share + more, 3)
        return AlignmentSignal(CONFLICTS, "contradicts", "practice", sure, "it states the opposite of the record", own)
    object_agrees = mixed and bool(wanted) and all(agreements.get(key, 0) > 0 for key in wanted)
    agrees = object_agrees or (sign > 0 and not mixed and (not wanted or bool(wanted & shared)))
    if (share >= _COVERED or whole) and agrees and is_exclusive(statement, own, lexicon):
        return make_other_way_signal(own)
    if (share >= _COVERED or whole) and agrees and has_means_of(statement, own):
        sure = round(0.4 + 0.35 * share + more, 3)
        return AlignmentSignal(SUPPORTS, "same_decision", "practice", sure, "the record states the same", own)
    return AlignmentSignal(
        RELATED, "same_topic", "same-words", round(0.3 + 0.2 * share, 3), "both concern the same subject", own
    )


def compare_sides(statement: Statement, own: Statement, shared: AbstractSet[str], lexicon: Lexicon) -> tuple[int, int]:
    """Return how the remaining words of two statements relate by the lexicon's opposites.

    Returns:
        A pair of counts, each 0 or 1: whether a word has the same side as one of the other statement, else whether it
        has the
        opposite side.
    """
    one, other = _get_sides(statement, shared, lexicon), _get_sides(own, shared, lexicon)
    agreed = int(bool(one & other))
    return agreed, int(not agreed and any((number, -side) in one for number, side in other))


def _get_sides(statement: Statement, shared: AbstractSet[str], lexicon: Lexicon) -> set[tuple[int, int]]:
    words = [token for token in statement.tokens if token.key not in shared and token.word not in _CUES]
    found = {
        side for token in words for side in (*lexicon.sides.get(token.word, ()), *lexicon.sides.get(token.stem, ()))
    }
    return {(number, side) for number, side in found if (number, -side) not in found}


def _has_rivals(statement: Statement, own: Statement, lexicon: Lexicon) -> bool:
    ours = [token.term for token in own.tokens if token.term]
    return any(lexicon.find_shared_slot(token.term, term) for token in statement.tokens if token.term for term in ours)
