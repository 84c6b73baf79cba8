"""Detect two ways to the same end: equal purpose and different means, without any lexicon."""

from collections.abc import Iterator, Mapping
from functools import cache

from attrs import frozen

from stithy_archdocs.alignment.alignment_signal import CONFLICTS, AlignmentSignal
from stithy_archdocs.alignment.lexicon import Lexicon
from stithy_archdocs.alignment.means_and_purpose import get_action
from stithy_archdocs.alignment.polarity_cues import ACTIONS, DROP, DROPPED
from stithy_archdocs.alignment.statement_parser import ParsedRecord, Proposal
from stithy_archdocs.alignment.statements import Statement
from stithy_archdocs.alignment.word_stems import stem

_SURE = 0.62
_ROLES = ("title", "chosen")
_SAME_END = 0.6
_LEAST_END = 1.0
_HALF = 0.5


@frozen
class StatementWay:
    """The means and the end of a statement.

    Args:
        means: Weights of the words of the means, by key.
        end: Weights of the words of the end, by key.
        action: Stem of the verb; empty without one.
        terms: Names in the means.
    """

    means: Mapping[str, float]
    end: Mapping[str, float]
    action: str
    terms: frozenset[str]


def find_way_signals(proposal: Proposal, reading: ParsedRecord, lexicon: Lexicon) -> Iterator[AlignmentSignal]:
    """Iterate over signals where a proposal reaches an end of the record by other means."""
    title = {
        key: weight for one in reading.statements if one.role == "title" for key, weight in _weigh_words(one).items()
    }
    for own in reading.statements:
        if own.role in _ROLES:
            theirs = _parse_way(own, title if own.role == "chosen" else {})
            for statement in proposal.statements:
                if _is_exclusive_way(_parse_way(statement), theirs, lexicon):
                    yield make_other_way_signal(own)


def make_other_way_signal(own: Statement) -> AlignmentSignal:
    """Return the signal that a statement of the record has other means for the same end."""
    return AlignmentSignal(CONFLICTS, "other_way", "other-way", _SURE, "it reaches the same end by other means", own)


def is_exclusive(statement: Statement, own: Statement, lexicon: Lexicon) -> bool:
    """Return whether two statements have the same end and different means."""
    return _is_exclusive_way(_parse_way(statement), _parse_way(own), lexicon)


def has_means_of(statement: Statement, own: Statement) -> bool:
    """Return whether another statement contains most of a statement's means."""
    if not statement.has_way or not own.has_way:
        return True
    means = _weigh_words(statement, inside=True)
    known = {token.key for token in own.tokens}
    return not means or sum(weight for key, weight in means.items() if key in known) > _HALF * sum(means.values())


def _parse_way(statement: Statement, also: Mapping[str, float] | None = None) -> StatementWay:
    means = _weigh_words(statement, inside=True) if statement.has_way and not _is_unwanted(statement) else {}
    end = {**(also or {}), **_weigh_words(statement, inside=False)}
    return StatementWay(
        means=means,
        end={key: weight for key, weight in end.items() if key not in means},
        action=get_action(statement.tokens),
        terms=frozenset(token.term for token in statement.tokens if token.term and token.key in means),
    )


def _is_unwanted(statement: Statement) -> bool:
    return any(sign < 0 for sign in statement.signs)


def has_end_in(statement: Statement, reading: ParsedRecord) -> bool:
    """Return whether a statement has no end of its own, or one that the record is about."""
    end = _weigh_words(statement, inside=False).keys() - {get_action(statement.tokens)} - _get_plain_actions()
    return not end or bool(end & reading.topic)


def _weigh_words(statement: Statement, *, inside: bool | None = None) -> dict[str, float]:
    return {
        token.key: token.weight
        for token, one in zip(statement.tokens, statement.means, strict=True)
        if token.weight and inside in (None, one) and token.word not in DROP and token.word not in DROPPED
    }


def _is_exclusive_way(ours: StatementWay, theirs: StatementWay, lexicon: Lexicon) -> bool:
    if not _is_apart(ours, theirs) or not _is_same_kind(ours, theirs, lexicon) or _has_synonyms(ours, theirs, lexicon):
        return False
    things = {key: weight for key, weight in ours.end.items() if key != ours.action}
    shared = sum(weight for key, weight in things.items() if key in theirs.end)
    return shared >= _LEAST_END and shared / sum(things.values()) >= _SAME_END


def _has_synonyms(ours: StatementWay, theirs: StatementWay, lexicon: Lexicon) -> bool:
    """Return whether the means are synonyms: "separate" and "own"."""
    one, other = ({side for key in way.means for side in lexicon.sides.get(key, ())} for way in (ours, theirs))
    return bool(one & other)


def _is_apart(ours: StatementWay, theirs: StatementWay) -> bool:
    """Return whether each has means that the other lacks, for a possibly equal end."""
    one, other = ours.means.keys(), theirs.means.keys()
    return (
        bool(one and other)
        and not (one <= other or other <= one or one & theirs.end.keys() or other & ours.end.keys())
        and _has_same_action(ours, theirs)
    )


def _has_same_action(ours: StatementWay, theirs: StatementWay) -> bool:
    """Return whether the actions may be equal: "parse study files with X", "use Y to parse study files"."""
    if not ours.action or ours.action == theirs.action or ours.action in theirs.end:
        return True
    return not theirs.action and ours.action in _get_plain_actions()


@cache
def _get_plain_actions() -> frozenset[str]:
    return frozenset(stem(word) for word in ACTIONS)


def _is_same_kind(ours: StatementWay, theirs: StatementWay, lexicon: Lexicon) -> bool:
    """Return whether the means can replace each other, as far as the lexicon knows them."""
    known = [{name for name in way.terms if name in lexicon.slots} for way in (ours, theirs)]
    return not all(known) or any(lexicon.find_shared_slot(one, other) for one in known[0] for other in known[1])
