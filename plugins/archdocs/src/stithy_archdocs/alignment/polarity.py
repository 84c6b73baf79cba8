"""Cue words: what makes the words after, before or around it unwanted.

"Replace" and "instead of" precede what is unwanted, "is replaced by" follows it; "never" negates a whole clause.
"""

from collections.abc import Sequence

from stithy_archdocs.alignment.parted import is_particle, particle_at
from stithy_archdocs.alignment.wordlists import listed

DROP = listed("drop")
_DROP_PHRASES = {
    first: [
        phrase.split() for phrase in sorted(listed("drop_phrases"), key=len, reverse=True) if phrase.split()[0] == first
    ]
    for first in {phrase.split()[0] for phrase in listed("drop_phrases")}
}
DROPPED = listed("dropped")
BE = listed("be")
ADOPT = listed("adopt")
_CAN = frozenset(("can", "could", "may", "might", "must", "shall", "should", "to", "will", "would"))
_GIVING = frozenset(("gives", "give", "makes", "make"))
MOVE = listed("move")
TAKE = listed("take")
"""Verbs whose object is a means."""
ACTIONS = listed("actions")
"""Verbs that start a new action after "and"."""
_PREFER = listed("prefer")
_ADVISE = listed("advise")
CHOICES = listed("choices")
"""Nouns for a choice."""
_AWAY = listed("away")
_NOT = listed("not")
_NONE = listed("none")
_OCCASIONS = listed("occasions")
THOUGHTS = listed("thoughts")
"""More such verbs, which say little about how something is done."""
_DELETE = frozenset(("delete", "deleting", "erase", "purge"))
_CHANGES = frozenset(("add", "create", "hard", "insert", "read", "soft", "update"))
_DATA = listed("data")
_FAR = 5
_SHORT = 3
_TRANSPORTS = listed("transports")
_SOURCES = listed("sources")
"""Verbs that do not drop the thing they take something from."""


def is_left(words: Sequence[str], at: int) -> bool:
    """Return whether the words before are unwanted: "X is replaced by", "X makes way for", "X can go"."""
    if words[at] in DROPPED or " ".join(words[at : at + 2]) in _AWAY:
        return _passive(words, at)
    if words[at] in ("way", "place"):
        return at > 1 and words[at - 1] in _GIVING and words[at + 1 : at + 2] in (["for"], ["to"])
    return words[at] in ("go", "goes") and at > 0 and _goes(words, at)


def _goes(words: Sequence[str], at: int) -> bool:
    """Return whether "go" has a subject but no destination."""
    gone = at + 1 == len(words) or (words[at + 1] in ("altogether", "away", "entirely") and at + 2 == len(words))
    return gone and (words[at] == "goes" or any(word in _CAN for word in words[1:at]))


def drop_at(words: Sequence[str], at: int) -> int:
    """Return the number of words of a cue that makes what follows unwanted; 0 if no cue starts there."""
    for phrase in _DROP_PHRASES.get(words[at], ()):
        if list(words[at : at + len(phrase)]) == phrase and not _is_other(words, at, phrase):
            return len(phrase)
    return int(_is_cue(words, at))


def _is_cue(words: Sequence[str], at: int) -> bool:
    word = words[at]
    if word in DROP or _undoes(words, at) or particle_at(words, at) or _denies_next(words, at):
        return True
    if word == "over":
        return at > 0 and (any(one in _PREFER for one in words[:at]) or _compares(words, at))
    if word in ("from", "off"):
        return any(one in MOVE for one in words[:at])
    return (word == "to" and _prefers(words, at)) or (word == "against" and any(one in _ADVISE for one in words[:at]))


def _is_other(words: Sequence[str], at: int, phrase: Sequence[str]) -> bool:
    """Return whether a phrase has another meaning: "out of the box", "take X out of Y", "copy X out of Y"."""
    if is_particle(words, at):
        return True
    return phrase == ["out", "of"] and ("box" in words[at + 2 : at + 4] or any(word in _SOURCES for word in words[:at]))


def _prefers(words: Sequence[str], at: int) -> bool:
    """Return whether "to" compares: "prefer X to Y", not "prefer to use Y"."""
    after = words[at + 1 : at + 2]
    verb = bool(after) and any(after[0] in verbs for verbs in (ADOPT, ACTIONS, TAKE, MOVE, BE, THOUGHTS))
    return at > 1 and not verb and "prefer" in words[max(0, at - _FAR) : at - 1]


def _undoes(words: Sequence[str], at: int) -> bool:
    """Return whether a verb drops a means: "revert to X" wants X, and "delete the file" only concerns data."""
    if words[at] not in _DELETE:
        return words[at] in ("revert", "reverting") and words[at + 1 : at + 2] not in (["to"], ["back"])
    return _CHANGES.isdisjoint(words[max(0, at - 2) : at]) and not any(
        word in _DATA for word in words[at + 1 : at + _FAR]
    )


def _compares(words: Sequence[str], at: int) -> bool:
    """Return whether "over" compares ("composition over inheritance"), unlike "gRPC over HTTP"."""
    after = words[at + 1] if at + 1 < len(words) else ""
    return (
        at <= _SHORT and not any(word in ACTIONS for word in words[:at]) and after not in _TRANSPORTS and after != "to"
    )


def _denies_next(words: Sequence[str], at: int) -> bool:
    """Return whether "no" or "not" negates only the next words: "use REST, not GraphQL"; "have no state"."""
    before, after = words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
    if words[at] in ("not", "never"):
        return before in (",", "and", "or") and at > 1
    return words[at] == "no" and at > 0 and after not in _OCCASIONS and after != "later"


def _passive(words: Sequence[str], at: int) -> bool:
    """Return whether something is done to the words before: "will be replaced", "Kafka replaced by"."""
    before = words[max(0, at - 3) : at]
    return any(word in BE for word in before) or (at > 0 and words[at + 1 : at + 2] == ["by"])


def is_turned(words: Sequence[str]) -> bool:
    """Return whether a clause is negated as a whole."""
    count = 0
    for at, word in enumerate(words):
        after = words[at + 1] if at + 1 < len(words) else ""
        if word in _NOT or word.endswith(("n't", "n\u2019t")):
            count += after not in ("only", "yet") and not _denies_next(words, at)
        elif word in _NONE:
            count += at == 0 or after in _OCCASIONS
    return count % 2 == 1
