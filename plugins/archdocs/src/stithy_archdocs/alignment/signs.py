"""Which words of a sentence are wanted and which are not.

A clause is read from left to right. "Replace", "stop" or "instead of" make what follows unwanted until "by", "use" or
the like; "never", "must not" and "no" turn a whole clause round; "is replaced by" makes what stood before unwanted.
Two negations cancel each other: "never drop Kafka" wants Kafka.
"""

from collections.abc import Sequence

from attrs import evolve, frozen

from stithy_archdocs.alignment.polarity import (
    ACTIONS,
    ADOPT,
    BE,
    CHOICES,
    DROPPED,
    MOVE,
    THOUGHTS,
    drop_at,
    is_left,
    is_turned,
)
from stithy_archdocs.alignment.tokens import Token
from stithy_archdocs.alignment.wordlists import listed

_SWITCH = listed("switch")
_TAKEN = frozenset(("adopted", "chosen", "selected", "used"))
_CHOSE = frozenset(("adopted", "chose", "favored", "favoured", "opted", "picked", "preferred", "selected"))
_WHO = frozenset(("finally", "have", "i", "team", "then", "they", "we"))
_INTENTIONS = listed("intentions")
_JOINS = frozenset(("and", ",", "then", "–", "—", "to", "favour", "favor"))  # noqa: RUF001 -- dashes as people write them
_DETERMINERS = listed("determiners")
_BANS = listed("bans")
_UNWISHED = frozenset(("avoid", "cease", "never", "not", "quit", "stop"))
_ENDED_BY_TO = listed("ended_by_to")
"""How a cue begins whose second object is wanted: "replace X by Y", "migrate from X to Y"."""
_NEAREST = 2


@frozen
class _Scope:
    """What is not wanted at a place of a clause: its sign, since which word, and whether a joining word has come."""

    sign: int = 1
    since: int = -9
    joined: bool = False


def signs_of(part: Sequence[Token]) -> tuple[list[int], bool]:
    """Give for each word of a clause whether it is wanted, and whether any verb says so."""
    words = [token.word for token in part]
    signs, cued = _read(words)
    _moved(part, signs)
    turned = is_turned(words)
    return [_settled(-sign if turned else sign) for sign in signs], cued or turned


def _read(words: Sequence[str]) -> tuple[list[int], bool]:
    """Go from word to word: a cue changes the sign of what follows, or of what stood before."""
    signs: list[int] = []
    scope, cued, at = _Scope(), False, 0
    while at < len(words):
        length = drop_at(words, at)
        left = not length and is_left(words, at)
        if length:
            scope = _Scope(_sign_after(words, at, scope), at + length - 1)
        elif left or (scope.sign < 0 and _ends(words, at, scope)):
            scope = evolve(scope, sign=1)
        if left:
            signs = [-one for one in signs]
        elif length and _leaves_a_place(words, at):
            signs = [min(one, 0) for one in signs]
        cued = cued or left or bool(length) or _says(words, at)
        scope = evolve(scope, joined=not length and (scope.joined or _joins(words, at)))
        signs += [scope.sign] * (length or 1)
        at += length or 1
    return signs, cued


def _settled(sign: int) -> int:
    """What a cue says nothing of is wanted: "never move Y off X"."""
    return sign or 1


def _sign_after(words: Sequence[str], at: int, scope: _Scope) -> int:
    """Two cues in a row cancel each other: "stop avoiding X", "lift the ban on X"."""
    near = scope.sign < 0 and at - scope.since <= _NEAREST
    return 1 if near and (words[scope.since] in _UNWISHED or words[at] in _BANS) else -1


def _leaves_a_place(words: Sequence[str], at: int) -> bool:
    """Tell whether what stood before only leaves a place: "move Y off X" says nothing against Y."""
    return words[at] in ("from", "off") or words[at : at + 2] in (["away", "from"], ["out", "of"], ["other", "than"])


def _joins(words: Sequence[str], at: int) -> bool:
    """Tell whether a word may lead to a new thought: not in "the decision to use X"."""
    return words[at] in _JOINS and not (at and words[at - 1] in _INTENTIONS)


def _says(words: Sequence[str], at: int) -> bool:
    word, before = words[at], words[at - 1] if at else ""
    if word in ADOPT or word in DROPPED or word in MOVE or (word in _TAKEN and before in BE):
        return True
    return (word in _CHOSE and before in _WHO) or (word in BE and before in CHOICES)


def _ends(words: Sequence[str], at: int, scope: _Scope) -> bool:
    """Tell whether what is not wanted ends before a word."""
    word, cue, far = words[at], words[scope.since], at - scope.since > 1
    if word in ("favour", "favor") or (word == "for" and cue in ("over", "of", "than")):
        return True
    if word in _SWITCH and far and (cue in _ENDED_BY_TO or words[scope.since - 1 : scope.since + 1] == ["out", "of"]):
        return not (word == "to" and words[at + 1 : at + 2] == ["be"])
    return far and ((scope.joined and word in (ADOPT | MOVE)) or _begins_thought(words, at))


def _begins_thought(words: Sequence[str], at: int) -> bool:
    """Tell whether a verb after "and" begins a new thought: "drop X and point its users to Y"."""
    if words[at - 1] not in ("and", "then", ","):
        return False
    after = words[at + 1] if at + 1 < len(words) else ""
    plain = words[at] not in _DETERMINERS and not words[at].endswith(("s", "ing", "ed")) and words[at] not in _JOINS
    return words[at] in ACTIONS or words[at] in THOUGHTS or (plain and after in _DETERMINERS)


def _moved(part: Sequence[Token], signs: list[int]) -> None:
    """What is moved from one name to another is left: "migrate RabbitMQ to Kafka"."""
    if not any(token.word in MOVE or token.word in ("rewrite", "port") for token in part):
        return
    for at, token in enumerate(part):
        if token.term and any(one.word in ("to", "onto", "into") for one in part[at + 1 : at + 2]):
            later = [one for one in part[at + 2 : at + 5] if one.term and one.term != token.term]
            if later:
                signs[at] = -1
