"""Assign a sign to each word of a clause: 1 if it is wanted, -1 if not.

A clause is read from left to right. "Replace", "stop" or "instead of" make the words that follow unwanted until "by",
"use"
or the like. "Never", "must not" and "no" negate a whole clause; "is replaced by" makes the words before it unwanted.
Two
negations cancel each other: "never drop Kafka" wants Kafka.
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
"""First words of cues whose second object is wanted: "replace X by Y", "migrate from X to Y"."""
_NEAREST = 2


@frozen
class _Scope:
    """The cue that is in effect at a word.

    Args:
        sign: 1 if the words are wanted, -1 if not.
        since: Index of the last word of the cue; far negative before the first one.
        joined: Whether a joining word such as "and" came since.
    """

    sign: int = 1
    since: int = -9
    joined: bool = False


def signs_of(part: Sequence[Token]) -> tuple[list[int], bool]:
    """Return the signs of a clause, and whether a verb of wanting or rejecting occurs in it.

    Returns:
        A pair: for each token 1 or -1, and the flag.
    """
    words = [token.word for token in part]
    signs, cued = _read(words)
    _moved(part, signs)
    turned = is_turned(words)
    return [_settled(-sign if turned else sign) for sign in signs], cued or turned


def _read(words: Sequence[str]) -> tuple[list[int], bool]:
    """Return the signs before negation as 1, 0 or -1, and the flag; a cue changes words after or before it."""
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
    """Resolve 0: a word that only lost its place ("never move Y off X") counts as wanted."""
    return sign or 1


def _sign_after(words: Sequence[str], at: int, scope: _Scope) -> int:
    """Return the sign after a cue; two cues in a row cancel each other: "stop avoiding X", "lift the ban on X"."""
    near = scope.sign < 0 and at - scope.since <= _NEAREST
    return 1 if near and (words[scope.since] in _UNWISHED or words[at] in _BANS) else -1


def _leaves_a_place(words: Sequence[str], at: int) -> bool:
    """Return whether the words before only lose their place: "move Y off X" states nothing against Y."""
    return words[at] in ("from", "off") or words[at : at + 2] in (["away", "from"], ["out", "of"], ["other", "than"])


def _joins(words: Sequence[str], at: int) -> bool:
    """Return whether a word may start a new action; not so "to" in "the decision to use X"."""
    return words[at] in _JOINS and not (at and words[at - 1] in _INTENTIONS)


def _says(words: Sequence[str], at: int) -> bool:
    word, before = words[at], words[at - 1] if at else ""
    if word in ADOPT or word in DROPPED or word in MOVE or (word in _TAKEN and before in BE):
        return True
    return (word in _CHOSE and before in _WHO) or (word in BE and before in CHOICES)


def _ends(words: Sequence[str], at: int, scope: _Scope) -> bool:
    """Return whether the unwanted words end before a word."""
    word, cue, far = words[at], words[scope.since], at - scope.since > 1
    if word in ("favour", "favor") or (word == "for" and cue in ("over", "of", "than")):
        return True
    if word in _SWITCH and far and (cue in _ENDED_BY_TO or words[scope.since - 1 : scope.since + 1] == ["out", "of"]):
        return not (word == "to" and words[at + 1 : at + 2] == ["be"])
    return far and ((scope.joined and word in (ADOPT | MOVE)) or _begins_thought(words, at))


def _begins_thought(words: Sequence[str], at: int) -> bool:
    """Return whether a verb after "and" starts a new action: "drop X and point its users to Y"."""
    if words[at - 1] not in ("and", "then", ","):
        return False
    after = words[at + 1] if at + 1 < len(words) else ""
    plain = words[at] not in _DETERMINERS and not words[at].endswith(("s", "ing", "ed")) and words[at] not in _JOINS
    return words[at] in ACTIONS or words[at] in THOUGHTS or (plain and after in _DETERMINERS)


def _moved(part: Sequence[Token], signs: list[int]) -> None:
    """Mark the source of a move as unwanted, in place: "migrate RabbitMQ to Kafka"."""
    if not any(token.word in MOVE or token.word in ("rewrite", "port") for token in part):
        return
    for at, token in enumerate(part):
        if token.term and any(one.word in ("to", "onto", "into") for one in part[at + 1 : at + 2]):
            later = [one for one in part[at + 2 : at + 5] if one.term and one.term != token.term]
            if later:
                signs[at] = -1
