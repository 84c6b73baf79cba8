"""Find the word that a clause decides about: what is used, dropped or named first."""

from collections.abc import Sequence

from stithy_archdocs.alignment.polarity_cues import ADOPT, BE, CHOICES, MOVE, is_negated, measure_drop_cue
from stithy_archdocs.alignment.tokenizer import Token
from stithy_archdocs.alignment.word_lists import load_word_list

_SWITCHED = load_word_list("switched")
_SMALL = load_word_list("small")
_VERBS = ADOPT | MOVE | load_word_list("verbs")
_MUST = frozenset(("must", "shall", "may", "never"))
_EARLY, _NEAR, _FIRST = 8, 2, 3


def is_object(part: Sequence[Token], at: int) -> bool:
    """Return whether a clause decides about a word: "we will use X", "X will be used", "stop using X"."""
    words = [token.word for token in part]
    cues = [
        place
        for place in range(min(at, _EARLY))
        if words[place] in ADOPT or words[place] in MOVE or words[place] in _SWITCHED or measure_drop_cue(words, place)
    ]
    between = [word for word in words[cues[-1] + 1 : at] if word not in _SMALL] if cues else []
    if "such" in between or "like" in between:
        return False
    if any(measure_drop_cue(words, place) == at - place for place in range(max(0, at - 3), at)):
        return True
    if is_negated(words) and not _MUST.isdisjoint(words):
        return True
    if cues and (len(between) <= _NEAR or between[-1] in ("and", ",", "or", "by", "with", "to")):
        return True
    if any(word in CHOICES and words[place + 1 : place + 2] == ["is"] for place, word in enumerate(words[:at])):
        return len(words) - at <= _NEAR
    return at <= _FIRST and any(word in BE for word in words[at + 1 : at + 4])


def is_title_subject(part: Sequence[Token], at: int) -> bool:
    """Return whether a title is about a word: it comes first, or a verb or "with" leads to it."""
    words = [token.word for token in part]
    if not any(token.is_distinctive for token in part[:at]) or words[at - 1] in (
        "with",
        "by",
        "through",
        "via",
        "using",
        "to",
        "as",
        "and",
        ",",
    ):
        return True
    return any(word in _VERBS or measure_drop_cue(words, place) for place, word in enumerate(words[:at]))


def find_adopted(part: Sequence[Token], signs: Sequence[int]) -> frozenset[str]:
    """Return the keys of what a clause starts to use: the first two distinctive words after "use", "adopt" etc."""
    for at, token in enumerate(part):
        if token.word in ("use", "adopt", "introduce", "choose", "employ", "using") and signs[at] > 0:
            found: list[str] = []
            for later in part[at + 1 :]:
                if found and (
                    later.is_mark or later.word in ("for", "to", "in", "as", "instead", "with", "and", "on", "by")
                ):
                    break
                found += [later.key] if later.is_distinctive else []
            return frozenset(found[:2])
    return frozenset()
