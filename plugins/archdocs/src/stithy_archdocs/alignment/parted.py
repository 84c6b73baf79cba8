"""Verbs with a separate particle around what they drop: "take X out", "turn X off", "let X go", "give X up"."""

from collections.abc import Sequence

from stithy_archdocs.alignment.wordlists import listed

_PARTICLES = ("apart", "away", "behind", "down", "go", "off", "out", "up")
_VERBS = {particle: listed(f"parted_{particle}") for particle in _PARTICLES}
_ALL = frozenset[str]().union(*_VERBS.values())
_FARTHEST = 10
_ENDS = frozenset(("and", "or", "then", "to", "for", "with", "by", "in", "on", "from"))
"""Words that cannot stand between a verb and its particle."""


def particle_at(words: Sequence[str], verb: int) -> int:
    """Return the index of a verb's particle; 0 if it has none."""
    if words[verb] not in _ALL:
        return 0
    for at in range(verb + 2, min(verb + _FARTHEST, len(words))):
        if words[at] in _VERBS and words[verb] in _VERBS[words[at]]:
            return 0 if _is_idiom(words, at) else at
        if words[at] in _ENDS:
            return 0
    return 0


def is_particle(words: Sequence[str], at: int) -> bool:
    """Return whether a word is the particle of a verb before it."""
    verbs = _VERBS.get(words[at], frozenset())
    return any(words[verb] in verbs and particle_at(words, verb) == at for verb in range(max(0, at - _FARTHEST), at))


def _is_idiom(words: Sequence[str], at: int) -> bool:
    """Return whether the words have another meaning: "keep it out of the box", "leave it up to them"."""
    after = words[at + 1 : at + 4]
    return after[:1] == ["to"] or after == ["of", "the", "box"]
