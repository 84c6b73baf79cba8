"""Separate the means of a clause from its purpose.

"Use Redis for sessions", "keep sessions in Redis" and "sessions through Redis" have the same means and the same
purpose.
Two clauses with one purpose and different means exclude each other, even if no lexicon knows the names.
"""

from collections.abc import Sequence
from itertools import pairwise

from stithy_archdocs.alignment.polarity_cues import ACTIONS, BE, MOVE, TAKE, measure_drop_cue
from stithy_archdocs.alignment.tokenizer import Token
from stithy_archdocs.alignment.word_lists import load_word_list

PURPOSES = load_word_list("purposes")
_MEANS = load_word_list("means")
_AFTER_TAKING = frozenset(("to", "with", "on", "back", "in", "by"))
WITH = frozenset(("by", "through", "using", "via", "with"))
MODALS = load_word_list("modals")
_COMPARING = frozenset(
    [
        "over",
        "instead",
        "rather",
        "unlike",
        "other",
        "from",
        "without",
        "no",
        "not",
        "in",
        "as",
        "against",
        "except",
        "of",
    ]
)
_EARLY = 8


def classify_means(part: Sequence[Token]) -> tuple[bool, ...]:
    """Return for each word whether it belongs to a means; all others belong to a purpose."""
    starts = [0, *(at for at in range(2, len(part)) if starts_new_action(part, at)), len(part)]
    return tuple(one for start, end in pairwise(starts) for one in _classify_part(part[start:end]))


def starts_new_action(part: Sequence[Token], at: int) -> bool:
    """Return whether a second action starts at a word: "drop Thanos and send metrics to InfluxDB"."""
    return part[at - 1].word in ("and", "then", ",") and (part[at].word in ACTIONS or part[at].word in TAKE)


def _classify_part(part: Sequence[Token]) -> tuple[bool, ...]:
    words = [token.word for token in part]
    taken = _find_taking_verb(words)
    if taken is not None:
        return (*_classify_before(words, taken), *_classify_after(words, taken))
    if get_action(part) and any(word in _MEANS for word in words[1:]):
        return _classify_words(words, 0, _MEANS, inside=False)
    return _classify_words(words, 0, WITH, inside=True)


def has_way(part: Sequence[Token]) -> bool:
    """Return whether a clause says how something is done: "use X for Y", "do Y with X", "X for Y"."""
    words = [token.word for token in part]
    return _find_taking_verb(words) is not None or any(
        word in (_MEANS if get_action(part) else PURPOSES) for word in words[1:]
    )


def get_action(part: Sequence[Token]) -> str:
    """Return the stem of the verb that starts a clause, "store" in "store chats in Redis"; empty without one."""
    at = next((at for at, token in enumerate(part) if token.word not in MODALS), len(part))
    if _find_taking_verb([token.word for token in part]) is not None or at >= len(part) - 1:
        return ""
    first = part[at]
    return first.stem if (first.is_distinctive or first.word in ACTIONS) and not first.term else ""


def _find_taking_verb(words: Sequence[str]) -> int | None:
    """Return the index of a verb of using or dropping; None without one."""
    for at, word in enumerate(words[:_EARLY]):
        if word in TAKE or word in MOVE or (measure_drop_cue(words, at) and word not in _COMPARING):
            return at
    return None


def _classify_before(words: Sequence[str], taken: int) -> list[bool]:
    """Classify the subject: in "X is used" it is a means, in "for Y we use" and "new services use" a purpose."""
    passive = taken > 0 and (words[taken - 1] in BE or words[taken - 1] in ("not", "no"))
    return list(_classify_words(words[:taken], 0, WITH, inside=passive))


def _classify_after(words: Sequence[str], taken: int) -> list[bool]:
    if words[taken] in MOVE and "to" in words[taken:]:
        to = words.index("to", taken)
        return [*(False for _ in range(taken, to + 1)), *_classify_words(words, to + 1, WITH, inside=True)]
    start = taken + 1
    while start < len(words) and words[start] in _AFTER_TAKING:
        start += 1
    return [*(True for _ in range(taken, start)), *_classify_words(words, start, WITH, inside=True)]


def _classify_words(words: Sequence[str], start: int, leads: frozenset[str], *, inside: bool) -> tuple[bool, ...]:
    """Classify words from left to right: "for" starts a purpose, "with" a means, "in" and the like end a means."""
    found: list[bool] = []
    left = 0
    for at in range(start, len(words)):
        word = words[at]
        left = max(left - 1, measure_drop_cue(words, at))
        if left or word in TAKE:
            inside = True
        elif word in PURPOSES or (word in ("in", "on", "at", "as", "to", "within", "across") and inside):
            inside = False
        elif word in leads:
            inside = True
        found.append(inside)
    return tuple(found)
