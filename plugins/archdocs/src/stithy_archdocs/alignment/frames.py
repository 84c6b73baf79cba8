"""Separate the means of a clause from its purpose.

"Use Redis for sessions", "keep sessions in Redis" and "sessions through Redis" have the same means and the same
purpose.
Two clauses with one purpose and different means exclude each other, even if no lexicon knows the names.
"""

from collections.abc import Sequence
from itertools import pairwise

from stithy_archdocs.alignment.polarity import ACTIONS, BE, MOVE, TAKE, drop_at
from stithy_archdocs.alignment.tokens import Token
from stithy_archdocs.alignment.wordlists import listed

PURPOSES = listed("purposes")
_MEANS = listed("means")
_AFTER_TAKING = frozenset(("to", "with", "on", "back", "in", "by"))
WITH = frozenset(("by", "through", "using", "via", "with"))
MODALS = listed("modals")
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


def means(part: Sequence[Token]) -> tuple[bool, ...]:
    """Return for each word whether it belongs to a means; all others belong to a purpose."""
    starts = [0, *(at for at in range(2, len(part)) if begins_anew(part, at)), len(part)]
    return tuple(one for start, end in pairwise(starts) for one in _means(part[start:end]))


def begins_anew(part: Sequence[Token], at: int) -> bool:
    """Return whether a second action starts at a word: "drop Thanos and send metrics to InfluxDB"."""
    return part[at - 1].word in ("and", "then", ",") and (part[at].word in ACTIONS or part[at].word in TAKE)


def _means(part: Sequence[Token]) -> tuple[bool, ...]:
    words = [token.word for token in part]
    taken = _taken(words)
    if taken is not None:
        return (*_before(words, taken), *_after(words, taken))
    if action(part) and any(word in _MEANS for word in words[1:]):
        return _switched(words, 0, _MEANS, inside=False)
    return _switched(words, 0, WITH, inside=True)


def has_way(part: Sequence[Token]) -> bool:
    """Return whether a clause says how something is done: "use X for Y", "do Y with X", "X for Y"."""
    words = [token.word for token in part]
    return _taken(words) is not None or any(word in (_MEANS if action(part) else PURPOSES) for word in words[1:])


def action(part: Sequence[Token]) -> str:
    """Return the stem of the verb that starts a clause, "store" in "store chats in Redis"; empty if there is none."""
    at = next((at for at, token in enumerate(part) if token.word not in MODALS), len(part))
    if _taken([token.word for token in part]) is not None or at >= len(part) - 1:
        return ""
    first = part[at]
    return first.stem if (first.telling or first.word in ACTIONS) and not first.term else ""


def _taken(words: Sequence[str]) -> int | None:
    """Return the index of a verb of using or dropping; None if there is none."""
    for at, word in enumerate(words[:_EARLY]):
        if word in TAKE or word in MOVE or (drop_at(words, at) and word not in _COMPARING):
            return at
    return None


def _before(words: Sequence[str], taken: int) -> list[bool]:
    """Classify the subject: in "X is used" it is a means, in "for Y we use" and "new services use" a purpose."""
    passive = taken > 0 and (words[taken - 1] in BE or words[taken - 1] in ("not", "no"))
    return list(_switched(words[:taken], 0, WITH, inside=passive))


def _after(words: Sequence[str], taken: int) -> list[bool]:
    if words[taken] in MOVE and "to" in words[taken:]:
        to = words.index("to", taken)
        return [*(False for _ in range(taken, to + 1)), *_switched(words, to + 1, WITH, inside=True)]
    start = taken + 1
    while start < len(words) and words[start] in _AFTER_TAKING:
        start += 1
    return [*(True for _ in range(taken, start)), *_switched(words, start, WITH, inside=True)]


def _switched(words: Sequence[str], start: int, leads: frozenset[str], *, inside: bool) -> tuple[bool, ...]:
    """Classify words from left to right: "for" starts a purpose, "with" a means, "in" and the like end a means."""
    found: list[bool] = []
    left = 0
    for at in range(start, len(words)):
        word = words[at]
        left = max(left - 1, drop_at(words, at))
        if left or word in TAKE:
            inside = True
        elif word in PURPOSES or (word in ("in", "on", "at", "as", "to", "within", "across") and inside):
            inside = False
        elif word in leads:
            inside = True
        found.append(inside)
    return tuple(found)
