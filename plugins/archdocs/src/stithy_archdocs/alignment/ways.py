"""Detect two ways to the same end: equal purpose and different means, without any lexicon."""

from collections.abc import Iterator, Mapping
from functools import cache

from attrs import frozen

from stithy_archdocs.alignment.frames import action
from stithy_archdocs.alignment.lexicon import Lexicon
from stithy_archdocs.alignment.polarity import ACTIONS, DROP, DROPPED
from stithy_archdocs.alignment.reading import Proposal, Reading
from stithy_archdocs.alignment.signal import CONFLICTS, Signal
from stithy_archdocs.alignment.statements import Statement
from stithy_archdocs.alignment.stems import stem

_SURE = 0.62
_ROLES = ("title", "chosen")
_SAME_END = 0.6
_LEAST_END = 1.0
_HALF = 0.5


@frozen
class Way:
    """The means and the end of a statement.

    Args:
        means: Weights of the words of the means, by key.
        end: Weights of the words of the end, by key.
        action: Stem of the verb; empty if there is none.
        terms: Names in the means.
    """

    means: Mapping[str, float]
    end: Mapping[str, float]
    action: str
    terms: frozenset[str]


def way_signals(proposal: Proposal, reading: Reading, lexicon: Lexicon) -> Iterator[Signal]:
    """Iterate over signals where a proposal reaches an end of the record by other means."""
    title = {key: weight for one in reading.statements if one.role == "title" for key, weight in _words(one).items()}
    for own in reading.statements:
        if own.role in _ROLES:
            theirs = _way(own, title if own.role == "chosen" else {})
            for statement in proposal.statements:
                if _excludes(_way(statement), theirs, lexicon):
                    yield other_way(own)


def other_way(own: Statement) -> Signal:
    """Return the signal that a statement of the record has other means for the same end."""
    return Signal(CONFLICTS, "other_way", "other-way", _SURE, "it reaches the same end by other means", own)


def excludes(statement: Statement, own: Statement, lexicon: Lexicon) -> bool:
    """Return whether two statements have the same end and different means."""
    return _excludes(_way(statement), _way(own), lexicon)


def has_means_of(statement: Statement, own: Statement) -> bool:
    """Return whether another statement contains most of a statement's means."""
    if not statement.has_way or not own.has_way:
        return True
    means = _words(statement, inside=True)
    known = {token.key for token in own.tokens}
    return not means or sum(weight for key, weight in means.items() if key in known) > _HALF * sum(means.values())


def _way(statement: Statement, also: Mapping[str, float] | None = None) -> Way:
    means = _words(statement, inside=True) if statement.has_way and not _is_unwanted(statement) else {}
    end = {**(also or {}), **_words(statement, inside=False)}
    return Way(
        means=means,
        end={key: weight for key, weight in end.items() if key not in means},
        action=action(statement.tokens),
        terms=frozenset(token.term for token in statement.tokens if token.term and token.key in means),
    )


def _is_unwanted(statement: Statement) -> bool:
    return any(sign < 0 for sign in statement.signs)


def has_end_in(statement: Statement, reading: Reading) -> bool:
    """Return whether a statement has no end of its own, or one that the record is about."""
    end = _words(statement, inside=False).keys() - {action(statement.tokens)} - _plain_actions()
    return not end or bool(end & reading.topic)


def _words(statement: Statement, *, inside: bool | None = None) -> dict[str, float]:
    return {
        token.key: token.weight
        for token, one in zip(statement.tokens, statement.means, strict=True)
        if token.weight and inside in (None, one) and token.word not in DROP and token.word not in DROPPED
    }


def _excludes(ours: Way, theirs: Way, lexicon: Lexicon) -> bool:
    if not _are_apart(ours, theirs) or not _of_one_kind(ours, theirs, lexicon) or _on_one_side(ours, theirs, lexicon):
        return False
    things = {key: weight for key, weight in ours.end.items() if key != ours.action}
    shared = sum(weight for key, weight in things.items() if key in theirs.end)
    return shared >= _LEAST_END and shared / sum(things.values()) >= _SAME_END


def _on_one_side(ours: Way, theirs: Way, lexicon: Lexicon) -> bool:
    """Return whether the means are synonyms: "separate" and "own"."""
    one, other = ({side for key in way.means for side in lexicon.sides.get(key, ())} for way in (ours, theirs))
    return bool(one & other)


def _are_apart(ours: Way, theirs: Way) -> bool:
    """Return whether each has means that the other lacks, for a possibly equal end."""
    one, other = ours.means.keys(), theirs.means.keys()
    return (
        bool(one and other)
        and not (one <= other or other <= one or one & theirs.end.keys() or other & ours.end.keys())
        and _do_alike(ours, theirs)
    )


def _do_alike(ours: Way, theirs: Way) -> bool:
    """Return whether the actions may be equal: "parse study files with X", "use Y to parse study files"."""
    if not ours.action or ours.action == theirs.action or ours.action in theirs.end:
        return True
    return not theirs.action and ours.action in _plain_actions()


@cache
def _plain_actions() -> frozenset[str]:
    return frozenset(stem(word) for word in ACTIONS)


def _of_one_kind(ours: Way, theirs: Way, lexicon: Lexicon) -> bool:
    """Return whether the means can replace each other, as far as the lexicon knows them."""
    known = [{name for name in way.terms if name in lexicon.slots} for way in (ours, theirs)]
    return not all(known) or any(lexicon.rivals(one, other) for one in known[0] for other in known[1])
