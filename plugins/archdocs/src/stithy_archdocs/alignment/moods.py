"""Classify the clauses of a proposal: wishes, and statements about facts or consequences.

"Have drivers add themselves to the registry. Users keep forgetting it": the second sentence decides nothing. A clause
without a finite verb is a wish ("Put X into Y", "X for Y"). A clause with one is a wish only if it says that something
shall be done or shall go.
"""

from collections.abc import Sequence
from enum import Enum

from stithy_archdocs.alignment.polarity import drop_at, is_left
from stithy_archdocs.alignment.tokens import Token
from stithy_archdocs.alignment.verbs import ADVERBS, FINITE, is_finite_verb, wishes
from stithy_archdocs.alignment.wordlists import listed

_SUBJECTS = listed("subjects")
_POINTING = frozenset(("it", "that", "these", "this", "those", "there"))
_EFFECTS = listed("effects")
_STATES = listed("states")
_LASTING = listed("lasting")
_IS = frozenset(("are", "has", "is", "was", "were"))
_PLACES = frozenset(("as", "at", "in", "on", "outside", "under", "with"))
_NEAR = 3
_CAN = frozenset(("can", "could", "may", "might"))
_OPENINGS = (("that", "way"), ("this", "way"), ("in", "this", "way"), ("in", "that", "way"), ("as", "a", "result"))
_OFFERING = [phrase.split() for phrase in sorted(listed("offering"))]
_COMPLAINTS = listed("complaints")
_TELLING = listed("telling")
_WILL = frozenset(("will", "shall", "must", "should"))


class Mood(Enum):
    """Whether a clause is a wish, a fact, or neither for certain."""

    WISH = "wish"
    FACT = "fact"
    OPEN = "open"


def asks(sentence: Sequence[Token]) -> bool:
    """Return whether a sentence is a question, except a wish such as "why not use X?"."""
    words = [token.word for token in sentence]
    return words[-1:] == ["?"] and not any(words[: len(phrase)] == phrase for phrase in _OFFERING)


def mood(part: Sequence[Token]) -> Mood:
    """Return whether a clause says what shall be done."""
    part = _without_opening(part)
    if not part or _is_outlook(part):
        return Mood.FACT
    first, words = part[0].word, [token.word for token in part]
    if _is_effect(words):
        return Mood.FACT
    if wishes(part) or _loses(words) or words[:2] == ["no", "longer"]:
        return Mood.WISH
    if first in ("we", "i"):
        return Mood.FACT if len(words) < 2 or words[1] in _STATES or words[1].endswith("ed") else Mood.WISH  # noqa: PLR2004
    verb = next((at for at in range(1, len(part)) if is_finite_verb(part, at)), 0)
    if not verb or not _is_subject(part, verb):
        return Mood.OPEN if first in _SUBJECTS else Mood.WISH
    return Mood.WISH if words[verb] in _WILL or _lasts(words, verb) else Mood.FACT


def _lasts(words: Sequence[str], verb: int) -> bool:
    """Return whether something shall stay as it is: "logs stay in Loki"; not "users keep asking", "it stays small"."""
    after = words[verb + 1] if verb + 1 < len(words) else ""
    if words[verb] == "never":
        return True
    return words[verb] in _LASTING and after not in _COMPLAINTS and (after.endswith("ing") or after in _PLACES)


def _is_outlook(part: Sequence[Token]) -> bool:
    """Return whether a clause describes a consequence: "without it the house gets cold"."""
    return part[0].word in ("without", "with") and len(part) > 1 and part[1].word in _POINTING


def _without_opening(part: Sequence[Token]) -> Sequence[Token]:
    """Drop "then", "also", "in this way" and similar openings."""
    at = 0
    words = tuple(token.word for token in part)
    at = next((len(one) for one in _OPENINGS if words[: len(one)] == one), 0)
    while at < len(part) and (part[at].word in ADVERBS or part[at].is_mark):
        at += 1
    return part[at:]


def _is_effect(words: Sequence[str]) -> bool:
    """Return whether a clause describes an effect: "this saves us", "that way we lose nothing"."""
    if words[0] in _POINTING and any(word in _EFFECTS for word in words[1:4]):
        return True
    return "would" in words[1:5] and not any(word in ("like", "prefer", "rather") for word in words[1:6])


def _loses(words: Sequence[str]) -> bool:
    """Return whether something can or will go: "X can then be removed", "we could drop X", "X goes away"."""
    if any(is_left(words, at) for at in range(1, len(words))):
        return any(word in _CAN or word in _WILL or word == "goes" for word in words)
    return (
        words[0] == "we"
        and words[1:2] != []
        and words[1] in _CAN
        and any(drop_at(words, at) for at in range(2, min(len(words), 5)))
    )


def _is_subject(part: Sequence[Token], verb: int) -> bool:
    """Return whether the words before a verb are its subject, and not the verb of a request."""
    first = part[0]
    if first.word in _SUBJECTS or first.term or first.word[0].isdigit():
        return True
    if part[verb].word in _IS and verb <= _NEAR and first.word not in _TELLING:
        return True
    return part[verb].word in FINITE and (verb == 1 or first.word.endswith(("s", "ing")) or part[verb].word in _CAN)
