"""Cue words: what makes the words after, before or around it unwanted.

"Replace" and "instead of" precede what is unwanted, "is replaced by" follows it; "never" negates a whole clause.
"""

from collections.abc import Sequence

from stithy_archdocs.alignment.word_lists import load_word_list

_PARTICLES = ("apart", "away", "behind", "down", "go", "off", "out", "up")
_VERBS = {particle: load_word_list(f"parted_{particle}") for particle in _PARTICLES}
_ALL = frozenset[str]().union(*_VERBS.values())
_FARTHEST = 10
_PARTICLE_ENDS = frozenset(("and", "or", "then", "to", "for", "with", "by", "in", "on", "from"))
"""Words that cannot stand between a verb and its particle."""


def find_particle(words: Sequence[str], verb: int) -> int:
    """Return the index of a verb's particle; 0 if it has none."""
    if words[verb] not in _ALL:
        return 0
    for at in range(verb + 2, min(verb + _FARTHEST, len(words))):
        if words[at] in _VERBS and words[verb] in _VERBS[words[at]]:
            return 0 if _is_idiom(words, at) else at
        if words[at] in _PARTICLE_ENDS:
            return 0
    return 0


def is_particle(words: Sequence[str], at: int) -> bool:
    """Return whether a word is the particle of a verb before it."""
    verbs = _VERBS.get(words[at], frozenset())
    return any(words[verb] in verbs and find_particle(words, verb) == at for verb in range(max(0, at - _FARTHEST), at))


def _is_idiom(words: Sequence[str], at: int) -> bool:
    """Return whether the words have another meaning: "keep it out of the box", "leave it up to them"."""
    after = words[at + 1 : at + 4]
    return after[:1] == ["to"] or after == ["of", "the", "box"]


DROP = load_word_list("drop")
_DROP_PHRASES = {
    first: [
        phrase.split()
        for phrase in sorted(load_word_list("drop_phrases"), key=len, reverse=True)
        if phrase.split()[0] == first
    ]
    for first in {phrase.split()[0] for phrase in load_word_list("drop_phrases")}
}
DROPPED = load_word_list("dropped")
BE = load_word_list("be")
ADOPT = load_word_list("adopt")
_CAN = frozenset(("can", "could", "may", "might", "must", "shall", "should", "to", "will", "would"))
_GIVING = frozenset(("gives", "give", "makes", "make"))
MOVE = load_word_list("move")
TAKE = load_word_list("take")
"""Verbs whose object is a means."""
ACTIONS = load_word_list("actions")
"""Verbs that start a new action after "and"."""
_PREFER = load_word_list("prefer")
_ADVISE = load_word_list("advise")
CHOICES = load_word_list("choices")
"""Nouns for a choice."""
_AWAY = load_word_list("away")
_NOT = load_word_list("not")
_NONE = load_word_list("none")
_OCCASIONS = load_word_list("occasions")
THOUGHTS = load_word_list("thoughts")
"""More such verbs, which say little about how something is done."""
_DELETE = frozenset(("delete", "deleting", "erase", "purge"))
_CHANGES = frozenset(("add", "create", "hard", "insert", "read", "soft", "update"))
_DATA = load_word_list("data")
_FAR = 5
_SHORT = 3
_TRANSPORTS = load_word_list("transports")
_SOURCES = load_word_list("sources")
"""Verbs that do not drop the thing they take something from."""


def is_left(words: Sequence[str], at: int) -> bool:
    """Return whether the words before are unwanted: "X is replaced by", "X makes way for", "X can go"."""
    if words[at] in DROPPED or " ".join(words[at : at + 2]) in _AWAY:
        return _is_passive(words, at)
    if words[at] in ("way", "place"):
        return at > 1 and words[at - 1] in _GIVING and words[at + 1 : at + 2] in (["for"], ["to"])
    return words[at] in ("go", "goes") and at > 0 and _is_leaving(words, at)


def _is_leaving(words: Sequence[str], at: int) -> bool:
    """Return whether "go" has a subject but no destination."""
    gone = at + 1 == len(words) or (words[at + 1] in ("altogether", "away", "entirely") and at + 2 == len(words))
    return gone and (words[at] == "goes" or any(word in _CAN for word in words[1:at]))


def measure_drop_cue(words: Sequence[str], at: int) -> int:
    """Return the number of words of a cue that makes what follows unwanted; 0 if no cue starts there."""
    for phrase in _DROP_PHRASES.get(words[at], ()):
        if list(words[at : at + len(phrase)]) == phrase and not _has_other_meaning(words, at, phrase):
            return len(phrase)
    return int(_is_cue(words, at))


def _is_cue(words: Sequence[str], at: int) -> bool:
    word = words[at]
    if word in DROP or _is_undoing(words, at) or find_particle(words, at) or _is_local_denial(words, at):
        return True
    if word == "over":
        return at > 0 and (any(one in _PREFER for one in words[:at]) or _is_comparison(words, at))
    if word in ("from", "off"):
        return any(one in MOVE for one in words[:at])
    return (word == "to" and _is_preference(words, at)) or (
        word == "against" and any(one in _ADVISE for one in words[:at])
    )


def _has_other_meaning(words: Sequence[str], at: int, phrase: Sequence[str]) -> bool:
    """Return whether a phrase has another meaning: "out of the box", "take X out of Y", "copy X out of Y"."""
    if is_particle(words, at):
        return True
    return phrase == ["out", "of"] and ("box" in words[at + 2 : at + 4] or any(word in _SOURCES for word in words[:at]))


def _is_preference(words: Sequence[str], at: int) -> bool:
    """Return whether "to" compares: "prefer X to Y", not "prefer to use Y"."""
    after = words[at + 1 : at + 2]
    verb = bool(after) and any(after[0] in verbs for verbs in (ADOPT, ACTIONS, TAKE, MOVE, BE, THOUGHTS))
    return at > 1 and not verb and "prefer" in words[max(0, at - _FAR) : at - 1]


def _is_undoing(words: Sequence[str], at: int) -> bool:
    """Return whether a verb drops a means: "revert to X" wants X, and "delete the file" only concerns data."""
    if words[at] not in _DELETE:
        return words[at] in ("revert", "reverting") and words[at + 1 : at + 2] not in (["to"], ["back"])
    return _CHANGES.isdisjoint(words[max(0, at - 2) : at]) and not any(
        word in _DATA for word in words[at + 1 : at + _FAR]
    )


def _is_comparison(words: Sequence[str], at: int) -> bool:
    """Return whether "over" compares ("composition over inheritance"), unlike "gRPC over HTTP"."""
    after = words[at + 1] if at + 1 < len(words) else ""
    return (
        at <= _SHORT and not any(word in ACTIONS for word in words[:at]) and after not in _TRANSPORTS and after != "to"
    )


def _is_local_denial(words: Sequence[str], at: int) -> bool:
    """Return whether "no" or "not" negates only the next words: "use REST, not GraphQL"; "have no state"."""
    before, after = words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
    if words[at] in ("not", "never"):
        return before in (",", "and", "or") and at > 1
    return words[at] == "no" and at > 0 and after not in _OCCASIONS and after != "later"


def _is_passive(words: Sequence[str], at: int) -> bool:
    """Return whether something is done to the words before: "will be replaced", "Kafka replaced by"."""
    before = words[max(0, at - 3) : at]
    return any(word in BE for word in before) or (at > 0 and words[at + 1 : at + 2] == ["by"])


def is_negated(words: Sequence[str]) -> bool:
    """Return whether a clause is negated as a whole."""
    count = 0
    for at, word in enumerate(words):
        after = words[at + 1] if at + 1 < len(words) else ""
        if word in _NOT or word.endswith(("n't", "n\u2019t")):
            count += after not in ("only", "yet") and not _is_local_denial(words, at)
        elif word in _NONE:
            count += at == 0 or after in _OCCASIONS
    return count % 2 == 1
